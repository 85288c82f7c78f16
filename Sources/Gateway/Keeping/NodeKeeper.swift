internal import Base
internal import Matter
internal import MatterNode

/// Keeps one node read: a flow with one timer, which `NodeWatch` sets. All of it is on the loop.
final class NodeKeeper: @unchecked Sendable {
    /// What its owner is told; called on the loop.
    enum Told: Sendable {
        case reading(Reading)
        /// What is known of its link has changed.
        case link
    }

    private(set) var record: NodeRecord
    private(set) var watch: NodeWatch
    /// The latest of each attribute, in the order in which they were first told.
    private(set) var readings: [Reading] = []
    private let gateway: Gateway
    private let turns: KeepingTurns
    private let tell: (NodeKeeper, Told) -> Void
    private let wakes: LoopQueue<Wake>
    private var flow: LoopTask?
    /// Of the subscriptions that were made last; what earlier ones come to is no matter.
    private var generation = 0
    /// The first reports of a subscription hold what happened before.
    private var isPriming = false
    private var shownLink = NodeState.Link.unknown

    private enum Wake: Sendable {
        case lost(generation: Int)
        /// What `watch` knows has changed.
        case look
    }

    private var loop: Loop { gateway.loop }

    init(
        _ record: NodeRecord, gateway: Gateway, turns: KeepingTurns, pollInterval: Duration,
        tell: @escaping (NodeKeeper, Told) -> Void
    ) {
        self.record = record
        self.gateway = gateway
        self.turns = turns
        self.tell = tell
        watch = NodeWatch(pollInterval: pollInterval, start: gateway.loop.now)
        wakes = LoopQueue(on: gateway.loop, bound: KeepingLimits.wakes)
        watch.isSleepy = isICD
    }

    var state: NodeState {
        NodeState(
            node: record, link: watch.link, isSubscribed: watch.isSubscribed,
            heardAt: watch.heardAt, readings: readings)
    }

    func start() {
        flow = loop.spawn { @Sendable [self] in await run() }
    }

    func stop() {
        flow?.cancel()
        flow = nil
    }

    func use(_ record: NodeRecord, pollInterval: Duration) {
        self.record = record
        guard watch.pollInterval != pollInterval else { return }
        watch.pollInterval = pollInterval
        wakes.push(.look)
    }

    /// The node has said on the network that it is there.
    func announced() {
        watch.announced(at: loop.now)
        wakes.push(.look)
    }

    // MARK: The flow

    private func run() async {
        while !Task.isCancelled {
            watch.advance(to: loop.now)
            switch watch.nextStep {
            case .wait: await wait()
            case .connect: await inTurn { [self] in await connect() }
            case .check: await check()
            }
            lookAtLink()
        }
        generation += 1
    }

    private func wait() async {
        guard let wake = (try? await wakes.next(until: watch.nextDeadline)) ?? nil else {
            if watch.isSubscribed { await keepAddress() }
            return
        }
        if case .lost(let lost) = wake, lost == generation { watch.lost(at: loop.now) }
        if case .left = watch.link { await gateway.endSession(of: record) }
    }

    /// A device that is being added has the network to itself, and few nodes are connected with
    /// at once.
    private func inTurn(_ body: () async -> Void) async {
        do throws(CancellationError) {
            try await turns.begin()
        } catch { return }
        defer { turns.end() }
        guard (try? await gateway.untilNoRun()) != nil, !Task.isCancelled else { return }
        await body()
    }

    private func connect() async {
        generation += 1
        isPriming = true
        watch.begin(at: loop.now)
        let generation = generation
        let isSleepy = isICD
        let record = record
        let gateway = gateway
        let answer = await loop.value(within: KeepingLimits.timeToConnect) {
            () async -> Result<KeptSubscription, GatewayError> in
            do throws(GatewayError) {
                return .success(
                    try await gateway.subscribe(record, isSleepy: isSleepy) { paths in
                        self.subscriber(of: paths, generation)
                    })
            } catch { return .failure(error) }
        }
        isPriming = false
        guard !Task.isCancelled else { return }
        switch answer {
        case .success(let subscription):
            watch.isSleepy = isSleepy || subscription.isSleepy
            watch.subscribed(at: loop.now, isWhole: subscription.isWhole)
            await keepAddress()
        case .failure(let error): await failed(error)
        }
    }

    /// It may have moved within its session.
    private func keepAddress() async {
        if let moved = await gateway.keepAddress(of: record) { record = moved }
    }

    private func check() async {
        guard (try? await gateway.untilNoRun()) != nil else { return }
        do throws(GatewayError) {
            let reports = try await gateway.check(record)
            watch.checked(at: loop.now)
            for report in reports {
                if case .data(let data) = report.value { take(report.path, data.octets.span) }
            }
        } catch {
            guard !Task.isCancelled else { return }
            if case .peer(.interaction) = error { return watch.checked(at: loop.now) }
            // The session is over; whether the node is there the next step finds out.
            watch.lost(at: loop.now)
        }
    }

    private func failed(_ error: GatewayError) async {
        let failure: NodeWatch.Failure
        switch error {
        case .connection(let error) where error.isOfStranger: failure = .stranger
        case .peer(.interaction): failure = .noSubscription
        case .peer(.exchange):
            await gateway.endSession(of: record)
            failure = .away
        default: failure = .away
        }
        watch.failed(failure, at: loop.now, random: gateway.random.drawUInt16())
    }

    // MARK: Reports

    private func subscriber(of paths: [AttributePath], _ generation: Int) -> Subscriber {
        Subscriber(
            report: { [weak self] payload in self?.report(payload, of: paths) },
            lost: { [weak self] _ in self?.wakes.push(.lost(generation: generation)) })
    }

    /// Called while the node is at work: takes the values where they stand.
    private func report(_ payload: Span<UInt8>, of paths: [AttributePath]) {
        guard flow != nil else { return }
        watch.receive(at: loop.now)
        lookAtLink()
        do throws(InteractionError) {
            var reader = try ReportDataReader(payload)
            while let attribute = try reader.next() {
                if case .data(let octets) = attribute.value { take(attribute.path, octets) }
            }
            while !isPriming, let event = try reader.nextEvent() {
                if case .data(_, let octets) = event.value { take(event.path, octets) }
            }
            if !isPriming, !reader.hasMoreChunks { confirm(paths) }
        } catch {
            // Nothing in it is malformed, says who reads it first.
        }
    }

    /// What a subscription is to and a report of it does not tell is as it was. Core §8.5.3.
    private func confirm(_ paths: [AttributePath]) {
        let now = loop.now
        for index in readings.indices {
            let known = readings[index]
            guard now - known.at >= KeepingLimits.confirmation,
                paths.contains(where: {
                    $0.cluster == known.source.cluster && $0.attribute == known.source.attribute
                })
            else { continue }
            let confirmed = Reading(source: known.source, value: known.value, at: now)
            readings[index] = confirmed
            tell(self, .reading(confirmed))
        }
    }

    private func take(_ path: ConcreteAttributePath, _ octets: Span<UInt8>) {
        guard let kept = KeptAttribute.of(path.cluster, path.attribute) else { return }
        let source = ReadingSource(
            historyID: record.historyID, endpoint: path.endpoint, cluster: path.cluster,
            attribute: path.attribute)
        let reading = Reading(source: source, value: kept.value(octets), at: loop.now)
        if let index = readings.firstIndex(where: { $0.source == source }) {
            readings[index] = reading
        } else {
            guard readings.count < KeepingLimits.readingsPerNode else { return }
            readings.append(reading)
        }
        tell(self, .reading(reading))
    }

    private func take(_ path: ConcreteEventPath, _ octets: Span<UInt8>) {
        guard path.cluster == BasicInformation.id, path.event == BasicInformation.Leave.id,
            let leave = try? BasicInformation.Leave(tlv: octets),
            leave.fabricIndex == record.fabricIndex
        else { return }
        watch.leave(at: loop.now)
        wakes.push(.look)
    }

    private func lookAtLink() {
        guard watch.link != shownLink else { return }
        shownLink = watch.link
        tell(self, .link)
    }

    private var isICD: Bool {
        record.endpoints.contains { $0.endpoint == .root && $0.clusters.contains(ICDManagement.id) }
    }
}

/// Lets few flows do something at once; the others wait in their order.
final class KeepingTurns: @unchecked Sendable {
    private var free: Int
    private var waits: [LoopWait<Void>] = []
    /// The most that were at it at once; for tests.
    private(set) var most = 0
    private let bound: Int

    init(_ bound: Int) {
        self.bound = bound
        free = bound
    }

    func begin() async throws(CancellationError) {
        guard free == 0 else {
            free -= 1
            most = max(most, bound - free)
            return
        }
        let wait = LoopWait<Void>()
        waits.append(wait)
        do throws(CancellationError) { try await wait.value() } catch {
            // A turn that came to a flow that had been cancelled goes on to the next.
            if let index = waits.firstIndex(where: { $0 === wait }) { waits.remove(at: index) }
            throw error
        }
    }

    /// Of one that has begun.
    func end() {
        while !waits.isEmpty {
            let next = waits.removeFirst()
            guard !next.isResumed else { continue }
            return next.resume(returning: ())
        }
        free += 1
    }
}

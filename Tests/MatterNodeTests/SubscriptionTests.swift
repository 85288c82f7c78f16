import Base
import Matter
import MatterNode
import Simulation
import Testing

/// What one subscriber was told, in order.
private final class Diary: @unchecked Sendable {
    private(set) var entries: [String] = []
    private(set) var losses: [SubscriptionLoss] = []

    var subscriber: Subscriber {
        Subscriber(
            report: { [weak self] payload in self?.take(payload) },
            lost: { [weak self] loss in self?.losses.append(loss) })
    }

    private func take(_ payload: Span<UInt8>) {
        do throws(InteractionError) {
            var reader = try ReportDataReader(payload)
            var count = 0
            while let report = try reader.next() {
                count += 1
                guard case .data(let octets) = report.value,
                    let value = try? EncodedElement(copying: octets)
                else { continue }
                entries.append("\(report.path) \(value.json)")
            }
            while let event = try reader.nextEvent() {
                count += 1
                guard case .data(let occurrence, _) = event.value else { continue }
                entries.append("event \(occurrence.number)")
            }
            if count == 0 { entries.append("alive") }
        } catch { entries.append("malformed") }
    }

    func clear() { entries = [] }
}

@Suite("Subscriptions")
struct SubscriptionTests {
    private static let light = EndpointID(1)

    private static let request = SubscribeRequest {
        $0.maxIntervalCeilingSeconds = 900
        $0.attributeRequests = [AttributePath(OnOff.onOff, endpoint: light)]
    }

    /// More than the layer's longest wait for an answer.
    private static let slack = Duration.seconds(120)

    private func subscribe(
        _ world: World, _ peer: Peer, _ diary: Diary, _ request: SubscribeRequest = request
    ) -> SimulatedLoop.Flow<SubscriptionHandle, PeerError> {
        let subscriber = diary.subscriber
        return world.sim.start { () async throws(PeerError) -> SubscriptionHandle in
            try await peer.subscribe(request, subscriber)
        }
    }

    private func subscribed(
        _ world: World, _ peer: Peer, _ diary: Diary, _ request: SubscribeRequest = request
    ) throws -> SubscriptionHandle {
        let flow = subscribe(world, peer, diary, request)
        world.sim.finish(flow)
        let handle = try #require(flow.value, "\(String(describing: flow.error))")
        world.sim.run(for: .seconds(1))
        return handle
    }

    private func count(_ world: World) -> Int? {
        let found = world.sim.run { [node = world.node] () async throws(Never) -> Int in
            await node.subscriptionCount
        }
        return found?.get()
    }

    private func exchanges(_ world: World) -> Int { world.leftoversNow.exchanges }

    @Test("§8.5 the first report, changes and signs of life are told in order, and answered")
    func reports() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let diary = Diary()
        let handle = try subscribed(world, peer, diary)
        #expect(handle.maxInterval == .seconds(600))
        #expect(diary.entries == ["1/on-off/on-off boolean(false)"])
        device.put(OnOff.onOff, true, on: Self.light)
        device.reportAll()
        world.sim.run(for: .seconds(599))
        #expect(diary.entries.last == "1/on-off/on-off boolean(true)")
        #expect(diary.entries.count == 2)
        world.sim.run(for: .seconds(602))
        #expect(diary.entries.dropFirst(2) == ["alive", "alive"])
        #expect(device.reportAnswers == [.success, .success, .success])
        #expect(diary.losses.isEmpty)
        #expect(exchanges(world) == 0 && device.exchangeCount == 0)
    }

    @Test("reports in many messages, the first and a later one, over a bad network too")
    func chunks() throws {
        let parts = (0..<600).map { EndpointID(UInt16($0)) }
        for seed in 1...20 {
            let world = World(seed: UInt64(seed), faults: .lossy)
            let device = world.device()
            device.putList(Descriptor.partsList, parts)
            let peer = try world.connected(device)
            let diary = Diary()
            let request = SubscribeRequest {
                $0.maxIntervalCeilingSeconds = 900
                $0.attributeRequests = [AttributePath(Descriptor.partsList, endpoint: .root)]
            }
            _ = try subscribed(world, peer, diary, request)
            #expect(diary.entries.count == 601, "seed \(seed)")
            let first = diary.entries
            diary.clear()
            device.reportAll()
            world.sim.run(for: .seconds(300))
            #expect(diary.entries == first, "seed \(seed)")
            #expect(device.reportAnswers.count > 5, "seed \(seed)")
            #expect(device.reportAnswers.allSatisfy { $0 == .success }, "seed \(seed)")
            #expect(exchanges(world) == 0 && device.exchangeCount == 0, "seed \(seed)")
        }
    }

    @Test("a sign of life whose sender wants no answer gets none, and counts")
    func suppressed() throws {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.suppressesKeepAlives = true
        let device = world.device(1, settings)
        let diary = Diary()
        _ = try subscribed(world, try world.connected(device), diary)
        world.sim.run(for: .seconds(3 * 3600))
        #expect(diary.entries.count == 1 + 18)
        #expect(device.reportAnswers.isEmpty && diary.losses.isEmpty)
        #expect(device.count(.statusResponse) == 1)
        #expect(exchanges(world) == 0 && device.exchangeCount == 0)
    }

    @Test("§4.12.8 a device that falls silent is lost, not before its time and soon after")
    func silence() throws {
        let world = World()
        let device = world.device()
        let diary = Diary()
        _ = try subscribed(world, try world.connected(device), diary)
        world.sim.run(for: .seconds(300))
        device.reportAll()
        world.sim.run(for: .seconds(1))
        device.vanish()
        world.sim.run(for: .seconds(600))
        #expect(diary.losses.isEmpty)
        #expect(count(world) == 1)
        world.sim.run(for: Self.slack)
        #expect(diary.losses == [.silent])
        #expect(count(world) == 0)
        device.endSubscriptions()
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§8.4.3 a report of an unknown subscription is refused, and its server gives up")
    func unknown() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.report(asSubscription: 77)
        world.sim.run(for: .seconds(1))
        #expect(device.reportAnswers == [.invalidSubscription])
        let diary = Diary()
        let handle = try subscribed(world, peer, diary)
        let ending = world.sim.start { () async throws(Never) -> Void in
            await peer.unsubscribe(handle)
        }
        world.sim.finish(ending)
        diary.clear()
        device.reportAll()
        world.sim.run(for: .seconds(1))
        #expect(device.reportAnswers == [.invalidSubscription, .invalidSubscription])
        #expect(device.subscriptions.isEmpty)
        #expect(diary.entries.isEmpty && diary.losses.isEmpty)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a report that is none ends the subscription at both ends")
    func malformed() throws {
        let world = World()
        let device = world.device()
        let diary = Diary()
        let handle = try subscribed(world, try world.connected(device), diary)
        let broken = ReportData {
            $0.subscriptionID = handle.id
            $0.eventReports = [EventReportIB()]
        }
        device.report(asSubscription: handle.id, broken.octets())
        world.sim.run(for: .seconds(1))
        #expect(diary.losses == [.malformed(.malformed(.missing(tag: 1)))])
        #expect(diary.entries.count == 1)
        #expect(device.reportAnswers == [.invalidAction] && device.subscriptions.isEmpty)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a session that ends takes its subscriptions along, from either side")
    func sessionEnds() throws {
        for byDevice in [true, false] {
            let world = World()
            let device = world.device()
            let peer = try world.connected(device)
            let diary = Diary()
            _ = try subscribed(world, peer, diary)
            if byDevice {
                device.closeSessions()
            } else {
                world.sim.finish(
                    world.sim.start { () async throws(Never) -> Void in await peer.close() })
            }
            world.sim.run(for: .seconds(1))
            #expect(diary.losses == [.sessionEnded])
            #expect(world.leftovers() == .init())
        }
    }

    @Test("a later subscription takes the place of the earlier ones, or stands beside them")
    func several() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let (first, second, third) = (Diary(), Diary(), Diary())
        _ = try subscribed(world, peer, first)
        var keeping = Self.request
        keeping.keepSubscriptions = true
        _ = try subscribed(world, peer, second, keeping)
        device.reportAll()
        world.sim.run(for: .seconds(1))
        #expect(first.entries.count == 2 && second.entries.count == 2)
        _ = try subscribed(world, peer, third)
        #expect(first.losses == [.replaced] && second.losses == [.replaced])
        #expect(count(world) == 1 && device.subscriptions.count == 1)
    }

    @Test("what the device refuses is told, and leaves nothing")
    func refused() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        device.react = { $0 == .subscribe ? .status(.resourceExhausted) : .proceed }
        let diary = Diary()
        let flow = subscribe(world, peer, diary)
        world.sim.finish(flow)
        #expect(
            flow.error == .interaction(.status(.resourceExhausted, clusterStatus: nil)))
        device.react = { $0 == .statusResponse ? .mute : .proceed }
        let mute = subscribe(world, peer, diary)
        world.sim.finish(mute)
        #expect(mute.error == .exchange(.noAnswer))
        #expect(count(world) == 0 && diary.losses.isEmpty)
        device.react = { $0 == .statusResponse ? .closeSession : .proceed }
        let closed = subscribe(world, peer, diary)
        world.sim.finish(closed)
        #expect(closed.error == .exchange(.sessionEnded))
        #expect(count(world) == 0 && diary.losses.isEmpty)
        #expect(world.leftovers() == .init())
    }

    @Test("a subscription cancelled at any turn while it is made leaves nothing")
    func cancelled() throws {
        let request = SubscribeRequest {
            $0.maxIntervalCeilingSeconds = 900
            $0.attributeRequests = [AttributePath()]
        }
        for turn in 1... {
            let world = World()
            var settings = ScriptedDevice.Settings()
            settings.chunkOctets = 100
            let device = world.device(1, settings)
            let peer = try world.connected(device)
            let diary = Diary()
            let flow = subscribe(world, peer, diary, request)
            let start = world.sim.turns
            var isCancelled = false
            world.sim.onTurn = { turns in
                guard turns == start + turn, flow.result == nil else { return }
                isCancelled = true
                flow.cancel()
            }
            world.sim.finish(flow)
            guard isCancelled else {
                #expect(turn > 5)
                break
            }
            #expect(flow.error == .exchange(.cancelled), "turn \(turn)")
            #expect(count(world) == 0, "turn \(turn)")
            world.sim.run(for: .seconds(60))
            device.endSubscriptions()
            #expect(world.leftovers() == .init(sessions: 1), "turn \(turn)")
            #expect(diary.losses.isEmpty, "turn \(turn)")
        }
    }

    @Test("a report right behind the response finds its subscriber")
    func early() throws {
        let world = World()
        let device = world.device()
        let peer = try world.connected(device)
        let diary = Diary()
        let flow = subscribe(world, peer, diary)
        world.sim.onTurn = { _ in
            guard !device.subscriptions.isEmpty else { return }
            world.sim.onTurn = nil
            device.reportAll()
        }
        world.sim.finish(flow)
        world.sim.run(for: .seconds(1))
        #expect(diary.entries.count == 2)
        #expect(device.reportAnswers == [.success])
    }

    @Test("§8.4 events are read from a number on, and subscribed to")
    func events() throws {
        let world = World()
        let device = world.device()
        device.events = (1...5).map { (number: UInt64) in
            EventDataIB {
                $0.path.endpoint = .root
                $0.path.cluster = BasicInformation.id
                $0.path.event = EventID(0)
                $0.eventNumber = number
                $0.epochTimestamp = 1_000 * number
            }
        }
        let peer = try world.connected(device)
        let all = EventPath { $0.cluster = BasicInformation.id }
        let flow = world.sim.start { () async throws(PeerError) -> EventReports in
            try await peer.events([all], eventMin: 4)
        }
        world.sim.finish(flow)
        #expect(flow.value?.all.count == 2 && flow.value?.lastNumber == 5)
        let diary = Diary()
        let request = SubscribeRequest {
            $0.maxIntervalCeilingSeconds = 60
            $0.eventRequests = [all]
            $0.eventFilters = [EventFilterIB { $0.eventMin = 3 }]
        }
        let handle = try subscribed(world, peer, diary, request)
        #expect(handle.maxInterval == .seconds(60))
        #expect(diary.entries == ["event 3", "event 4", "event 5"])
    }
}

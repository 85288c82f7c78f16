internal import Base
internal import Crypto
internal import Matter
package import MatterNode

/// The agent: joins the button's window, the lamps, the scanned codes and commissioning.
///
/// Scope: who may add devices when, in which order, and what the board shows of it. Not scope:
/// words for people, lines of a maintainer, erasing after a confirmed reset.
package actor Agent {
    package nonisolated let loop: Loop
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private let gateway: Gateway
    private let board: any Board
    private let tell: @Sendable (AgentEvent) -> Void
    private var button: ButtonWindow
    private var lamps: [ShownLamp]
    private var queue = CodeQueue()
    private var timer: TimerID?
    /// Commissions what waits, while something does.
    private var worker: LoopTask?
    private var step: CommissioningStep?
    /// The device that is being added needs another network than it was given.
    private var wantsNetwork = false
    private var reading: LoopTask?
    /// Keeps the devices read; nil keeps none.
    package nonisolated let keeping: Keeping?
    /// Of whoever runs the agent.
    package nonisolated let log: AgentLog
    private let showsReadings: Bool
    private let startedAt: Instant
    private var isStopped = false
    var mqtt: MQTTService?

    /// To find the right label, or to type a password; other devices wait as long.
    private static let timeForOtherNetworks = Duration.seconds(120)

    private struct ShownLamp {
        let lamp: Lamp
        var pattern: LampPattern
        /// As the board was told last.
        var isOn: Bool?
    }

    /// - Parameters:
    ///   - keeping: begins and ends with the agent.
    ///   - showsReadings: whether every reading is told.
    ///   - tell: called on the loop.
    package init(
        gateway: Gateway, board: any Board,
        settings: ButtonWindow.Settings = ButtonWindow.Settings(), keeping: Keeping? = nil,
        showsReadings: Bool = false, log: AgentLog = AgentLog(),
        tell: @escaping @Sendable (AgentEvent) -> Void
    ) {
        loop = gateway.loop
        self.gateway = gateway
        self.board = board
        self.keeping = keeping
        self.showsReadings = showsReadings
        self.log = log
        self.tell = tell
        let now = gateway.loop.now
        startedAt = now
        button = ButtonWindow(settings, isPressed: board.isButtonPressed)
        lamps = Self.lamps(of: board, at: now)
    }

    private static func lamps(of board: any Board, at now: Instant) -> [ShownLamp] {
        var lamps =
            board.hasFaultLamp
            ? [
                ShownLamp(lamp: .work, pattern: LampPattern(.work, at: now)),
                ShownLamp(lamp: .fault, pattern: LampPattern(.faults, at: now)),
            ] : [ShownLamp(lamp: .work, pattern: LampPattern(at: now))]
        if board.hasBuzzer {
            lamps.append(ShownLamp(lamp: .buzzer, pattern: LampPattern(.sounds, at: now)))
        }
        return lamps
    }

    /// Begins to look at the board.
    package func start() async {
        board.onButton = { [weak self] isPressed, instant in
            self?.assumeIsolated { agent in
                agent.button.receive(isPressed: isPressed, at: instant)
                agent.pump()
            }
        }
        board.onPart = { [weak self] part in
            self?.assumeIsolated { agent in agent.found(part) }
        }
        await gateway.waitForOtherNetworks(Self.timeForOtherNetworks)
        await gateway.observeRuns { [weak self] event in
            self?.assumeIsolated { agent in agent.observe(event) }
        }
        if let keeping {
            await keeping.observe { [weak self] event in
                self?.assumeIsolated { agent in agent.take(event) }
            }
            await keeping.start()
        }
        pump()
    }

    /// Ends the run in progress and shows nothing any more. What a run undoes behind it is
    /// `Gateway.close`'s.
    package func stop() async {
        isStopped = true
        board.onButton = nil
        board.onPart = nil
        if let timer { loop.cancel(timer) }
        timer = nil
        _ = await cancel()
        reading?.cancel()
        await keeping?.stop()
        mqtt?.stop()
        await gateway.expectDevices(false)
        for lamp in lamps { board.show(lamp.lamp, isOn: false) }
    }

    /// New settings, which hold from the next opening of the window on.
    package func use(_ settings: ButtonWindow.Settings) { button.use(settings) }

    // MARK: A maintainer's commands

    /// - Parameter seconds: how long it stays open after the last accepted code; nil is the
    ///   setting.
    package func openWindow(seconds: Int?) {
        button.open(seconds: seconds, at: loop.now)
        pump()
    }

    /// - Returns: false when it is closed already.
    package func closeWindow() -> Bool {
        let wasOpen = button.isOpen
        button.close(at: loop.now)
        pump()
        return wasOpen
    }

    /// Ends the run in progress, whoever began it, and forgets what waits.
    /// - Returns: whether there was a run, and how many devices waited.
    package func cancel() async -> (hadRun: Bool, waiting: Int) {
        let waiting = queue.removeAll()
        worker?.cancel()
        return (await gateway.cancelRun(), waiting)
    }

    package var status: AgentStatus {
        var status = AgentStatus()
        status.presence = keeping?.assumeIsolated { $0.presence }
        status.alerts = keeping?.assumeIsolated { $0.raisedAlerts } ?? 0
        status.upTime = loop.now - startedAt
        status.windowLeft = button.openUntil.map { $0 - loop.now }
        status.waiting = queue.count
        status.step = step
        status.isResetArmed = button.isResetArmed
        status.isButtonFaulty = button.isFaulty
        status.ssid = gateway.assumeIsolated { $0.networks().wiFi?.ssid }
        status.mqtt = mqttStatus
        return status
    }

    // MARK: An installer's lines

    /// - Returns: false when it is no payload of any kind; nothing was done then.
    package func receive(_ event: SerialCodes.Event) -> Bool {
        defer { pump() }
        switch event {
        case .dropped(let fault):
            noteInput()
            refuse(.dropped(fault))
        case .line(let text):
            let line: InstallerLine
            do throws(InstallerLineError) { line = try InstallerLine(text.span) } catch {
                noteInput()
                refuse(button.isOpen ? .faulty(error) : .windowClosed)
                return true
            }
            if line == .other { return false }
            noteInput()
            take(line)
        }
        return true
    }

    /// The same of a source that may give payloads alone.
    package func receivePayload(_ event: SerialCodes.Event) {
        guard !receive(event) else { return }
        noteInput()
        refuse(.notAPayload)
        pump()
    }

    private func noteInput() {
        button.receiveOther(at: loop.now)
        for index in lamps.indices { lamps[index].pattern.receiveInput(at: loop.now) }
    }

    private func take(_ line: InstallerLine) {
        guard button.isOpen else { return refuse(.windowClosed) }
        switch line {
        case .devices(let payloads): take(payloads)
        case .room(let room):
            queue.label(room: room)
            tell(.room(room))
        case .name(let name):
            queue.label(name: name)
            tell(.name(name))
        case .wiFi(let network): keep(network)
        case .other: preconditionFailure("words are no payload")
        }
        button.extend(at: loop.now)
    }

    /// Before what is scanned next, so that it holds for that.
    private func keep(_ network: WiFiNetworkCredentials) {
        let failure = gateway.assumeIsolated { gateway -> StoreError? in
            do throws(StoreError) { try gateway.keep(network) } catch { return error }
            return nil
        }
        if let failure { return refuse(.notStored(failure)) }
        tell(.wiFi(ssid: network.ssid))
    }

    private func take(_ payloads: [SetupPayload]) {
        switch queue.add(payloads, by: ConsoleUser.current) {
        case .accepted(let new, let waiting):
            let hint = payloads.lazy.compactMap(\.hint).first
            tell(.accepted(devices: new, waiting: waiting, hint: hint))
            work()
        case .repeated: tell(.repeated)
        case .full: refuse(.queueFull)
        }
    }

    private func refuse(_ refusal: AgentEvent.Refusal) {
        tell(.refused(refusal))
        // A code that comes too early is no wrong code; the lamp shows that nothing is open.
        if refusal != .windowClosed { fail(.code) }
    }

    // MARK: Runs

    private func work() {
        guard worker == nil, !isStopped else { return }
        worker = loop.spawn { @Sendable [weak self] in await self?.commissionWaiting() }
    }

    private func commissionWaiting() async {
        while !Task.isCancelled, let entry = queue.next() {
            do throws(CancellationError) { try await gateway.untilNoRun() } catch {
                queue.runFailed(entry.payload)
                break
            }
            // This goes on for whoever began it; each code is its own user's.
            await ConsoleUser.$current.withValue(entry.user) { await commission(entry) }
        }
        worker = nil
        // What was scanned while a cancelled run ended.
        if queue.count > 0 { work() }
    }

    private func commission(_ entry: CodeQueue.Entry) async {
        var request = CommissioningRequest(payload: entry.payload)
        request.name = entry.name
        request.room = entry.room
        let start = loop.now
        do throws(CommissioningError) {
            let record = try await gateway.commission(
                request, progress: { _ in },
                warning: { [weak self] warning in
                    self?.assumeIsolated { agent in agent.take(warning) }
                },
                tookPlace: { [tell] in tell(.tookPlace(of: $0)) })
            tell(.commissioned(record, in: loop.now - start))
            read(record)
        } catch {
            queue.runFailed(entry.payload)
            tell(.failed(error, hint: entry.payload.hint))
        }
    }

    private func take(_ warning: CommissioningWarning) {
        tell(.warning(warning))
        guard case .otherNetworkWanted = warning else { return }
        wantsNetwork = true
        fail(.network)
        pump()
    }

    /// What a device measures shows that all of the way works.
    private func read(_ record: NodeRecord) {
        let paths = MainReadings.paths(of: record, on: nil)
        guard !paths.isEmpty, !isStopped else { return }
        reading = loop.spawn { @Sendable [gateway, tell] in
            // One that does not answer is commissioned all the same.
            guard let reports = try? await gateway.read(paths, of: record) else { return }
            tell(.readings(reports, of: record))
        }
    }

    private func take(_ event: KeepingEvent) {
        // What is known is that of the moment of the event.
        guard !isStopped, let keeping else { return }
        func state(_ nodeID: NodeID) -> NodeState? {
            keeping.assumeIsolated { $0.state(of: nodeID) }
        }
        switch event {
        case .reading(let reading, let nodeID):
            guard showsReadings, let state = state(nodeID) else { return }
            tell(.reading(reading, of: state))
        case .online(let nodeID), .offline(let nodeID), .left(let nodeID):
            guard let state = state(nodeID) else { return }
            tell(.link(state.link, of: state.node))
        case .nodes(let nodes): tell(.nodes(nodes))
        case .raised(let alert), .cleared(let alert):
            tell(.alert(alert))
            pump()
        }
    }

    private func observe(_ event: RunEvent) {
        switch event {
        case .step(let step):
            self.step = step
            wantsNetwork = false
            tell(.step(step))
        case .ended(let result):
            step = nil
            wantsNetwork = false
            switch result {
            case .success:
                for index in lamps.indices { lamps[index].pattern.succeed(at: loop.now) }
            case .failure(let error): if let code = LampPattern.FailureCode(error) { fail(code) }
            }
        }
        pump()
    }

    // MARK: The board

    private func fail(_ code: LampPattern.FailureCode) {
        for index in lamps.indices { lamps[index].pattern.fail(code, at: loop.now) }
    }

    /// A part of the board works now.
    private func found(_ part: BoardPart) {
        switch part {
        case .button: button.begin(isPressed: board.isButtonPressed)
        case .workLamp: for index in lamps.indices { lamps[index].isOn = nil }
        // From now on it is another one that shows what went wrong.
        case .faultLamp, .buzzer: lamps = Self.lamps(of: board, at: loop.now)
        }
        pump()
    }

    /// Tells what the button has come to, sets the lamps, and the timer anew.
    private func pump() {
        guard !isStopped else { return }
        while let event = button.nextEvent() { handle(event) }
        var conditions = LampPattern.Conditions()
        conditions.isResetArmed = button.isResetArmed
        conditions.work = (wantsNetwork ? nil : step).map {
            $0.rawValue <= CommissioningStep.discover.rawValue ? .searching : .commissioning
        }
        conditions.isFaulty = button.isFaulty
        conditions.isWindowOpen = button.isOpen
        conditions.isNodeOffline = keeping?.assumeIsolated { $0.isAnyAlertRaised } ?? false
        var deadline = button.nextDeadline
        for index in lamps.indices {
            lamps[index].pattern.show(conditions, at: loop.now)
            let isOn = lamps[index].pattern.isOn
            if lamps[index].isOn != isOn {
                lamps[index].isOn = isOn
                board.show(lamps[index].lamp, isOn: isOn)
            }
            if let next = lamps[index].pattern.nextDeadline {
                deadline = min(deadline ?? next, next)
            }
        }
        if let timer { loop.cancel(timer) }
        timer = deadline.map { deadline in
            loop.schedule(at: deadline) { [weak self] in
                self?.assumeIsolated { agent in agent.tick() }
            }
        }
    }

    private var isExpecting: Bool { button.isOpen && !isStopped }

    private func expectDevices() {
        loop.spawn { @Sendable [weak self] in
            guard let self else { return }
            await gateway.expectDevices(isExpecting)
        }
    }

    private func tick() {
        button.advance(to: loop.now)
        pump()
    }

    private func handle(_ event: ButtonWindow.Event) {
        switch event {
        case .pressed:
            for index in lamps.indices { lamps[index].pattern.receiveInput(at: loop.now) }
        case .opened(let until):
            expectDevices()
            tell(.windowOpened(seconds: Int((until - loop.now).milliseconds + 500) / 1000))
        case .closed(let closing):
            expectDevices()
            queue.forgetLabels()
            tell(.windowClosed(closing))
        case .resetArmed: tell(.resetArmed)
        case .resetCancelled: tell(.resetCancelled)
        case .resetConfirmed: tell(.resetConfirmed)
        case .fault(let fault): tell(.buttonFault(fault))
        case .faultEnded: tell(.buttonFaultEnded)
        }
    }
}

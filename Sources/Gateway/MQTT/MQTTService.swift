package import Base
package import Matter
package import MatterNode

/// Joins the broker with what it is told: the nodes as they are, the history, events, and the
/// commands that come from there.
///
/// It lives on the loop. Everything it is told is taken at once; nothing waits for the broker.
package final class MQTTService: @unchecked Sendable {
    /// What it needs of the process.
    package struct Surroundings: Sendable {
        /// Nil for what is no JSON.
        package var parse: @Sendable ([UInt8]) -> JSONValue?
        package var perform: @Sendable (ConsoleCommand) async -> Output
        /// Told what people are to know.
        package var show: @Sendable (Output, LogLevel) -> Void
        package var unixSeconds: @Sendable () -> Int64?

        package init(
            parse: @escaping @Sendable ([UInt8]) -> JSONValue?,
            perform: @escaping @Sendable (ConsoleCommand) async -> Output,
            show: @escaping @Sendable (Output, LogLevel) -> Void,
            unixSeconds: @escaping @Sendable () -> Int64?
        ) {
            self.parse = parse
            self.perform = perform
            self.show = show
            self.unixSeconds = unixSeconds
        }
    }

    private let loop: Loop
    private let broker: any Broker
    private let settings: BrokerSettings
    private let surroundings: Surroundings
    private var export: MQTTExport
    private var history: (any History)?
    private var timer: TimerID?
    private var isPumping = false
    private var isStarted = false
    private var isStopped = false
    /// Not carried out yet.
    private var commands: [ConsoleCommand] = []
    private var worker: LoopTask?
    private var complainedAt: Instant?

    /// - Parameters:
    ///   - name: the gateway's in topics, where the configuration has none.
    ///   - broker: made once, for the settings and as whom we are known.
    package init?(
        _ configuration: MQTTConfiguration, name: String, on loop: Loop, random: SharedRandom,
        surroundings: Surroundings,
        broker: (BrokerSettings, BrokerIdentity) -> any Broker
    ) {
        guard let settings = configuration.broker else { return nil }
        var exported = MQTTExport.Settings(name: configuration.name ?? name)
        exported.discovers = configuration.discovers
        exported.commands = configuration.commands
        self.loop = loop
        self.settings = settings
        self.surroundings = surroundings
        export = MQTTExport(
            exported, at: loop.now,
            random: { most in
                .nanoseconds(
                    Int64(random.drawUInt64() % UInt64(max(1, most.nanoseconds))))
            },
            date: { [loop] instant in
                surroundings.unixSeconds().map { now in
                    now - (loop.now - instant).milliseconds / 1000
                }
            })
        self.broker = broker(settings, export.identity)
    }

    // MARK: Life

    /// - Parameter history: what is forwarded of it begins where the broker has it up to.
    package func start(history: (any History)?) {
        isStarted = true
        self.history = history
        if let history {
            export.useHistory(last: history.lastSequence, forwarded: history.forwarded)
            if history.forwarded == nil { history.forwarded = history.lastSequence }
        }
        broker.onEvent = { [weak self] event in
            guard let self else { return }
            export.receive(event, at: loop.now)
            pump()
        }
        for file in broker.exposedFiles {
            surroundings.show(file.exposure.output, .warning)
        }
        pump()
    }

    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        if let timer { loop.cancel(timer) }
        worker?.cancel()
        broker.onEvent = nil
        if case .connected = export.connection { _ = broker.publish(export.farewell) }
        broker.disconnect(isOrderly: true)
    }

    var now: Instant { loop.now }

    // MARK: What is told

    /// All nodes, as they are now.
    package func use(_ states: [NodeState]) {
        export.use(states, at: loop.now)
        pump()
    }

    package func receive(_ reading: Reading, of node: NodeID) {
        export.receive(reading, of: node, at: loop.now)
        pump()
    }

    package func receive(_ link: NodeState.Link, of node: NodeID) {
        export.receive(link, of: node, at: loop.now)
        pump()
    }

    /// A limit that is passed, or not any more.
    package func receiveAlert(_ document: JSONValue) {
        export.note(export.topics.alert, document)
        pump()
    }

    /// What consoles are told.
    package func note(_ output: Output, _ level: LogLevel) {
        let time = surroundings.unixSeconds()
        for text in output.lines + output.notices {
            export.note(
                export.topics.event, MQTTPayloads.event(text, level: level, time: time))
        }
        pump()
    }

    package var status: MQTTStatus {
        let now = loop.now
        var failure: BrokerFailure?
        let connection: MQTTStatus.Connection
        switch export.connection {
        case .connected(let since): connection = .connected(for: now - since)
        case .connecting:
            connection = .connecting
            failure = export.lastFailure
        case .waiting(let until, let after):
            connection = .waiting(until - now)
            failure = after
        }
        return MQTTStatus(
            host: settings.host, port: settings.port, usesTLS: settings.usesTLS,
            exposesPassword: settings.passwordFile != nil && !settings.usesTLS,
            exposedFiles: broker.exposedFiles, connection: connection, failure: failure,
            waitingReadings: export.waitingReadings, commands: export.settings.commands,
            base: export.topics.base)
    }

    // MARK: Pumping

    private func pump() {
        guard isStarted, !isStopped, !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        let now = loop.now
        if let history { export.historyGrew(to: history.lastSequence, at: now) }
        export.advance(to: now)
        while let action = export.nextAction(at: now) { perform(action, at: now) }
        while let event = export.nextEvent() { handle(event) }
        if let timer { loop.cancel(timer) }
        timer = export.nextDeadline.map { deadline in
            loop.schedule(at: deadline) { [weak self] in self?.pump() }
        }
    }

    private func perform(_ action: MQTTExport.Action, at now: Instant) {
        switch action {
        case .connect: broker.connect()
        case .disconnect: broker.disconnect(isOrderly: false)
        case .subscribe(let filter): broker.subscribe(filter)
        case .unsubscribe(let filter): broker.unsubscribe(filter)
        case .publish(let message): export.published(as: broker.publish(message), at: now)
        case .fetch(let sequence, let limit):
            let rows: [HistoryRow]?
            do throws(HistoryError) {
                rows = try history?.readings(after: sequence, limit: limit)
            } catch { rows = nil }
            export.receiveHistory(rows, at: now)
        }
    }

    private func handle(_ event: MQTTExport.Event) {
        switch event {
        case .connected:
            show("connected to MQTT broker \(settings.host)", .info)
        case .failed(let failure):
            surroundings.show(Explanation(failure, at: settings.host).output, .warning)
        case .forwarded(let sequence): history?.forwarded = sequence
        case .setting(let node, let payload):
            guard let document = surroundings.parse(payload),
                let orders = try? MQTTCommand.setting(document, of: node)
            else { return complain() }
            take(orders)
        case .commissioning(let payload):
            guard let document = surroundings.parse(payload),
                let order = try? MQTTCommand.commissioning(document)
            else { return complain() }
            take([order])
        }
    }

    // MARK: Commands

    private func take(_ orders: [ConsoleCommand]) {
        guard commands.count + orders.count <= MQTTLimits.commands else { return complain() }
        commands += orders
        guard worker == nil else { return }
        worker = loop.spawn { @Sendable [weak self] in await self?.work() }
    }

    private func work() async {
        while !Task.isCancelled, !commands.isEmpty {
            let output = await surroundings.perform(commands.removeFirst())
            guard !isStopped else { return }
            let level = output.exitCode == .ok ? LogLevel.info : .warning
            surroundings.show(output, level)
            note(output, level)
        }
        worker = nil
    }

    /// Never with what was asked for; and not as often as somebody may ask.
    private func complain() {
        if let complainedAt, loop.now - complainedAt < MQTTLimits.complaints { return }
        complainedAt = loop.now
        show("a command over MQTT is not understood, or there are too many", .warning)
    }

    private func show(_ line: String, _ level: LogLevel) {
        surroundings.show(
            Output(lines: [line.escapingControls], document: .null), level)
    }
}

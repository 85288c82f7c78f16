internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// The device from the moment it gets power to the moment it loses it: where the machines meet
/// the links, the timers and the state. `settle` is the only place where they are drained.
///
/// All of it happens on the loop's thread.
final class DeviceRun: @unchecked Sendable {
    struct Ports {
        let loop: Loop
        let link: any DatagramLink
        let multicast: any MulticastLink
        let state: any DeviceState
        let random: SharedRandom
        let interfaces: [UInt32]
        let radio: (any PeripheralRadio)?
    }

    let settings: DeviceSettings
    let ports: Ports
    var layer: MessageLayer
    var root: RootNode
    var models: EndpointModels
    var server: InteractionServer
    var responder: MDNSResponder
    /// Those with keys.
    var sessions: [SessionHandle: NodeSession] = [:]
    /// Sessions that end once their last word has arrived.
    private var retiring: [SessionHandle] = []
    var handshakes: [ExchangeHandle: DeviceHandshake] = [:]
    /// What is announced while a window is open; a new number for each window.
    private var announcement: UInt64?
    private let tell: (DeviceNote) -> Void
    private var saved: [UInt8]?
    /// The commissioner who is connected over Bluetooth, by the number of the connection.
    var bluetooth: (link: PeripheralLink, number: UInt16)?
    var connections: UInt16 = 0
    /// What the radio was told.
    var advertised: CommissionableAdvertisement?
    private var timer: TimerID?
    private var buffer = [UInt8](repeating: 0, count: Limits.datagramOctets)
    private var multicastBuffer = [UInt8](repeating: 0, count: Limits.multicastOctets)

    init(
        _ settings: DeviceSettings, _ ports: Ports, models: EndpointModels,
        tell: @escaping (DeviceNote) -> Void
    ) {
        let now = ports.loop.now
        self.settings = settings
        self.ports = ports
        self.models = models
        self.tell = tell
        let random = ports.random
        layer = MessageLayer(jitterSeed: random.drawUInt64())
        saved = ports.state.load()
        root = RootNode(
            settings, saved: saved, parts: models.endpoints, random: random, at: now)
        var table = AttributeTable()
        root.declare(in: &table)
        root.publish(to: &table, at: now)
        models.declare(in: &table)
        server = InteractionServer(
            attributes: table, settings: settings.interaction, seed: random.drawUInt64(),
            nextEventNumber: root.stored.nextEventNumber)
        responder = MDNSResponder(interfaces: ports.interfaces, seed: random.drawUInt64())
    }

    func start() {
        ports.link.onReadable = { [weak self] in self?.pump() }
        ports.multicast.onReadable = { [weak self] in self?.pumpMulticast() }
        ports.radio?.onConnection = { [weak self] bearer in self?.connect(bearer) }
        record(
            BasicInformation.StartUp { $0.softwareVersion = RootNode.softwareVersion },
            BasicInformation.id, BasicInformation.StartUp.id, .critical)
        record(
            GeneralDiagnostics.BootReasonEvent { $0.bootReason = OpenEnum(.powerOnReboot) },
            GeneralDiagnostics.id, GeneralDiagnostics.BootReasonEvent.id, .critical)
        tell(.started)
        settle()
    }

    /// The power goes: nothing more is said or done.
    func stop() {
        if let timer { ports.loop.cancel(timer) }
        timer = nil
        ports.link.onReadable = nil
        ports.multicast.onReadable = nil
        stopBluetooth()
    }

    var now: Instant { ports.loop.now }

    /// How many keep an eye on the device.
    var subscriptionCount: Int { server.subscriptionCount }

    /// Changes something at the device itself.
    func change<Failure: Error>(_ body: (DeviceRun) throws(Failure) -> Void) throws(Failure) {
        defer { settle() }
        try body(self)
    }

    // MARK: Receiving

    private func pump() {
        for _ in 0..<Limits.datagramsPerTurn {
            var span = buffer.mutableSpan
            guard let source = ports.link.receive(into: &span) else { return }
            guard isOnNetwork else { continue }
            take(buffer.span.extracting(0..<source.count), from: .udp(source.sender))
        }
    }

    func take(_ message: Span<UInt8>, from address: PeerAddress) {
        do throws(MessageError) {
            let received = try layer.receive(message, from: address, at: now)
            if let received { take(received, [UInt8](layer.payload)) }
        } catch {
            // The layer has counted it, and has acknowledged a repetition.
        }
        settle()
    }

    private func pumpMulticast() {
        for _ in 0..<Limits.datagramsPerTurn {
            var span = multicastBuffer.mutableSpan
            guard let source = ports.multicast.receive(into: &span) else { return }
            guard isOnNetwork else { continue }
            // Others' broken messages are no concern of ours.
            try? responder.receive(
                multicastBuffer.span.extracting(0..<source.count), from: source.sender,
                on: source.interface, at: now)
            settle()
        }
    }

    private func take(_ received: MessageLayer.Received, _ payload: [UInt8]) {
        guard !retiring.contains(received.session) else { return layer.close(received.exchange) }
        if received.protocolID == .secureChannel { return takeSecureChannel(received, payload) }
        guard received.protocolID == .interactionModel, let session = sessions[received.session]
        else {
            return layer.close(received.exchange)
        }
        models.advance(to: now)
        publish()
        server.receive(
            InteractionOpcode(rawValue: received.opcode), payload.span, on: received.exchange,
            isNew: received.isNew, from: session.accessor(received.session), at: now)
    }

    private func takeSecureChannel(_ received: MessageLayer.Received, _ payload: [UInt8]) {
        let opcode = SecureChannelOpcode(rawValue: received.opcode)
        switch opcode {
        case .pbkdfParamRequest where received.isNew: beginPASE(received)
        case .sigma1 where received.isNew: beginCASE(received)
        case .statusReport where received.isNew:
            layer.close(received.exchange)
            let report = try? StatusReport(payload.span)
            if report?.secureChannelCode == .closeSession { forget(received.session) }
            return
        default: break
        }
        shakeHands(received, opcode, payload)
    }

    // MARK: Time

    private func tick() {
        timer = nil
        layer.advance(to: now)
        root.advance(to: now)
        models.advance(to: now)
        responder.advance(to: now)
        for (exchange, handshake) in handshakes where handshake.deadline <= now {
            end(exchange)
        }
        settle()
    }

    private var nextDeadline: Instant? {
        var deadlines = [
            layer.nextDeadline, root.nextDeadline, models.nextDeadline, server.nextDeadline,
            responder.nextDeadline,
        ].compactMap { $0 }
        deadlines += handshakes.values.map(\.deadline)
        return deadlines.min()
    }

    // MARK: Draining

    /// Carries on until no machine has anything more to say.
    func settle() {
        publish()
        server.advance(to: now)
        var isMore = true
        while isMore {
            isMore = false
            while let event = server.nextEvent() {
                isMore = true
                carryOut(event)
                flushServer()
            }
            while let effect = root.nextEffect() {
                isMore = true
                follow(effect)
            }
            while let (endpoint, note) = models.nextNote() { tell(.model(endpoint, note)) }
            while let (endpoint, event) = models.nextEvent() { record(event, endpoint) }
            publish()
            flushServer()
        }
        announce()
        flushLayer()
        endRetired()
        settleBluetooth()
        save()
        if let timer { ports.loop.cancel(timer) }
        timer = nextDeadline.map { deadline in
            ports.loop.schedule(at: max(deadline, now)) { [weak self] in self?.tick() }
        }
    }

    private func publish() {
        root.publish(to: &server.attributes, at: now)
        models.publish(to: &server.attributes)
        server.access.entries = root.stored.acl
    }

    private func carryOut(_ event: ServerEvent) {
        switch event {
        case .invoke(let invocation):
            guard invocation.endpoint == .root else {
                let command = ModelCommand(
                    cluster: invocation.cluster, command: invocation.command,
                    fields: invocation.fields)
                let answer = models.invoke(command, on: invocation.endpoint, at: now)
                return server.answer(invocation.id, answer, at: now)
            }
            guard let session = sessions[invocation.accessor.session] else {
                return server.answer(invocation.id, .status(.failure), at: now)
            }
            if let answer = root.invoke(invocation, session, at: now) {
                server.answer(invocation.id, answer, at: now)
            }
        case .write(let write):
            let status: InteractionStatus
            if write.path.endpoint == .root {
                status = root.write(
                    RootWrite(
                        path: write.path, accessor: write.accessor,
                        result: server.result(write)))
            } else {
                let change = ModelWrite(
                    cluster: write.path.cluster, attribute: write.path.attribute,
                    value: server.result(write))
                status = models.write(change, on: write.path.endpoint, at: now)
            }
            server.answer(write.id, status, at: now)
        }
    }

    private func follow(_ effect: RootEffect) {
        switch effect {
        case .note(let note): tell(note)
        case .joined(let session, let fabric): sessions[session]?.fabricIndex = fabric
        case .removed(let fabric):
            server.removed(fabric: fabric)
            for (handle, session) in sessions where session.fabricIndex == fabric {
                retiring.append(handle)
            }
        case .leavesBluetooth: bluetooth?.link.close()
        case .endPASE:
            for (handle, session) in sessions where session.peer == nil {
                retiring.append(handle)
            }
            for (exchange, handshake) in handshakes where handshake.isPASE { end(exchange) }
        case .answer(let invocation, let answer): server.answer(invocation, answer, at: now)
        case .event(.leave(let fabric)):
            record(
                BasicInformation.Leave { $0.fabricIndex = fabric }, BasicInformation.id,
                BasicInformation.Leave.id, .info)
        case .event(.accessControlEntryChanged(let change)):
            record(
                change, AccessControl.id, AccessControlEntryChanged.id, .info,
                fabric: change.fabricIndex)
        }
    }

    private func flushServer() {
        while let transmit = server.nextTransmit() {
            switch transmit {
            case .say(let message, let exchange, let isLast):
                if !send(message, on: exchange) {
                    server.lost(exchange)
                    layer.abandon(exchange)
                } else if isLast {
                    layer.close(exchange)
                }
            case .ask(let message, let session, let id):
                let random = ports.random.drawUInt16()
                guard !retiring.contains(session),
                    let exchange = try? layer.openExchange(on: session, random: random)
                else {
                    server.failed(id)
                    continue
                }
                if send(message, on: exchange) {
                    server.opened(id, on: exchange, at: now)
                } else {
                    layer.abandon(exchange)
                    server.failed(id)
                }
            case .close(let exchange): layer.close(exchange)
            }
        }
    }

    private func send(_ message: InteractionMessage, on exchange: ExchangeHandle) -> Bool {
        do throws(MessageError) {
            try layer.send(
                on: exchange, .interactionModel, opcode: message.opcode.rawValue,
                message.payload.span, at: now)
            return true
        } catch { return false }
    }

    private func flushLayer() {
        let link = ports.link
        var isMore = true
        while isMore {
            isMore = layer.nextTransmit { [self] bytes, address in
                switch address {
                case .udp(let peer): if isOnNetwork { link.send(bytes, to: peer) }
                case .btp(let number):
                    // A link that takes no more has a commissioner who does not listen.
                    if bluetooth?.number == number { _ = bluetooth?.link.send(bytes) }
                }
            }
        }
        while let event = layer.nextEvent() {
            switch event {
            case .lost(let exchange):
                server.lost(exchange)
                end(exchange)
            }
        }
    }

    // MARK: Sessions

    /// Forgets the exchange once what was said last has arrived.
    func end(_ exchange: ExchangeHandle) {
        if let handshake = handshakes.removeValue(forKey: exchange) {
            layer.removeSession(handshake.reserved.handle)
            if handshake.isPASE { root.window.failed() }
        }
        layer.close(exchange)
    }

    private func endRetired() {
        guard !retiring.isEmpty else { return }
        let over = retiring.filter { !layer.hasExchange(in: $0) }
        retiring.removeAll { over.contains($0) }
        for session in over { forget(session) }
    }

    func forget(_ session: SessionHandle) {
        server.ended(session)
        sessions[session] = nil
        layer.removeSession(session)
    }

    /// The layer ends old sessions by itself when it needs their room.
    func forgetEvicted() {
        for session in sessions.keys where !layer.isOpen(session) { forget(session) }
    }

    // MARK: State and services

    private func save() {
        if server.nextEventNumber + Limits.eventNumbers / 2 > root.stored.nextEventNumber {
            root.stored.nextEventNumber = server.nextEventNumber + Limits.eventNumbers
        }
        let bytes = root.toSave
        guard bytes != saved else { return }
        saved = bytes
        ports.state.save(bytes)
    }

    /// Brings the services that are announced up to the window and the fabrics.
    private func announce() {
        guard isOnNetwork else { return withdrawAll() }
        var wanted: [MDNSService] = root.fabrics.fabrics.map { fabric in
            .operational(
                fabric.operationalName, host: root.host, port: settings.port,
                sessionParameters: SessionParameters())
        }
        if let opening = root.window.opening {
            let instance = announcement ?? ports.random.drawUInt64()
            announcement = instance
            wanted.append(
                .commissionable(
                    instance: instance, host: root.host, port: settings.port,
                    root.announcement(opening)))
        } else {
            announcement = nil
        }
        for service in responder.published where !wanted.contains(service) {
            let isRenewed = wanted.contains {
                $0.kind == service.kind && $0.instance == service.instance
            }
            if !isRenewed { responder.withdraw(service.instance, service.kind, at: now) }
            flushResponder()
        }
        let published = responder.published
        for service in wanted where !published.contains(service) {
            responder.publish(service, at: now)
            flushResponder()
        }
        flushResponder()
    }

    func flushResponder() {
        while let response = responder.nextTransmit() {
            guard isOnNetwork else { continue }
            switch response.destination {
            case .group(let interface):
                ports.multicast.sendToGroup(response.payload.span, on: interface)
            case .asker(let asker): ports.multicast.send(response.payload.span, to: asker)
            }
        }
    }

    // MARK: Events

    private func record(
        _ event: some TLVStructure, _ cluster: ClusterID, _ id: EventID,
        _ priority: EventPriority, on endpoint: EndpointID = .root, fabric: FabricIndex? = nil
    ) {
        let timestamp: EventTimestamp =
            root.clock.posixMilliseconds(at: now).map { .epoch($0) }
            ?? .system(UInt64(max(0, (now - root.started).milliseconds)))
        server.record(
            event, cluster: cluster, id: id, priority: priority, on: endpoint,
            fabricIndex: fabric, at: timestamp)
    }

    private func record(_ event: ModelEvent, _ endpoint: EndpointID) {
        switch event {
        case .stateChange(let change):
            record(change, event.cluster, ModelEvent.id, .info, on: endpoint)
        case .occupancyChanged(let change):
            record(change, event.cluster, ModelEvent.id, .info, on: endpoint)
        case .energyMeasured(let measured):
            record(measured, event.cluster, ModelEvent.id, .info, on: endpoint)
        }
    }
}

extension NodeSession {
    func accessor(_ handle: SessionHandle) -> Accessor {
        Accessor(
            subject: peer.map { .node($0.nodeID, cats: $0.cats) } ?? .pase,
            fabricIndex: fabricIndex, session: handle)
    }
}

internal import Base
internal import Crypto
internal import Matter

/// A handshake that somebody began with the device.
struct DeviceHandshake {
    enum Machine {
        case pase(PASEResponder)
        case `case`(CASEResponder)
    }

    var machine: Machine
    let reserved: MessageLayer.ReservedSession
    /// When it has failed, should the peer fall silent.
    let deadline: Instant

    var isPASE: Bool { if case .pase = machine { true } else { false } }
}

/// Core §4.14: sessions by passcode while a window is open, and by certificate.
extension DeviceRun {
    func beginPASE(_ received: MessageLayer.Received) {
        if root.failSafe != nil { return refuse(received.exchange, busy: Limits.handshake) }
        switch root.window.begin(at: now) {
        case .closed: layer.close(received.exchange)
        case .busy(let wait): refuse(received.exchange, busy: wait)
        case .admitted(let passcode):
            let isBegun = begin(received.exchange) { id in
                .pase(
                    PASEResponder(
                        verifier: passcode.verifier, iterations: passcode.iterations,
                        salt: passcode.salt, sessionID: id, parameters: SessionParameters()))
            }
            if !isBegun { root.window.succeeded() }
        }
    }

    func beginCASE(_ received: MessageLayer.Received) {
        begin(received.exchange) { id in
            .case(
                CASEResponder(
                    credentials: root.fabrics.fabrics.map(\.credentials), sessionID: id,
                    parameters: SessionParameters(),
                    resumptions: root.stored.resumptions.compactMap(\.resumption),
                    at: root.clock.certificateTime(at: now)))
        }
    }

    /// - Returns: false when there is no room; the peer is told to come again.
    @discardableResult
    private func begin(
        _ exchange: ExchangeHandle, _ make: (SessionID) -> DeviceHandshake.Machine
    ) -> Bool {
        guard handshakes.count < Limits.handshakes,
            let reserved = try? layer.reserveSession(random: ports.random.drawUInt16())
        else {
            refuse(exchange, busy: .seconds(5))
            return false
        }
        forgetEvicted()
        handshakes[exchange] = DeviceHandshake(
            machine: make(reserved.id), reserved: reserved, deadline: now + Limits.handshake)
        return true
    }

    private func refuse(_ exchange: ExchangeHandle, busy wait: Duration) {
        say(HandshakeMessage(StatusReport.busy(wait: wait)), on: exchange)
        layer.close(exchange)
    }

    func shakeHands(
        _ received: MessageLayer.Received, _ opcode: SecureChannelOpcode, _ payload: [UInt8]
    ) {
        let exchange = received.exchange
        guard var handshake = handshakes[exchange] else { return layer.close(exchange) }
        var random = ports.random
        let step: HandshakeStep
        switch handshake.machine {
        case .pase(var responder):
            do throws(PASEError) {
                step = try responder.receive(opcode, payload.span, using: &random)
            } catch {
                // An initiator that finds out first says so instead of Pake3.
                let hint = PASEError.statusReport(StatusReport(.failure, .invalidParameter))
                if error == .wrongPasscode || error == hint { root.add(.note(.wrongPasscode)) }
                return fail(exchange, error.reply)
            }
            handshake.machine = .pase(responder)
        case .case(var responder):
            do throws(CASEError) {
                step = try responder.receive(opcode, payload.span, using: &random)
            } catch { return fail(exchange, error.reply) }
            handshake.machine = .case(responder)
        }
        switch step {
        case .send(let answer):
            handshakes[exchange] = handshake
            say(answer, on: exchange)
        case .established(let secrets):
            establish(handshake, secrets, received)
            layer.close(exchange)
        case .sendAndEstablish(let answer, let secrets):
            establish(handshake, secrets, received)
            say(answer, on: exchange)
            layer.close(exchange)
        }
    }

    private func fail(_ exchange: ExchangeHandle, _ reply: StatusReport?) {
        if let reply { say(HandshakeMessage(reply), on: exchange) }
        end(exchange)
    }

    private func establish(
        _ handshake: DeviceHandshake, _ secrets: SessionSecrets,
        _ received: MessageLayer.Received
    ) {
        handshakes[received.exchange] = nil
        guard let address = layer.address(of: received.session) else {
            return layer.removeSession(handshake.reserved.handle)
        }
        layer.establish(
            handshake.reserved, secrets, isInitiator: false,
            local: root.fabrics[secrets.fabricIndex]?.nodeID ?? .unspecified,
            peer: secrets.peer?.nodeID ?? .unspecified, address: address,
            counterRandom: ports.random.drawUInt32(), at: now)
        sessions[handshake.reserved.handle] = NodeSession(
            attestationChallenge: secrets.attestationChallenge, peer: secrets.peer,
            fabricIndex: secrets.fabricIndex)
        if let resumption = secrets.resumption { root.keep(resumption) }
        if handshake.isPASE { root.paired(at: now) }
    }

    private func say(_ message: HandshakeMessage, on exchange: ExchangeHandle) {
        // A session that has ended meanwhile has nobody to say it to.
        try? layer.send(
            on: exchange, .secureChannel, opcode: message.opcode.rawValue, message.payload.span,
            at: now)
    }
}

extension RootNode {
    /// One for each peer, the newest for each fabric. Core §4.14.2.2.1.
    mutating func keep(_ resumption: SessionResumption) {
        let fabric = resumption.fabricIndex
        stored.resumptions.removeAll {
            $0.fabricIndex == fabric && $0.peerNodeID == resumption.peer.nodeID
        }
        stored.resumptions.append(StoredResumption(resumption))
        while stored.resumptions.count(where: { $0.fabricIndex == fabric }) > Limits.resumptions,
            let oldest = stored.resumptions.firstIndex(where: { $0.fabricIndex == fabric })
        {
            stored.resumptions.remove(at: oldest)
        }
    }

    /// Twelve hexadecimal digits, as if they were a link-layer address. Core §4.3.1.1.
    var host: String { String(stored.uniqueID.prefix(12)) }

    /// Core §4.3.1.
    func announcement(_ opening: CommissioningWindow.Opening) -> CommissionableText {
        var text = CommissionableText(
            discriminator: opening.discriminator, commissioningMode: opening.isEnhanced ? 2 : 1)
        text.vendorID = settings.vendorID
        text.productID = settings.productID
        text.deviceType = settings.announcedType?.rawValue
        text.deviceName = settings.productName
        // Core §5.4.2.5.4, bit 0: power cycle.
        text.pairingHint = 1
        text.sessionParameters = SessionParameters()
        return text
    }
}

package import Base
internal import Crypto

/// How sessions come and go.
extension MessageLayer {
    /// A session without keys, for a handshake that we begin.
    /// - Parameters:
    ///   - ephemeral: our random id for this handshake (Core §4.13.2.1).
    ///   - counterRandom: where the counter starts.
    package mutating func openUnsecured(
        to address: PeerAddress, ephemeral: NodeID, parameters: SessionParameters,
        counterRandom: UInt32
    ) throws(MessageError) -> SessionHandle {
        makeRoom()
        let handle = try addUnsecured(
            initiator: ephemeral, isInitiator: true, address: address,
            counterRandom: counterRandom)
        sessions.update(slot: handle.slot) { $0.parameters = parameters }
        return handle
    }

    mutating func addUnsecured(
        initiator: NodeID, isInitiator: Bool, address: PeerAddress, counterRandom: UInt32
    ) throws(MessageError) -> SessionHandle {
        guard let slot = sessions.freeSlot() ?? evictUnsecured() else { throw .noRoom }
        let handle = sessions.nextHandle(slot: slot)
        sessions.insert(
            Session(
                handle: handle, localID: .unsecured, peerID: .unsecured,
                security: .unsecured(initiator: initiator, isInitiator: isInitiator),
                address: address, parameters: SessionParameters(),
                counter: MessageCounter(random: counterRandom)))
        return handle
    }

    /// Makes room by ending the unsecured session of a peer that was silent the longest.
    private mutating func evictUnsecured() -> Int? {
        var oldest: Session?
        sessions.all { session in
            guard case .unsecured(_, false) = session.security else { return }
            let age = session.lastReceived?.nanoseconds ?? .min
            if age < oldest?.lastReceived?.nanoseconds ?? .max { oldest = session }
        }
        guard let oldest else { return nil }
        removeSession(oldest.handle)
        return oldest.handle.slot
    }

    /// Makes room for a session of our own choice, where none is left. A stranger's opening never
    /// ends a session with keys.
    private mutating func makeRoom() {
        if sessions.freeSlot() == nil, evictUnsecured() == nil { evictSecured() }
    }

    /// Ends, with a word to its peer, a session with keys in which no exchange is open: the
    /// oldest of those whose peer has a newer one, else the one that was silent the longest.
    private mutating func evictSecured() {
        var oldest: (session: Session, isSuperseded: Bool)?
        sessions.all { session in
            guard case .secured = session.security, !exchanges.contains(session: session.handle)
            else { return }
            let isSuperseded = hasNewer(than: session)
            if let found = oldest {
                if found.isSuperseded, !isSuperseded { return }
                let isOlder = session.lastUse < found.session.lastUse
                guard isOlder || isSuperseded && !found.isSuperseded else { return }
            }
            oldest = (session, isSuperseded)
        }
        guard let session = oldest?.session else { return }
        let header = ProtocolHeader(
            exchangeID: ExchangeID(UInt16(truncatingIfNeeded: jitter.next())),
            protocolID: .secureChannel, opcode: SecureChannelOpcode.statusReport.rawValue,
            isFromInitiator: true)
        let report = StatusReport.closeSession.encode()
        // A peer that does not hear it finds out when it uses the session.
        _ = try? transmit(header, report.span, session: session.handle, keeper: nil)
        removeSession(session.handle)
    }

    private func hasNewer(than session: Session) -> Bool {
        // After PASE nobody's node id is known.
        guard case .secured(_, _, let local, let peer) = session.security, peer != .unspecified
        else { return false }
        return sessions.firstSlot { other in
            guard case .secured(_, _, local, peer) = other.security else { return false }
            return other.handle.generation > session.handle.generation
        } != nil
    }

    /// A place for the session that a handshake is about to make; its id goes into the handshake.
    /// - Parameter random: makes the id hard to guess.
    /// - Throws: `noRoom`.
    package mutating func reserveSession(random: UInt16) throws(MessageError) -> ReservedSession {
        makeRoom()
        guard let slot = sessions.freeSlot() else { throw .noRoom }
        let handle = sessions.nextHandle(slot: slot)
        let id = SessionTable.id(slot: slot, random: random)
        sessions.insert(
            Session(
                handle: handle, localID: .unsecured, peerID: .unsecured,
                security: .reserved, address: .btp(0),
                parameters: SessionParameters(), counter: MessageCounter(random: 0)))
        return ReservedSession(handle: handle, id: id)
    }

    package struct ReservedSession: Hashable, Sendable {
        package let handle: SessionHandle
        package let id: SessionID
    }

    /// Puts the keys of a finished handshake into the place reserved for them.
    /// - Parameters:
    ///   - local: our operational node id, unspecified after PASE; likewise `peer`.
    ///   - isInitiator: whether we began the handshake.
    package mutating func establish(
        _ reserved: ReservedSession, _ secrets: SessionSecrets, isInitiator: Bool,
        local: NodeID, peer: NodeID, address: PeerAddress, counterRandom: UInt32, at now: Instant
    ) {
        precondition(sessions[reserved.handle] != nil, "the place was given back")
        let outgoing = isInitiator ? secrets.initiatorToResponder : secrets.responderToInitiator
        let incoming = isInitiator ? secrets.responderToInitiator : secrets.initiatorToResponder
        var session = Session(
            handle: reserved.handle, localID: reserved.id,
            peerID: secrets.peerSessionID,
            security: .secured(
                sealing: AESCCM(key: outgoing.span), opening: AESCCM(key: incoming.span),
                local: local, peer: peer),
            address: address, parameters: secrets.peerParameters,
            counter: MessageCounter(random: counterRandom))
        session.lastReceived = now
        sessions.insert(session)
    }

    /// Ends a session and every exchange in it, without a word to the peer.
    package mutating func removeSession(_ session: SessionHandle) {
        for handle in exchanges.handles where exchanges[handle]?.session == session {
            exchanges.remove(handle)
        }
        sessions.remove(session)
    }

    /// Whether an exchange in the session is open, or still waits for an acknowledgement.
    package func hasExchange(in session: SessionHandle) -> Bool {
        exchanges.contains(session: session)
    }

    package func isOpen(_ session: SessionHandle) -> Bool { sessions[session] != nil }

    /// Whether its messages prove who sent them.
    package func isSecured(_ session: SessionHandle) -> Bool {
        if case .secured? = sessions[session]?.security { true } else { false }
    }

    /// Whether anything, an acknowledgement too, came from there in a handshake that we began.
    package func hasHeard(from address: PeerAddress) -> Bool {
        sessions.firstSlot { session in
            guard case .unsecured(_, true) = session.security else { return false }
            return session.address == address && session.lastReceived != nil
        } != nil
    }

    package func address(of session: SessionHandle) -> PeerAddress? { sessions[session]?.address }

    /// Those whose peer was last heard from there.
    package func sessions(at address: PeerAddress) -> [SessionHandle] {
        var found: [SessionHandle] = []
        sessions.all { session in if session.address == address { found.append(session.handle) } }
        return found
    }

    package func parameters(of session: SessionHandle) -> SessionParameters? {
        sessions[session]?.parameters
    }

    package func session(of exchange: ExchangeHandle) -> SessionHandle? {
        exchanges[exchange]?.session
    }

    package var sessionCount: Int { sessions.count }
    package var exchangeCount: Int { exchanges.handles.count }

    /// How long the peer may take until all transmissions of its answer count as lost:
    /// ours to it, its to us, and what it needs to think. Core §4.12.8.
    package func responseTime(
        of session: SessionHandle, processing: Duration
    ) -> Duration {
        guard let parameters = sessions[session]?.parameters else { return processing }
        let interval = max(parameters.idleInterval, parameters.activeInterval)
        return MRP.longest(interval: interval) + MRP.longest(interval: parameters.activeInterval)
            + processing
    }
}

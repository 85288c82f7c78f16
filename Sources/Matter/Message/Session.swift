package import Base
internal import Crypto

/// Where a peer is reached and by what means.
package enum PeerAddress: Hashable, Sendable {
    case udp(SocketAddress)
    /// A Bluetooth connection; the number is the owner's.
    case btp(UInt16)

    /// Whether the transport loses nothing, so that MRP stays out of it. Core §4.12.1.
    var isReliable: Bool { if case .btp = self { true } else { false } }
}

/// Names a session of this message layer; one that has ended is never named again.
package struct SessionHandle: Hashable, Sendable {
    let slot: Int
    let generation: UInt32
}

/// What two nodes share while they talk: keys, counters, times and an address.
struct Session {
    let handle: SessionHandle
    /// Ours, in the messages that we receive.
    let localID: SessionID
    /// The peer's, in the messages that we send.
    let peerID: SessionID
    let security: Security
    var address: PeerAddress
    var parameters: SessionParameters
    var counter: MessageCounter
    var window = CounterWindow()
    /// When something authentic last came.
    var lastReceived: Instant?

    enum Security {
        /// Holds the slot for a handshake that is still going on.
        case reserved
        /// Before keys. The initiator chose an ephemeral id for itself (Core §4.13.2.1).
        case unsecured(initiator: NodeID, isInitiator: Bool)
        /// Node ids as they stand in nonces; both unspecified in PASE.
        case secured(sealing: AESCCM, opening: AESCCM, local: NodeID, peer: NodeID)
    }

    /// For the order in which sessions make room.
    var lastUse: Instant { lastReceived ?? Instant(nanoseconds: .min) }

    /// The interval of the peer's radio as of now. Core §4.12.3.
    func interval(at now: Instant) -> Duration {
        guard let lastReceived, now - lastReceived < parameters.activeThreshold else {
            return parameters.idleInterval
        }
        return parameters.activeInterval
    }
}

/// Sessions by slot. A session's id carries its slot, so that finding it is one look.
struct SessionTable {
    private var slots: [Session?] = []
    private var generation: UInt32 = 0

    var count: Int { slots.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }

    /// The slot for the next session, or nil when all are taken.
    mutating func freeSlot() -> Int? {
        if let slot = slots.firstIndex(where: { $0 == nil }) { return slot }
        guard slots.count < Limits.sessions else { return nil }
        slots.append(nil)
        return slots.count - 1
    }

    /// An id that names `slot`: the rest of it is random, and it is never 0.
    static func id(slot: Int, random: UInt16) -> SessionID {
        let high = max(1, random / UInt16(Limits.sessions))
        return SessionID(high * UInt16(Limits.sessions) + UInt16(slot))
    }

    mutating func nextHandle(slot: Int) -> SessionHandle {
        generation &+= 1
        return SessionHandle(slot: slot, generation: generation)
    }

    mutating func insert(_ session: Session) {
        slots[session.handle.slot] = session
    }

    mutating func remove(_ handle: SessionHandle) {
        guard self[handle] != nil else { return }
        slots[handle.slot] = nil
    }

    subscript(handle: SessionHandle) -> Session? {
        guard handle.slot < slots.count, let session = slots[handle.slot],
            session.handle == handle
        else { return nil }
        return session
    }

    /// The secured session of that id.
    func secured(_ id: SessionID) -> Int? {
        let slot = Int(id.rawValue) % Limits.sessions
        guard slot < slots.count, let session = slots[slot], session.localID == id else {
            return nil
        }
        return slot
    }

    func firstSlot(where matches: (Session) -> Bool) -> Int? {
        slots.firstIndex { $0.map(matches) ?? false }
    }

    /// Changes the session in a slot that is taken.
    mutating func update<Result>(slot: Int, _ change: (inout Session) -> Result) -> Result {
        guard var session = slots[slot] else {
            preconditionFailure("a slot is looked up before it is changed")
        }
        slots[slot] = nil
        defer { slots[slot] = session }
        return change(&session)
    }

    func session(inSlot slot: Int) -> Session? { slots[slot] }

    func all(_ visit: (Session) -> Void) {
        for case let session? in slots { visit(session) }
    }
}

internal import Base

/// Names an exchange of this message layer; one that has ended is never named again.
package struct ExchangeHandle: Hashable, Sendable {
    let slot: Int
    let generation: UInt32
}

/// One conversation inside a session: a question and its answers. Core §4.10.
struct Exchange {
    let handle: ExchangeHandle
    let session: SessionHandle
    let id: ExchangeID
    /// Whether we opened it.
    let isInitiator: Bool
    /// Our message that the peer has not acknowledged yet; at most one. §4.12.5.2.
    var outstanding: Outstanding?
    /// The peer's message that we have not acknowledged yet. §4.12.5.2.2.
    var owed: OwedAcknowledgement?
    /// Its owner is done with it; it lives on until nothing is outstanding.
    var isClosing = false

    struct Outstanding {
        let counter: UInt32
        /// Those made so far.
        var retransmissions: Int
        var deadline: Instant
    }

    struct OwedAcknowledgement {
        let counter: UInt32
        let deadline: Instant
    }
}

/// Exchanges by slot, and beside each the datagram that may have to be sent again.
struct ExchangeTable {
    private var slots: [Exchange?] = []
    /// Kept apart from the exchanges so that their buffers outlive them and are used again.
    private var datagrams: [[UInt8]] = []
    private var generation: UInt32 = 0

    mutating func insert(
        session: SessionHandle, id: ExchangeID, isInitiator: Bool
    ) -> ExchangeHandle? {
        let slot: Int
        if let free = slots.firstIndex(where: { $0 == nil }) {
            slot = free
        } else {
            guard slots.count < Limits.exchanges else { return nil }
            slot = slots.count
            slots.append(nil)
            datagrams.append([])
        }
        generation &+= 1
        let handle = ExchangeHandle(slot: slot, generation: generation)
        slots[slot] = Exchange(
            handle: handle, session: session, id: id, isInitiator: isInitiator)
        return handle
    }

    mutating func remove(_ handle: ExchangeHandle) {
        guard self[handle] != nil else { return }
        slots[handle.slot] = nil
    }

    subscript(handle: ExchangeHandle) -> Exchange? {
        get {
            guard handle.slot < slots.count, let exchange = slots[handle.slot],
                exchange.handle == handle
            else { return nil }
            return exchange
        }
        set {
            precondition(self[handle] != nil, "only an open exchange is changed")
            slots[handle.slot] = newValue
        }
    }

    func find(session: SessionHandle, id: ExchangeID, isInitiator: Bool) -> ExchangeHandle? {
        for case let exchange? in slots
        where exchange.id == id && exchange.isInitiator == isInitiator
            && exchange.session == session
        {
            return exchange.handle
        }
        return nil
    }

    mutating func keep(_ datagram: Span<UInt8>, for handle: ExchangeHandle) {
        datagrams[handle.slot].removeAll(keepingCapacity: true)
        datagrams[handle.slot].append(contentsOf: datagram)
    }

    func datagram(of handle: ExchangeHandle) -> [UInt8] { datagrams[handle.slot] }

    var handles: [ExchangeHandle] { slots.compactMap { $0?.handle } }

    /// The earliest moment at which an exchange wants attention.
    var nextDeadline: Instant? {
        var earliest: Instant?
        for case let exchange? in slots {
            if let deadline = exchange.outstanding?.deadline {
                earliest = min(earliest ?? deadline, deadline)
            }
            if let deadline = exchange.owed?.deadline {
                earliest = min(earliest ?? deadline, deadline)
            }
        }
        return earliest
    }

    /// The first exchange that wants attention at `now`.
    func due(at now: Instant) -> ExchangeHandle? {
        for case let exchange? in slots {
            if let deadline = exchange.outstanding?.deadline, deadline <= now {
                return exchange.handle
            }
            if let deadline = exchange.owed?.deadline, deadline <= now {
                return exchange.handle
            }
        }
        return nil
    }

    func contains(session: SessionHandle) -> Bool {
        slots.contains { $0?.session == session }
    }
}

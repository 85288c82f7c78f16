package import Base

/// A device's end of an ATT bearer: one service with C1, C2 and perhaps C3.
///
/// Scope: what a commissioner looks for. Not scope: the GAP and GATT services that a whole
/// Bluetooth device has, prepared writes, notifications.
package struct GATTServer {
    package enum Event: Equatable, Sendable {
        /// `value` is what was written to C1, until the next octets are received.
        case written
        case subscribed
        case unsubscribed
        /// What was indicated is confirmed; the next may follow.
        case confirmed
        /// No confirmation for 30 s: the connection is to be closed.
        case timeout
    }

    package private(set) var attMTU = Limits.attMTUMinimum
    package private(set) var isSubscribed = false
    /// Whether C2 may be indicated now.
    package var canIndicate: Bool { isSubscribed && confirmationEnd == nil && !isClosed }

    private let table: GATTTable
    private let attMTULimit: Int
    private var response = [UInt8](repeating: 0, count: Limits.attMTU)
    private var responseCount = 0
    private var indication = [UInt8](repeating: 0, count: Limits.attMTU)
    private var indicationCount = 0
    private var confirmationEnd: Instant?
    private var storage = [UInt8](repeating: 0, count: Limits.attMTU)
    private var valueCount = 0
    private var isClosed = false
    private var event: Event?

    /// - Parameters:
    ///   - additionalData: what C3 holds, at most `Limits.attributeBytes`; nil for no C3.
    ///   - attMTU: what it agrees to at most, within `Limits.attMTUMinimum` and `Limits.attMTU`.
    package init(additionalData: [UInt8]? = nil, attMTU: Int = Limits.attMTU) {
        precondition(
            (Limits.attMTUMinimum...Limits.attMTU).contains(attMTU), "a packet fits the buffers")
        precondition(
            (additionalData?.count ?? 0) <= Limits.attributeBytes, "a value has 512 octets")
        attMTULimit = attMTU
        table = GATTTable(additionalData: additionalData)
    }

    /// What was last written to C1.
    package var value: Span<UInt8> {
        @_lifetime(borrow self)
        get { storage.span.extracting(0..<valueCount) }
    }

    package var nextDeadline: Instant? { isClosed ? nil : confirmationEnd }

    /// Indicates C2.
    /// - Parameter value: at most `attMTU` - 3 octets.
    package mutating func indicate(_ value: Span<UInt8>, at now: Instant) {
        precondition(canIndicate, "one indication at a time, to a client that subscribed")
        precondition(value.count <= attMTU - 3, "a value is indicated in one packet")
        var writer = ByteWriter(indication.mutableSpan)
        do throws(ByteError) {
            try writer.uint8(ATTOpcode.indication)
            try writer.uint16(GATTTable.c2)
            try writer.bytes(value)
        } catch { preconditionFailure("an indication fits the ATT_MTU") }
        indicationCount = writer.count
        confirmationEnd = now + Limits.attTransaction
    }

    /// - Parameter bytes: one ATT packet.
    /// - Throws: the peer's fault, after which the connection is to be closed.
    package mutating func receive(_ bytes: Span<UInt8>, at now: Instant) throws(ATTError) {
        guard !isClosed else { return }
        do throws(ATTError) {
            try take(bytes)
        } catch {
            isClosed = true
            event = nil
            throw error
        }
    }

    package mutating func advance(to now: Instant) {
        guard !isClosed, let end = confirmationEnd, end <= now else { return }
        isClosed = true
        event = .timeout
    }

    package mutating func nextEvent() -> Event? {
        defer { event = nil }
        return event
    }

    /// Hands the next packet to `body`. False when there is none.
    package mutating func nextTransmit(_ body: (Span<UInt8>) -> Void) -> Bool {
        guard !isClosed else { return false }
        if responseCount > 0 {
            let count = responseCount
            responseCount = 0
            body(response.span.extracting(0..<count))
        } else if indicationCount > 0 {
            let count = indicationCount
            indicationCount = 0
            body(indication.span.extracting(0..<count))
        } else {
            return false
        }
        return true
    }
}

extension GATTServer {
    private mutating func take(_ bytes: Span<UInt8>) throws(ATTError) {
        guard bytes.count > 0 else { throw .empty }
        guard bytes.count <= attMTU else { throw .oversized(count: bytes.count) }
        let opcode = bytes[0]
        if opcode == ATTOpcode.confirmation {
            guard confirmationEnd != nil, indicationCount == 0, bytes.count == 1 else {
                throw .unexpected(opcode: opcode)
            }
            confirmationEnd = nil
            event = .confirmed
            return
        }
        guard opcode & ATTOpcode.commandBit == 0 else { return }
        guard !ATTOpcode.isResponse(opcode), opcode != ATTOpcode.notification,
            opcode != ATTOpcode.indication, opcode != ATTOpcode.multipleNotification
        else { throw .unexpected(opcode: opcode) }
        guard responseCount == 0 else { throw .requestBeforeAnswer(opcode: opcode) }
        answer(opcode, bytes.extracting(1...))
    }

    private mutating func answer(_ opcode: UInt8, _ fields: Span<UInt8>) {
        let (table, limit, isSubscribed) = (table, attMTU, isSubscribed)
        var refusal: ATTRefusal?
        var writer = ByteWriter(response.mutableSpan)
        var effect: Effect?
        do throws(ATTRefusal) {
            effect = try table.answer(
                opcode, fields, limit: limit, isSubscribed: isSubscribed, &writer)
        } catch { refusal = error }
        if let refusal {
            writer.truncate(to: 0)
            do throws(ByteError) {
                try writer.uint8(ATTOpcode.errorResponse)
                try writer.uint8(opcode)
                try writer.uint16(refusal.handle)
                try writer.uint8(refusal.code.rawValue)
            } catch { preconditionFailure("a refusal fits the ATT_MTU") }
        }
        responseCount = writer.count
        switch effect {
        case .agree(let offered):
            attMTU = min(max(offered, Limits.attMTUMinimum), attMTULimit)
        case .write:
            // The value is what follows the handle.
            let value = fields.extracting(2...)
            for index in value.indices { storage[index] = value[index] }
            valueCount = value.count
            event = .written
        case .subscribe(let subscribes):
            guard subscribes != isSubscribed else { break }
            self.isSubscribed = subscribes
            event = subscribes ? .subscribed : .unsubscribed
        case nil: break
        }
    }

    /// What a request changes beside its answer.
    enum Effect {
        case agree(attMTU: Int)
        case write
        case subscribe(Bool)
    }
}

/// Why a request is refused, and for which attribute.
struct ATTRefusal: Error {
    var code: ATTErrorCode
    var handle: UInt16

    init(_ code: ATTErrorCode, _ handle: UInt16) {
        self.code = code
        self.handle = handle
    }
}

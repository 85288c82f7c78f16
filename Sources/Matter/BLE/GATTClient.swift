package import Base

/// The commissioner's end of an ATT bearer: finds Matter's service, then writes C1 and takes
/// the indications of C2.
///
/// Scope: what commissioning needs of a peer's attributes. Not scope: attributes of our own
/// (requests are answered that they are not supported), pairing, signed writes, notifications.
/// It begins by itself: MTU exchange, services, characteristics, the configuration of C2; then
/// `ready`, and one operation at a time.
package struct GATTClient {
    package enum Event: Equatable, Sendable {
        /// The service is found. `hasAdditionalData`: there is a C3 to read.
        case ready(attMTU: Int, hasAdditionalData: Bool)
        case written
        case subscribed
        /// `value` is C3's.
        case additionalData
        /// `value` is what C2 indicated, until the next octets are received.
        case indication
        /// The peer refused the operation; the next one may still be accepted.
        case refused(ATTErrorCode)
        /// The connection is to be closed.
        case failed(GATTFailure)
    }

    enum Request: Equatable {
        case exchangeMTU, services, characteristics, descriptors
        case write, subscribe, read, readBlob
    }

    package private(set) var attMTU = Limits.attMTUMinimum
    /// After `ready` and while no operation is under way.
    package var isIdle: Bool { isReady && pending == nil && !isClosed }

    var discovery = GATTDiscovery()
    private(set) var pending: Request?
    private var request = [UInt8](repeating: 0, count: Limits.attMTU)
    private var requestCount = 0
    private var transactionEnd: Instant?
    private var rediscovery: Instant?
    private var hasRediscovered = false
    private var isReady = false
    private var isClosed = false
    /// The opcode of a request of the peer's that is to be refused.
    private var refusal: UInt8?
    private var owesConfirmation = false
    private var answer = InlineArray<5, UInt8>(repeating: 0)
    private var storage = [UInt8](repeating: 0, count: Limits.attributeBytes)
    private var valueCount = 0
    private var event: Event?
    private(set) var now: Instant

    package init(at now: Instant) {
        self.now = now
        ask(.exchangeMTU)
    }

    /// What the last `indication` or `additionalData` brought.
    package var value: Span<UInt8> {
        @_lifetime(borrow self)
        get { storage.span.extracting(0..<valueCount) }
    }

    package var nextDeadline: Instant? { isClosed ? nil : transactionEnd ?? rediscovery }

    /// Writes C1, with response.
    /// - Parameter value: at most `attMTU` - 3 octets.
    package mutating func write(_ value: Span<UInt8>, at now: Instant) {
        precondition(isIdle, "one operation at a time")
        precondition(value.count <= attMTU - 3, "a value is written in one packet")
        self.now = now
        let handle = discovery.c1
        send(.write) { writer throws(ByteError) in
            try writer.uint16(handle)
            try writer.bytes(value)
        }
    }

    /// Asks for the indications of C2.
    package mutating func subscribe(at now: Instant) {
        precondition(isIdle, "one operation at a time")
        self.now = now
        ask(.subscribe)
    }

    /// Reads C3, when `ready` said that there is one.
    package mutating func readAdditionalData(at now: Instant) {
        precondition(isIdle && discovery.c3 != 0, "one operation at a time, and there is a C3")
        self.now = now
        valueCount = 0
        ask(.read)
    }

    /// - Parameter bytes: one ATT packet.
    /// - Throws: the peer's fault, after which the connection is to be closed.
    package mutating func receive(_ bytes: Span<UInt8>, at now: Instant) throws(ATTError) {
        guard !isClosed else { return }
        self.now = now
        do throws(ATTError) {
            try take(bytes)
        } catch {
            isClosed = true
            event = nil
            throw error
        }
    }

    package mutating func advance(to now: Instant) {
        guard !isClosed else { return }
        self.now = now
        if let end = transactionEnd, end <= now {
            fail(.timeout)
        } else if let start = rediscovery, start <= now {
            rediscovery = nil
            discovery = GATTDiscovery()
            ask(.services)
        }
    }

    package mutating func nextEvent() -> Event? {
        defer { event = nil }
        return event
    }

    /// Hands the next packet to `body`. False when there is none.
    package mutating func nextTransmit(_ body: (Span<UInt8>) -> Void) -> Bool {
        guard !isClosed else { return false }
        if let opcode = refusal {
            refusal = nil
            answer[0] = ATTOpcode.errorResponse
            answer[1] = opcode
            // No handle: what is not supported was not looked at.
            answer[2] = 0
            answer[3] = 0
            answer[4] = ATTErrorCode.requestNotSupported.rawValue
            body(answer.span)
        } else if owesConfirmation {
            owesConfirmation = false
            answer[0] = ATTOpcode.confirmation
            body(answer.span.extracting(0..<1))
        } else if requestCount > 0 {
            let count = requestCount
            requestCount = 0
            body(request.span.extracting(0..<count))
        } else {
            return false
        }
        return true
    }
}

extension GATTClient {
    private mutating func take(_ bytes: Span<UInt8>) throws(ATTError) {
        guard bytes.count > 0 else { throw .empty }
        guard bytes.count <= max(attMTU, Limits.attMTUMinimum) else {
            throw .oversized(count: bytes.count)
        }
        let opcode = bytes[0]
        let fields = bytes.extracting(1...)
        switch opcode {
        case ATTOpcode.indication: try indicated(fields)
        case ATTOpcode.notification, ATTOpcode.multipleNotification: break
        case ATTOpcode.confirmation: throw .unexpected(opcode: opcode)
        case ATTOpcode.errorResponse: try refused(fields)
        case _ where ATTOpcode.isResponse(opcode):
            guard let pending, opcode == pending.response else {
                throw .unexpected(opcode: opcode)
            }
            self.pending = nil
            transactionEnd = nil
            do throws(ByteError) {
                try answered(pending, fields)
            } catch { throw .malformed(opcode: opcode) }
        case _ where opcode & ATTOpcode.commandBit != 0: break
        default:
            guard refusal == nil else { throw .requestBeforeAnswer(opcode: opcode) }
            refusal = opcode
        }
    }

    private mutating func indicated(_ fields: Span<UInt8>) throws(ATTError) {
        guard fields.count >= 2 else { throw .malformed(opcode: ATTOpcode.indication) }
        guard !owesConfirmation else {
            throw .requestBeforeAnswer(opcode: ATTOpcode.indication)
        }
        owesConfirmation = true
        let handle = UInt16(fields[0]) | UInt16(fields[1]) << 8
        guard isReady, handle == discovery.c2 else { return }
        valueCount = 0
        keep(fields.extracting(2...))
        event = .indication
    }

    private mutating func refused(_ fields: Span<UInt8>) throws(ATTError) {
        let opcode = ATTOpcode.errorResponse
        guard fields.count == 4 else { throw .malformed(opcode: opcode) }
        guard let request = pending, fields[0] == request.opcode else {
            throw .unexpected(opcode: opcode)
        }
        pending = nil
        transactionEnd = nil
        let code = ATTErrorCode(rawValue: fields[3])
        switch request {
        case .exchangeMTU: ask(.services)
        case .services, .characteristics, .descriptors:
            guard code == .attributeNotFound else { return fail(.refused(code)) }
            go(on: discovery.ended(request))
        case .readBlob where code == .invalidOffset || code.rawValue == 0x0B:
            // The value ended with the part before, or is never long.
            event = .additionalData
        case .write, .subscribe, .read, .readBlob: event = .refused(code)
        }
    }

    private mutating func answered(
        _ request: Request, _ fields: Span<UInt8>
    ) throws(ByteError) {
        switch request {
        case .exchangeMTU:
            var reader = ByteReader(fields)
            let offered = Int(try reader.uint16())
            attMTU = min(max(offered, Limits.attMTUMinimum), Limits.attMTU)
            ask(.services)
        case .services: go(on: try discovery.services(fields))
        case .characteristics: go(on: try discovery.characteristics(fields))
        case .descriptors: go(on: try discovery.descriptors(fields))
        case .write: event = .written
        case .subscribe: event = .subscribed
        case .read, .readBlob:
            keep(fields)
            // A part that fills its packet may not be the last.
            if fields.count == attMTU - 1, valueCount < Limits.attributeBytes {
                ask(.readBlob)
            } else {
                event = .additionalData
            }
        }
    }

    private mutating func go(on step: GATTDiscovery.Step) {
        switch step {
        case .ask(let request): ask(request)
        case .done:
            isReady = true
            event = .ready(attMTU: attMTU, hasAdditionalData: discovery.c3 != 0)
        case .missing(let failure):
            guard !hasRediscovered, failure != .endlessDiscovery else { return fail(failure) }
            hasRediscovered = true
            rediscovery = now + Limits.gattRediscoveryDelay
        }
    }

    private mutating func keep(_ octets: Span<UInt8>) {
        let count = min(octets.count, storage.count - valueCount)
        for index in 0..<count { storage[valueCount + index] = octets[index] }
        valueCount += count
    }

    private mutating func fail(_ failure: GATTFailure) {
        isClosed = true
        event = .failed(failure)
    }

    private mutating func ask(_ request: Request) {
        let offset = UInt16(valueCount)
        let (c2, c3) = (discovery.c2Configuration, discovery.c3)
        let range = (discovery.start, discovery.end)
        send(request) { writer throws(ByteError) in
            switch request {
            case .exchangeMTU: try writer.uint16(UInt16(Limits.attMTU))
            case .services, .characteristics, .descriptors:
                try writer.uint16(range.0)
                try writer.uint16(range.1)
                if request == .services { try BluetoothUUID.primaryService.write(&writer) }
                if request == .characteristics { try BluetoothUUID.characteristic.write(&writer) }
            case .subscribe:
                try writer.uint16(c2)
                // Indications. Bluetooth Core, volume 3, part G, §3.3.3.3.
                try writer.uint16(0x0002)
            case .read: try writer.uint16(c3)
            case .readBlob:
                try writer.uint16(c3)
                try writer.uint16(offset)
            case .write: preconditionFailure("a write brings its value")
            }
        }
    }

    private mutating func send(
        _ kind: Request, _ body: (inout ByteWriter) throws(ByteError) -> Void
    ) {
        var writer = ByteWriter(request.mutableSpan)
        do throws(ByteError) {
            try writer.uint8(kind.opcode)
            try body(&writer)
        } catch { preconditionFailure("a request fits the ATT_MTU") }
        requestCount = writer.count
        pending = kind
        transactionEnd = now + Limits.attTransaction
    }
}

extension GATTClient.Request {
    var opcode: UInt8 {
        switch self {
        case .exchangeMTU: ATTOpcode.exchangeMTURequest
        case .services: ATTOpcode.readByGroupTypeRequest
        case .characteristics: ATTOpcode.readByTypeRequest
        case .descriptors: ATTOpcode.findInformationRequest
        case .write, .subscribe: ATTOpcode.writeRequest
        case .read: ATTOpcode.readRequest
        case .readBlob: ATTOpcode.readBlobRequest
        }
    }

    /// Each request's answer has the number behind its own.
    var response: UInt8 { opcode + 1 }
}

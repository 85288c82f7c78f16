package import Base

/// The responder's end of a BTP session: the device, which is the GATT server.
///
/// What is written to C1 is received; what `nextTransmit` gives is to be indicated on C2, one
/// after the other, each after the confirmation of the one before.
package struct BTPPeripheral {
    private let attMTU: Int?
    private let window: UInt8
    private var session: BTPSession?
    private var incoming = BTPReassembler()
    /// The answer to the request, until it is sent: it waits for the subscription.
    private var response: BTPHandshakeResponse?
    private var isSubscribed = false
    private var isClosed = false
    private var handshakeEnd: Instant?
    private var event: BTPEvent?
    private var buffer = [UInt8](repeating: 0, count: Limits.btpSegmentBytes.upperBound)
    private var now: Instant

    /// - Parameters:
    ///   - attMTU: what the ATT exchange agreed on; nil when it is not known.
    ///   - window: segments that we take without having acknowledged them, at least 1.
    package init(attMTU: Int?, window: UInt8 = Limits.btpWindow, at now: Instant) {
        precondition(window > 0, "a window has a segment")
        self.attMTU = attMTU
        self.window = window
        self.now = now
    }

    package var isConnected: Bool { session != nil }
    /// No message waits to be indicated, or is under way.
    package var isDrained: Bool { session?.isDrained ?? true }
    package var nextDeadline: Instant? { handshakeEnd ?? session?.nextDeadline }

    /// The message of the last `message` event, until the next octets are received.
    package var message: Span<UInt8> {
        @_lifetime(borrow self)
        get { incoming.message }
    }

    /// As `BTPCentral.send`.
    package mutating func send(_ message: Span<UInt8>, at now: Instant) -> Bool {
        session?.send(message, at: now) ?? false
    }

    /// As `BTPCentral.setAwaitsAnswer`.
    package mutating func setAwaitsAnswer(_ awaits: Bool, at now: Instant) {
        session?.setAwaitsAnswer(awaits, at: now)
    }

    /// The central asked for the indications of C2.
    package mutating func subscribe(at now: Instant) {
        self.now = now
        isSubscribed = true
    }

    /// - Parameter value: what was written to C1.
    /// - Throws: the peer's fault, which ended the session.
    package mutating func receive(_ value: Span<UInt8>, at now: Instant) throws(BTPError) {
        guard !isClosed else { return }
        self.now = now
        do throws(BTPError) {
            if session != nil {
                let isComplete = try session?.receive(value, into: &incoming, at: now)
                if isComplete == true { event = .message }
            } else {
                guard response == nil else { throw .invalidHandshake }
                try answer(BTPHandshakeRequest(value))
                handshakeEnd = now + Limits.btpHandshakeWait
            }
        } catch {
            end()
            throw error
        }
    }

    package mutating func advance(to now: Instant) {
        self.now = now
        if let end = handshakeEnd {
            if end <= now { close(.handshakeTimeout) }
        } else if let closure = session?.advance(to: now) {
            close(closure)
        }
    }

    package mutating func nextEvent() -> BTPEvent? {
        defer { event = nil }
        return event
    }

    /// Hands the next value for C2 to `body`. False when there is none.
    package mutating func nextTransmit(_ body: (Span<UInt8>) -> Void) -> Bool {
        let count: Int
        if let response {
            guard isSubscribed else { return false }
            count = write(response)
            connect(response)
        } else {
            count = session?.write(into: &buffer) ?? 0
        }
        guard count > 0 else { return false }
        let written = buffer
        body(written.span.extracting(0..<count))
        return true
    }
}

extension BTPPeripheral {
    private mutating func answer(_ request: BTPHandshakeRequest) throws(BTPError) {
        guard request.offers(btpVersion) else { throw .unsupportedVersion }
        guard request.window > 0 else { throw .invalidWindow(0) }
        // Core §4.20.3.4: without knowledge of the ATT_MTU on both sides, its least.
        let known = attMTU.map { min($0, request.attMTU == 0 ? $0 : Int(request.attMTU)) }
        let bounds = Limits.btpSegmentBytes
        let size = min(max((known ?? 23) - 3, bounds.lowerBound), bounds.upperBound)
        response = BTPHandshakeResponse(
            segmentBytes: UInt16(size), window: min(request.window, window))
    }

    private mutating func write(_ response: BTPHandshakeResponse) -> Int {
        var writer = ByteWriter(buffer.mutableSpan)
        do throws(ByteError) {
            try response.write(&writer)
        } catch { preconditionFailure("a handshake fits the shortest segment") }
        return writer.count
    }

    private mutating func connect(_ response: BTPHandshakeResponse) {
        self.response = nil
        handshakeEnd = nil
        let size = Int(response.segmentBytes)
        session = BTPSession(
            segmentBytes: size, receivedSegmentBytes: size, window: Int(response.window),
            isCentral: false, at: now)
        event = .connected(segmentBytes: size)
    }

    private mutating func close(_ closure: BTPClosure) {
        end()
        event = .closed(closure)
    }

    private mutating func end() {
        isClosed = true
        session = nil
        response = nil
        handshakeEnd = nil
        event = nil
    }
}

package import Base

/// The initiator's end of a BTP session: the commissioner, which is the GATT client.
///
/// What `nextTransmit` gives is to be written to C1 with response, one after the other; what C2
/// indicates is received. The order of the start: the first transmit (the handshake request) is
/// written, then C2 is subscribed to, then the response comes as its first indication. Taken long
/// after the last mutation, a transmit wants `advance` first, for its timers begin with it.
package struct BTPCentral {
    private let attMTU: UInt16
    private let window: UInt8
    private var session: BTPSession?
    private var incoming = BTPReassembler()
    private var hasRequested = false
    private var handshakeEnd: Instant?
    private var event: BTPEvent?
    private var buffer = [UInt8](repeating: 0, count: Limits.btpSegmentBytes.upperBound)

    /// - Parameters:
    ///   - attMTU: what the ATT exchange agreed on, at least 23.
    ///   - window: segments that we take without having acknowledged them, at least 1.
    package init(attMTU: Int, window: UInt8 = Limits.btpWindow, at now: Instant) {
        precondition(attMTU >= 23 && window > 0, "ATT has at least 23 octets, a window a segment")
        self.attMTU = UInt16(clamping: attMTU)
        self.window = window
        handshakeEnd = now + Limits.btpHandshakeWait
    }

    package var isConnected: Bool { session != nil }
    /// No message waits to be written, or is under way.
    package var isDrained: Bool { session?.isDrained ?? true }
    package var nextDeadline: Instant? { handshakeEnd ?? session?.nextDeadline }

    /// The message of the last `message` event, until the next octets are received.
    package var message: Span<UInt8> {
        @_lifetime(borrow self)
        get { incoming.message }
    }

    /// - Parameter message: 1 ... `Limits.btpMessageBytes` octets.
    /// - Returns: false when the session is not open or too much waits already. Nobody repeats
    ///   a message on this transport, so the exchange has failed then.
    package mutating func send(_ message: Span<UInt8>, at now: Instant) -> Bool {
        session?.send(message, at: now) ?? false
    }

    /// While an exchange awaits an answer, silence does not end the session: joining a network
    /// takes a device longer than the idle time.
    package mutating func setAwaitsAnswer(_ awaits: Bool, at now: Instant) {
        session?.setAwaitsAnswer(awaits, at: now)
    }

    /// - Parameter value: what was indicated on C2.
    /// - Throws: the peer's fault, which ended the session.
    package mutating func receive(_ value: Span<UInt8>, at now: Instant) throws(BTPError) {
        do throws(BTPError) {
            if session != nil {
                let isComplete = try session?.receive(value, into: &incoming, at: now)
                if isComplete == true { event = .message }
            } else if handshakeEnd != nil {
                try connect(BTPHandshakeResponse(value), at: now)
            }
        } catch {
            end()
            throw error
        }
    }

    package mutating func advance(to now: Instant) {
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

    /// Hands the next value for C1 to `body`. False when there is none.
    package mutating func nextTransmit(_ body: (Span<UInt8>) -> Void) -> Bool {
        let count: Int
        if handshakeEnd != nil, !hasRequested {
            count = writeRequest()
        } else {
            count = session?.write(into: &buffer) ?? 0
        }
        guard count > 0 else { return false }
        let written = buffer
        body(written.span.extracting(0..<count))
        return true
    }
}

extension BTPCentral {
    private mutating func connect(
        _ response: BTPHandshakeResponse, at now: Instant
    ) throws(BTPError) {
        guard hasRequested else { throw .invalidHandshake }
        guard response.version == btpVersion else { throw .unsupportedVersion }
        let size = Int(response.segmentBytes)
        guard Limits.btpSegmentBytes.contains(size) else {
            throw .invalidSegmentSize(response.segmentBytes)
        }
        guard (1...window).contains(response.window) else {
            throw .invalidWindow(response.window)
        }
        handshakeEnd = nil
        // A peripheral may not know the ATT_MTU that we do; what does not fit it cannot be written.
        let own = min(size, Int(attMTU) - 3)
        session = BTPSession(
            segmentBytes: own, receivedSegmentBytes: size, window: Int(response.window),
            isCentral: true, at: now)
        event = .connected(segmentBytes: own)
    }

    private mutating func writeRequest() -> Int {
        hasRequested = true
        let request = BTPHandshakeRequest(attMTU: attMTU, window: window)
        var writer = ByteWriter(buffer.mutableSpan)
        do throws(ByteError) {
            try request.write(&writer)
        } catch { preconditionFailure("a handshake fits the shortest segment") }
        return writer.count
    }

    private mutating func close(_ closure: BTPClosure) {
        end()
        event = .closed(closure)
    }

    private mutating func end() {
        session = nil
        handshakeEnd = nil
        event = nil
    }
}

internal import Base
internal import Matter
internal import MatterNode

/// The device's end of one Bluetooth connection: the bearer, the attribute server and the BTP
/// session on it. `pump` is the only place where they meet.
final class PeripheralLink: @unchecked Sendable {
    /// A message, whole.
    var onMessage: (([UInt8]) -> Void)?
    /// Called once, when the connection is gone or was ended.
    var onEnd: (() -> Void)?

    private let loop: Loop
    private let bearer: any ATTBearer
    private var server: GATTServer
    /// Nil until the commissioner writes its handshake, when the ATT_MTU is agreed on.
    private var peripheral: BTPPeripheral?
    private var buffer: [UInt8]
    /// The packet that found no room.
    private var held: [UInt8] = []
    private var timer: TimerID?
    private var isBusy = false
    private var isDueAgain = false
    private var isOver = false
    private var isAtWork = false
    /// Ends once what was said has gone.
    private var isFinishing = false

    init(_ bearer: any ATTBearer, attMTU: Int, on loop: Loop) {
        self.bearer = bearer
        server = GATTServer(attMTU: attMTU)
        // One more, so that a longer packet shows.
        buffer = [UInt8](repeating: 0, count: attMTU + 1)
        self.loop = loop
    }

    func start() {
        bearer.onReadable = { [weak self] in self?.pump() }
        bearer.onWritable = { [weak self] in self?.pump() }
        pump()
    }

    /// Takes nothing in: whoever sends is in the middle of something.
    /// - Returns: false when nobody listens, or too much waits already.
    func send(_ message: Span<UInt8>) -> Bool {
        guard !isOver, peripheral?.send(message, at: loop.now) == true else { return false }
        if !isBusy {
            isBusy = true
            transmit()
            isBusy = false
            setTimer()
        }
        return true
    }

    /// While the device is at work, silence does not end the link.
    func setIsAtWork(_ isAtWork: Bool) {
        guard isAtWork != self.isAtWork else { return }
        self.isAtWork = isAtWork
        peripheral?.setAwaitsAnswer(isAtWork, at: loop.now)
        pumpAgain()
    }

    func finish() {
        guard !isFinishing else { return }
        isFinishing = true
        pumpAgain()
    }

    func close() {
        guard !isOver else { return }
        isOver = true
        if let timer { loop.cancel(timer) }
        timer = nil
        bearer.onReadable = nil
        bearer.onWritable = nil
        bearer.close()
        onEnd?()
    }

    // MARK: The pump

    private func pump() {
        guard !isOver else { return }
        guard !isBusy else { return pumpAgain() }
        isBusy = true
        server.advance(to: loop.now)
        peripheral?.advance(to: loop.now)
        drain()
        transmit()
        for _ in 0..<Limits.datagramsPerTurn where !isOver {
            var span = buffer.mutableSpan
            let input = bearer.receive(into: &span)
            if input == .nothing { break }
            take(input)
            transmit()
        }
        isBusy = false
        if isFinishing, !isOver, isIdle { return close() }
        setTimer()
    }

    /// What comes while the pump runs is taken in the next turn.
    private func pumpAgain() {
        guard !isDueAgain else { return }
        isDueAgain = true
        _ = loop.schedule(at: loop.now) { [weak self] in
            self?.isDueAgain = false
            self?.pump()
        }
    }

    private func take(_ input: ATTInput) {
        guard case .packet(let count) = input else { return close() }
        do throws(ATTError) {
            try server.receive(
                buffer.span.extracting(0..<min(count, buffer.count)), at: loop.now)
        } catch { return close() }
        drain()
    }

    private func drain() {
        while !isOver, let event = server.nextEvent() {
            switch event {
            case .written:
                if peripheral == nil {
                    peripheral = BTPPeripheral(attMTU: server.attMTU, at: loop.now)
                }
                do throws(BTPError) {
                    try peripheral?.receive(server.value, at: loop.now)
                } catch { return close() }
            case .subscribed: peripheral?.subscribe(at: loop.now)
            case .confirmed: break
            // Core §4.20.3.4: whoever does not listen any more has left.
            case .unsubscribed, .timeout: return close()
            }
        }
        while !isOver, let event = peripheral?.nextEvent() {
            switch event {
            case .connected: break
            case .message:
                guard let message = peripheral.map({ [UInt8]($0.message) }) else { return }
                onMessage?(message)
            case .closed: close()
            }
        }
    }

    private func transmit() {
        guard !isOver else { return }
        if !held.isEmpty {
            guard bearer.send(held.span) else { return }
            held.removeAll(keepingCapacity: true)
        }
        let bearer = bearer
        var isMore = true
        while isMore, held.isEmpty, !isOver {
            if server.canIndicate {
                let now = loop.now
                _ = peripheral?.nextTransmit { [self] bytes in server.indicate(bytes, at: now) }
            }
            isMore = server.nextTransmit { [self] bytes in
                if !bearer.send(bytes) { held = [UInt8](bytes) }
            }
        }
    }

    /// Nothing waits to be said, or nobody will hear it.
    private var isIdle: Bool {
        guard let peripheral else { return held.isEmpty }
        return held.isEmpty && peripheral.isDrained && server.canIndicate
    }

    private func setTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard !isOver else { return }
        timer = [server.nextDeadline, peripheral?.nextDeadline].compactMap(\.self).min().map {
            loop.schedule(at: $0) { [weak self] in
                self?.timer = nil
                self?.pump()
            }
        }
    }
}

internal import Base
package import Matter

/// Why a Bluetooth link carries nothing any more, or never did.
package enum BTPLinkLoss: Error, Equatable {
    /// The connection is gone: the device is out of reach, has no power, or ended it.
    case disconnected
    /// We ended it.
    case closed
    case att(ATTError)
    case gatt(GATTFailure)
    /// The device refused to be written to, or to indicate.
    case refused(ATTErrorCode)
    case btp(BTPError)
    /// BTP waited in vain, or for too long.
    case btpClosed(BTPClosure)
}

/// One device over Bluetooth: the bearer, the attribute client and the BTP session on it.
///
/// `pump` is the only place where they meet. The order of the start is BTP's: the handshake
/// request is written to C1, then C2 is subscribed to, then all the rest. Core §4.20.3.4.
package final class BTPLink: @unchecked Sendable {
    /// A message, whole.
    var onMessage: (([UInt8]) -> Void)?
    /// Called once, never from within `send`.
    var onLoss: ((BTPLinkLoss) -> Void)?
    package private(set) var loss: BTPLinkLoss?

    private let loop: Loop
    private let bearer: any ATTBearer
    private var client: GATTClient
    /// Of no use until the service is found.
    private var central: BTPCentral
    private var hasService = false
    private var isSubscribed = false
    private var mayWrite = false
    private var buffer = [UInt8](repeating: 0, count: Limits.attMTU + 1)
    /// The packet that found no room.
    private var held: [UInt8] = []
    private var opening = LoopWait<Result<Void, BTPLinkLoss>>()
    private var timer: TimerID?
    private var awaited = 0
    /// When it is closed at the latest, for its owner is done with it.
    private var end: Instant?
    private var isBusy = false
    private var isDueAgain = false

    /// Packets taken in one turn, so that a flood cannot starve the timers.
    private static let packetsPerTurn = 64
    /// For the last message, a word of farewell, to be written.
    private static let timeToFinish = Duration.seconds(2)

    package init(_ bearer: any ATTBearer, on loop: Loop) {
        self.bearer = bearer
        self.loop = loop
        client = GATTClient(at: loop.now)
        central = BTPCentral(attMTU: Limits.attMTUMinimum, at: loop.now)
    }

    /// Finds the service and shakes hands. Messages may be sent once it returns.
    /// - Throws: why the link is closed; `closed` when the task was cancelled.
    package func open() async throws(BTPLinkLoss) {
        bearer.onReadable = { [weak self] in self?.pump() }
        bearer.onWritable = { [weak self] in self?.pump() }
        pump()
        let result: Result<Void, BTPLinkLoss>
        do throws(CancellationError) { result = try await opening.value() } catch {
            close()
            throw .closed
        }
        try result.get()
    }

    /// - Parameter message: at most `Limits.btpMessageBytes` octets.
    /// - Returns: false when the link is closed or too much waits already.
    func send(_ message: Span<UInt8>) -> Bool {
        guard loss == nil, central.send(message, at: loop.now) else { return false }
        guard !isBusy else { return true }
        isBusy = true
        transmit()
        isBusy = false
        setTimer()
        return true
    }

    /// Silence does not end the link while anybody waits: joining a network takes a device longer.
    func beginWaiting() {
        awaited += 1
        if awaited == 1 { central.setAwaitsAnswer(true, at: loop.now) }
        if !isBusy { setTimer() }
    }

    func endWaiting() {
        awaited -= 1
        if awaited == 0 { central.setAwaitsAnswer(false, at: loop.now) }
        if !isBusy { setTimer() }
    }

    /// Closes once what was sent has gone, and soon in any case.
    package func finish() {
        guard loss == nil, end == nil else { return }
        end = loop.now + Self.timeToFinish
        pump()
    }

    package func close() { end(.closed) }

    // MARK: The pump

    private func pump() {
        guard loss == nil else { return }
        guard !isBusy else { return pumpAgain() }
        isBusy = true
        advance()
        transmit()
        var turns = 0
        while loss == nil {
            guard turns < Self.packetsPerTurn else {
                pumpAgain()
                break
            }
            turns += 1
            var span = buffer.mutableSpan
            let input = bearer.receive(into: &span)
            if input == .nothing { break }
            take(input)
            transmit()
        }
        isBusy = false
        if let end, end <= loop.now || isIdle { close() }
        setTimer()
    }

    /// What comes while the pump runs, or while somebody sends, is taken in the next turn.
    private func pumpAgain() {
        guard !isDueAgain else { return }
        isDueAgain = true
        _ = loop.schedule(at: loop.now) { [weak self] in
            self?.isDueAgain = false
            self?.pump()
        }
    }

    private func advance() {
        let now = loop.now
        client.advance(to: now)
        drainClient()
        if hasService {
            central.advance(to: now)
            drainCentral()
        }
    }

    private func take(_ input: ATTInput) {
        switch input {
        case .nothing: break
        case .closed: end(.disconnected)
        case .packet(let count):
            let count = min(count, buffer.count)
            do throws(ATTError) {
                try client.receive(buffer.span.extracting(0..<count), at: loop.now)
            } catch { return end(.att(error)) }
            drainClient()
        }
    }

    private func drainClient() {
        while loss == nil, let event = client.nextEvent() {
            switch event {
            case .ready(let attMTU, _):
                central = BTPCentral(attMTU: attMTU, at: loop.now)
                hasService = true
                mayWrite = true
            case .written: if !isSubscribed { client.subscribe(at: loop.now) }
            case .subscribed:
                isSubscribed = true
                mayWrite = true
            case .additionalData: break
            case .indication:
                do throws(BTPError) { try central.receive(client.value, at: loop.now) } catch {
                    return end(.btp(error))
                }
                drainCentral()
            case .refused(let code): end(.refused(code))
            case .failed(let failure): end(.gatt(failure))
            }
        }
    }

    private func drainCentral() {
        while loss == nil, let event = central.nextEvent() {
            switch event {
            case .connected: opening.resume(returning: .success(()))
            case .message:
                // Whoever takes it answers at once, into the session that it lies in.
                let message = [UInt8](central.message)
                onMessage?(message)
            case .closed(let closure): end(.btpClosed(closure))
            }
        }
    }

    private func transmit() {
        guard loss == nil else { return }
        if !held.isEmpty {
            guard bearer.send(held.span) else { return }
            held.removeAll(keepingCapacity: true)
        }
        let bearer = bearer
        var isMore = true
        while isMore, held.isEmpty {
            write()
            isMore = client.nextTransmit { [self] bytes in
                if !bearer.send(bytes) { held = [UInt8](bytes) }
            }
        }
    }

    /// Hands the client the next of BTP's packets; one write goes on at a time.
    private func write() {
        guard mayWrite, client.isIdle else { return }
        let now = loop.now
        let isWritten = central.nextTransmit { [self] bytes in client.write(bytes, at: now) }
        if isWritten, !isSubscribed { mayWrite = false }
    }

    private var isIdle: Bool { central.isDrained && client.isIdle && held.isEmpty }

    private func setTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard loss == nil else { return }
        let deadlines = [client.nextDeadline, hasService ? central.nextDeadline : nil, end]
        timer = deadlines.compactMap(\.self).min().map { deadline in
            loop.schedule(at: deadline) { [weak self] in
                self?.timer = nil
                self?.pump()
            }
        }
    }

    private func end(_ loss: BTPLinkLoss) {
        guard self.loss == nil else { return }
        self.loss = loss
        if let timer { loop.cancel(timer) }
        timer = nil
        bearer.onReadable = nil
        bearer.onWritable = nil
        bearer.close()
        opening.resume(returning: .failure(loss))
        let onLoss = onLoss
        self.onLoss = nil
        onMessage = nil
        onLoss?(loss)
    }
}

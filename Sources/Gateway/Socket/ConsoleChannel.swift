internal import Base
package import MatterNode

/// One end of a connection between a console and the agent: messages instead of octets.
package final class ConsoleChannel: @unchecked Sendable {
    package enum Ending: Equatable, Sendable {
        /// The peer has gone, or takes nothing any more.
        case closed
        case broken(ConsoleProtocolError)
    }

    private let stream: any ByteStream
    private let receive: (ConsoleMessage) -> Void
    private let ended: (Ending) -> Void
    private var frames: ConsoleFrames
    private var buffer = [UInt8](repeating: 0, count: ConsoleLimits.readBytes)
    private var isOpen = true
    private var isEnding = false

    /// Taken in one turn of the loop, so that a flood starves nobody.
    private static let readsPerTurn = 8

    /// - Parameters:
    ///   - receive: called on the loop, outside any actor.
    ///   - ended: called once, unless `close` was.
    package init(
        _ stream: any ByteStream, bodyLimit: Int,
        receive: @escaping (ConsoleMessage) -> Void, ended: @escaping (Ending) -> Void
    ) {
        self.stream = stream
        self.receive = receive
        self.ended = ended
        frames = ConsoleFrames(bodyLimit: bodyLimit)
    }

    /// What the next messages may be as long as.
    package var bodyLimit: Int {
        get { frames.bodyLimit }
        set { frames.bodyLimit = newValue }
    }

    package func start() {
        stream.onReadable = { [weak self] in self?.pump() }
    }

    package func send(_ message: ConsoleMessage) {
        guard isOpen else { return }
        var frame = message.frame()
        let isTaken = stream.send(frame.span)
        for index in frame.indices { frame[index] = 0 }
        if !isTaken { end(.closed) }
    }

    package func close() {
        isOpen = false
        stream.onReadable = nil
        stream.close()
    }

    private func end(_ ending: Ending) {
        guard isOpen, !isEnding else { return }
        isEnding = true
        // While a last word can still be sent.
        ended(ending)
        close()
    }

    private func pump() {
        for _ in 0..<Self.readsPerTurn where isOpen {
            var span = buffer.mutableSpan
            guard let count = stream.receive(into: &span) else { return }
            guard count > 0 else { return end(.closed) }
            do throws(ConsoleProtocolError) { try take(count) } catch { end(.broken(error)) }
        }
    }

    private func take(_ count: Int) throws(ConsoleProtocolError) {
        // It may hold what was typed at a hidden prompt.
        defer { for index in 0..<count { buffer[index] = 0 } }
        try frames.receive(buffer.span.extracting(0..<count))
        while isOpen, let frame = frames.nextFrame() { receive(try ConsoleMessage(frame)) }
    }
}

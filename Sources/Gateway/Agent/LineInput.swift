internal import Base
package import MatterNode

/// Takes what comes from one source and hands it on line by line.
package final class LineInput: @unchecked Sendable {
    private let source: any LineSource
    private let handler: (SerialCodes.Event) -> Void
    private let ended: () -> Void
    /// While it is set, octets go there as they come and make no lines.
    package var onKeys: (([UInt8]) -> Void)?
    private var codes = SerialCodes()
    private var buffer = [UInt8](repeating: 0, count: WindowLimits.readBytes)

    /// Taken in one turn of the loop, so that a flood starves nobody.
    private static let readsPerTurn = 8

    /// - Parameters:
    ///   - handler: called on the loop, outside any actor.
    ///   - ended: called once, when the input has ended.
    package init(
        _ source: any LineSource, handler: @escaping (SerialCodes.Event) -> Void,
        ended: @escaping () -> Void = {}
    ) {
        self.source = source
        self.handler = handler
        self.ended = ended
    }

    /// A scanner, or whatever stands in its place: payloads alone, whatever it sends.
    package convenience init(ofPayloads source: any LineSource, for agent: Agent) {
        self.init(
            source,
            handler: { event in agent.assumeIsolated { $0.receivePayload(event) } })
    }

    package func start() {
        source.onReadable = { [weak self] in self?.pump() }
    }

    package func stop() {
        source.onReadable = nil
    }

    private func pump() {
        for _ in 0..<Self.readsPerTurn {
            var span = buffer.mutableSpan
            guard let count = source.receive(into: &span) else { return }
            if count == 0 {
                source.onReadable = nil
                codes.end()
            } else if let onKeys {
                onKeys(Array(buffer.prefix(count)))
            } else {
                codes.receive(buffer.span.extracting(0..<count))
                // It may have held a setup code.
                for index in 0..<count { buffer[index] = 0 }
            }
            while let event = codes.nextEvent() { handler(event) }
            if count == 0 { return ended() }
        }
    }
}

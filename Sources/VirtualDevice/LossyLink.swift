package import Base
package import MatterNode

/// A link that loses a share of what goes through it, both ways.
package final class LossyLink: DatagramLink, @unchecked Sendable {
    private let link: any DatagramLink
    private var noise: Noise
    /// Of 100.
    package var lostPercent = 0

    package init(_ link: any DatagramLink, seed: UInt64) {
        self.link = link
        noise = Noise(seed: seed)
    }

    package var onReadable: (() -> Void)? {
        get { link.onReadable }
        set { link.onReadable = newValue }
    }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource? {
        while let source = link.receive(into: &buffer) {
            if !isLost() { return source }
        }
        return nil
    }

    @discardableResult
    package func send(_ bytes: Span<UInt8>, to peer: SocketAddress) -> Bool {
        isLost() ? true : link.send(bytes, to: peer)
    }

    private func isLost() -> Bool {
        lostPercent > 0 && noise.unit() * 100 < Double(lostPercent)
    }
}

package import MatterNode

/// One end of a connection in memory; what is sent is there for the other end at once.
package final class MemoryStream: ByteStream, @unchecked Sendable {
    package var onReadable: (() -> Void)? { didSet { wake() } }
    package let peerUser: UInt32 = 1000
    /// Octets that may wait for this end before the other counts as stalled.
    package var bound = 1 << 20
    package private(set) var isClosed = false

    private let loop: Loop
    private weak var peer: MemoryStream?
    private var waiting: [UInt8] = []
    /// Octets that wait for this end.
    package var waitingCount: Int { waiting.count }
    private var hasEnded = false

    private init(_ loop: Loop) { self.loop = loop }

    package static func pair(on loop: Loop) -> (MemoryStream, MemoryStream) {
        let (left, right) = (MemoryStream(loop), MemoryStream(loop))
        left.peer = right
        right.peer = left
        return (left, right)
    }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let count = min(waiting.count, buffer.count)
        guard count > 0 else { return hasEnded || isClosed ? 0 : nil }
        for index in 0..<count { buffer[index] = waiting[index] }
        waiting.removeFirst(count)
        return count
    }

    package func send(_ bytes: Span<UInt8>) -> Bool {
        guard !isClosed else { return false }
        guard let peer, !peer.isClosed else { return true }
        guard peer.waiting.isEmpty || peer.waiting.count + bytes.count <= peer.bound else {
            close()
            return false
        }
        for index in bytes.indices { peer.waiting.append(bytes[index]) }
        peer.wake()
        return true
    }

    package func close() {
        isClosed = true
        peer?.hasEnded = true
        peer?.wake()
    }

    /// As poll(2) does: in a turn of its own, and again while something is left.
    private func wake() {
        guard onReadable != nil, !waiting.isEmpty || hasEnded else { return }
        _ = loop.schedule(at: loop.now) { [weak self] in
            guard let self, !self.waiting.isEmpty || self.hasEnded else { return }
            self.onReadable?()
            if !self.waiting.isEmpty { self.wake() }
        }
    }
}

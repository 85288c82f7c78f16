package import Crypto

/// A message as octets: four with the length of the body (least significant first), one with the
/// kind, the body.
package struct ConsoleFrame: Sendable {
    package let kind: UInt8
    /// It may hold what was typed at a hidden prompt.
    package let body: Secret

    static let headBytes = 5
}

/// From octets as they come to frames.
package struct ConsoleFrames: Sendable {
    /// Of the frames whose head comes from now on.
    package var bodyLimit: Int
    private var head = [UInt8](repeating: 0, count: ConsoleFrame.headBytes)
    private var headCount = 0
    /// As long as the head says; the room never moves, so that it can be wiped.
    private var body: [UInt8] = []
    private var bodyCount = 0
    private var frames: [ConsoleFrame] = []

    package init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    package mutating func receive(_ bytes: Span<UInt8>) throws(ConsoleProtocolError) {
        for index in bytes.indices {
            if headCount < head.count {
                head[headCount] = bytes[index]
                headCount += 1
                if headCount == head.count { try begin() }
            } else {
                body[bodyCount] = bytes[index]
                bodyCount += 1
            }
            if headCount == head.count, bodyCount == body.count { end() }
        }
    }

    package mutating func nextFrame() -> ConsoleFrame? {
        frames.isEmpty ? nil : frames.removeFirst()
    }

    private mutating func begin() throws(ConsoleProtocolError) {
        var length = 0
        for index in (0..<4).reversed() { length = length << 8 | Int(head[index]) }
        guard length <= bodyLimit else { throw .tooLong }
        body = [UInt8](repeating: 0, count: length)
        bodyCount = 0
    }

    private mutating func end() {
        frames.append(ConsoleFrame(kind: head[4], body: Secret(body.span)))
        for index in body.indices { body[index] = 0 }
        headCount = 0
    }
}

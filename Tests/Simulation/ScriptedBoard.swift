package import Base
package import MatterNode

/// A board whose button is pressed at virtual time, and whose lamps are written down.
package final class ScriptedBoard: Board, @unchecked Sendable {
    package var onButton: ((_ isPressed: Bool, _ at: Instant) -> Void)?
    package var onPart: ((BoardPart) -> Void)?
    package var isButtonPressed = false
    package var hasFaultLamp = false
    /// The lamps' changes.
    package private(set) var shown: [(lamp: Lamp, isOn: Bool, at: Instant)] = []

    private let loop: Loop

    package init(on loop: Loop) { self.loop = loop }

    /// Presses now, with a bounce at both ends.
    package func press(for duration: Duration = .milliseconds(200)) {
        for (offset, isPressed) in [
            (Duration.zero, true), (.milliseconds(2), false), (.milliseconds(5), true),
            (duration, false), (duration + .milliseconds(3), true),
            (duration + .milliseconds(6), false),
        ] {
            _ = loop.schedule(at: loop.now + offset) { [self] in onButton?(isPressed, loop.now) }
        }
    }

    package func show(_ lamp: Lamp, isOn: Bool) {
        shown.append((lamp, isOn, loop.now))
    }

    /// How often a lamp came on since then.
    package func flashes(_ lamp: Lamp = .work, since start: Instant) -> Int {
        shown.count { $0.lamp == lamp && $0.isOn && $0.at >= start }
    }
}

/// A scanner, or a person at a keyboard.
package final class ScriptedSource: LineSource, @unchecked Sendable {
    package var onReadable: (() -> Void)?
    private var waiting: [UInt8] = []
    private var hasEnded = false

    package init() {}

    package func send(_ text: String) {
        waiting += Array(text.utf8)
        onReadable?()
    }

    package func end() {
        hasEnded = true
        onReadable?()
    }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let count = min(waiting.count, buffer.count)
        guard count > 0 else { return hasEnded ? 0 : nil }
        for index in 0..<count { buffer[index] = waiting[index] }
        waiting.removeFirst(count)
        return count
    }
}

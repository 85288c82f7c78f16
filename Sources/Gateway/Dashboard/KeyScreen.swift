package import MatterNode

/// A terminal that is drawn on and gives keys as they are typed, until it is closed. Whoever
/// closes it gets the terminal back empty, and lines are typed there again.
package final class KeyScreen: @unchecked Sendable {
    package enum Input: Equatable, Sendable {
        case keys([UInt8])
        /// What would have been shown as a line meanwhile.
        case told(String)
        /// What was drawn has arrived, or the screen is closed.
        case changed
    }

    /// How the terminal is drawn on. All is called on the loop.
    package struct Terminal {
        /// Nil where it is not known.
        let size: () -> (columns: Int, rows: Int)?
        /// Whether nothing waits that was drawn before.
        let isDrained: () -> Bool
        let draw: (String) -> Void
        /// Called once.
        let close: () -> Void

        package init(
            size: @escaping () -> (columns: Int, rows: Int)?, isDrained: @escaping () -> Bool,
            draw: @escaping (String) -> Void, close: @escaping () -> Void
        ) {
            self.size = size
            self.isDrained = isDrained
            self.draw = draw
            self.close = close
        }
    }

    /// What whoever has the terminal writes last, so that nothing of it is left.
    package static let farewell = ScreenDrawing.clear

    let inputs: LoopQueue<Input>
    /// What the line carries; nil is more than anybody draws.
    let octetsPerSecond: Int?
    package private(set) var isOpen = true
    private let terminal: Terminal

    package init(on loop: Loop, octetsPerSecond: Int? = nil, _ terminal: Terminal) {
        inputs = LoopQueue(on: loop, bound: ConsoleLimits.screenInputs)
        self.octetsPerSecond = octetsPerSecond
        self.terminal = terminal
    }

    // MARK: Of whoever has the terminal

    /// Keys beyond the bound are lost, as they are on any terminal.
    package func receive(keys: [UInt8]) { inputs.push(.keys(keys)) }

    /// A line that has no other place while the screen is drawn on.
    package func tell(_ line: String) { inputs.push(.told(line)) }

    package func tell(_ output: Output) {
        if let line = output.lines.first ?? output.notices.first { tell(line) }
    }

    /// What was drawn has arrived.
    package func drained() { inputs.push(.changed) }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        terminal.close()
        // Where the queue is full nobody waits at it.
        inputs.push(.changed)
    }

    // MARK: Of whoever draws

    var size: (columns: Int, rows: Int)? { terminal.size() }
    var isDrained: Bool { terminal.isDrained() }
    func draw(_ text: String) { if isOpen { terminal.draw(text) } }
}

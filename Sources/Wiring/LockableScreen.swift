internal import Base
internal import Gateway

/// A console that shows nothing of what is typed while it is locked, whatever commands want.
final class LockableScreen: Screen, @unchecked Sendable {
    private let screen: any Screen
    var isLocked = false { didSet { hide() } }
    var hidesInput = false { didSet { hide() } }

    init(_ screen: any Screen) {
        self.screen = screen
    }

    func write(_ text: String) { screen.write(text) }
    func writeError(_ text: String) { screen.writeError(text) }
    func tell(_ output: Output, _ level: LogLevel) { screen.tell(output, level) }

    private func hide() { screen.hidesInput = isLocked || hidesInput }
}

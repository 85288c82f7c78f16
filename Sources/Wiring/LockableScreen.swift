internal import Base
internal import Gateway
internal import LinuxIO

/// A serial console, which shows everything in one stream, and nothing of what is typed while it
/// is locked, whatever commands want.
final class LockableScreen: DrawableScreen, @unchecked Sendable {
    private let port: SerialPort
    private var told: ((String) -> Void)?
    var isLocked = false { didSet { hide() } }
    var hidesInput = false { didSet { hide() } }

    init(_ port: SerialPort) {
        self.port = port
    }

    func write(_ text: String) {
        if let told { told(text) } else { port.write(text) }
    }
    func writeError(_ text: String) { write(text) }

    private func hide() { port.hidesInput = isLocked || hidesInput }

    func takeKeys(_ told: ((String) -> Void)?) -> Bool {
        self.told = told
        port.takesKeys = told != nil
        return true
    }

    func draw(_ text: String) { port.write(text) }
    /// Nothing at the line's other end says how large it is.
    var size: (columns: Int, rows: Int)? { nil }
    var isDrained: Bool { port.isDrained }
    var octetsPerSecond: Int? { port.octetsPerSecond }
}

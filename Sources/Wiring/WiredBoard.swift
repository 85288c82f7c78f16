internal import Base
internal import Gateway
internal import LinuxIO
internal import MatterNode

/// What the settings name, as far as it is there: the board, scanners and consoles.
struct WiredBoard {
    let board: HardwareBoard
    let scanners: [any LineSource]
    let consoles: [SerialPort]

    init(_ settings: BoardSettings, on poll: PollLoop, news: BoardNews) {
        func watch(_ path: String) -> (DeviceChange) -> Void {
            { change in
                news.tell(Explanation(path, change), else: "\(path.escapingControls) is back")
            }
        }
        board = HardwareBoard(settings, on: poll) { part, error in
            news.tell(error.map { Explanation(part, $0) }, else: "the \(part.name) works now")
        }
        var scanners: [any LineSource] = []
        for device in settings.scanners {
            scanners.append(
                SerialPort(device, as: .scanner, on: poll, changed: watch(device.path)))
        }
        for path in settings.keyboards {
            scanners.append(KeyboardScanner(path, on: poll, changed: watch(path)))
        }
        self.scanners = scanners
        consoles = settings.consoles.map { device in
            SerialPort(device, as: .console, on: poll, changed: watch(device.path))
        }
    }
}

/// Where it is told what of the hardware is missing, gone or back: to whoever is there.
final class BoardNews {
    /// Set anew once there are consoles.
    var tell: (Output, LogLevel) -> Void

    init(_ tell: @escaping (Output, LogLevel) -> Void) {
        self.tell = tell
    }

    /// - Parameter problem: nil when all is well again, which the line says then.
    fileprivate func tell(_ problem: Explanation?, else line: String) {
        guard let problem else { return tell(Output(lines: [line], document: .null), .info) }
        tell(Output(lines: [], document: .null, notices: [problem.line]), .warning)
    }
}

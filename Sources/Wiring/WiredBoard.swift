internal import Gateway
internal import LinuxIO
internal import MatterNode

/// What the settings name, as far as it is there: the board, scanners and consoles.
struct WiredBoard {
    let board: HardwareBoard
    let scanners: [any LineSource]
    let consoles: [SerialPort]

    /// - Parameter screen: where what is missing, gone or back is told.
    init(_ settings: BoardSettings, on poll: PollLoop, screen: any Screen) {
        func watch(_ path: String) -> (DeviceChange) -> Void {
            { change in
                let line = Explanation(path, change)?.line ?? "\(path) is back"
                screen.writeError(line + "\n")
            }
        }
        board = HardwareBoard(settings, on: poll) { part, error in
            let line = error.map { Explanation(part, $0).line } ?? "the \(part.name) works now"
            screen.writeError(line + "\n")
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

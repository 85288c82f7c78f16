internal import Base
internal import CLinux
internal import Glibc
package import MatterNode

/// A serial device: lines of a scanner, or a console for people. It may be pulled out and put
/// back. Nobody else can open it meanwhile, and its modes are set back when it is let go.
package final class SerialPort: LineSource, @unchecked Sendable {
    package enum Mode: Sendable {
        /// Octets as they come.
        case scanner
        /// Lines, echoed and mended by the kernel, of whoever sits there.
        case console
    }

    package var onReadable: (() -> Void)? {
        didSet {
            device.onReadable = onReadable
            if onReadable == nil { device.stop() } else { device.start() }
        }
    }
    /// Whether what is typed at a console is not shown, also once the device is put back.
    package var hidesInput = false { didSet { setInput() } }
    /// Whether a console gives each key as it is typed, and shows none.
    package var takesKeys = false { didSet { setInput() } }
    /// What the line carries: a start bit, eight of the octet and a stop bit for each.
    package let octetsPerSecond: Int

    private let device: PluggedDevice
    private let modes: Modes
    private var output = OutputQueue(bound: Limits.serialOutput)
    private var isInLine = false
    private var endsLine = false

    /// - Parameter changed: called on the loop.
    package convenience init(
        _ settings: SerialSettings, as mode: Mode, on poll: PollLoop,
        changed: @escaping (DeviceChange) -> Void
    ) {
        self.init(settings, as: mode, on: poll, reopening: Reopening(), changed: changed)
    }

    init(
        _ settings: SerialSettings, as mode: Mode, on poll: PollLoop, reopening: Reopening,
        changed: @escaping (DeviceChange) -> Void
    ) {
        let modes = Modes(mode, bitsPerSecond: settings.bitsPerSecond)
        self.modes = modes
        octetsPerSecond = settings.bitsPerSecond / 10
        device = PluggedDevice(settings.path, on: poll, reopening: reopening, changed: changed) {
            (path) throws(Errno) in try modes.open(path)
        }
        device.onClose = { modes.restore($0) }
        device.onWritable = { [unowned self] in flush() }
    }

    private func setInput() {
        modes.setInput(
            echoes: !hidesInput && !takesKeys, inLines: !takesKeys, of: device.descriptor)
    }

    // MARK: Input

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard let count = read(into: &buffer) else {
            guard endsLine else { return nil }
            // What came before the device went is no beginning of what comes after.
            endsLine = false
            buffer[0] = Self.lineFeed
            return 1
        }
        device.worked()
        let last = buffer[count - 1]
        isInLine = !takesKeys && last != Self.lineFeed && last != Self.carriageReturn
        return count
    }

    /// - Returns: at least 1; nil when nothing waits or the device has gone.
    @_lifetime(buffer: copy buffer)
    private func read(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard let descriptor = device.descriptor else { return nil }
        let count: Int?
        do throws(Errno) {
            count = try Syscall.attempt {
                unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
                }
            }
        } catch { count = 0 }
        guard count == 0 else { return count }
        lose()
        return nil
    }

    private func lose() {
        endsLine = isInLine
        isInLine = false
        device.lost()
    }

    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D

    // MARK: Output

    /// Whether nothing waits here; the kernel may still have some.
    package var isDrained: Bool { output.isEmpty }

    /// Never blocks; what a slow line cannot take in time is left out, which it is told.
    package func write(_ text: String) {
        guard device.descriptor != nil else { return }
        output.add(text)
        flush()
    }

    private func flush() {
        guard let descriptor = device.descriptor else { return output.removeAll() }
        while true {
            let bytes = output.next(Limits.serialWriting)
            if bytes.isEmpty { break }
            let count: Int?
            do throws(Errno) {
                count = try Syscall.attempt {
                    unsafe bytes.withUnsafeBytes { source in
                        unsafe Glibc.write(descriptor, source.baseAddress, source.count)
                    }
                }
            } catch {
                output.removeAll()
                return lose()
            }
            guard let count else { return device.wantsToWrite(true) }
            output.sent(count)
        }
        device.wantsToWrite(false)
    }
}

/// How the line is set while it is ours, and how it was.
@safe private final class Modes {
    private let mode: SerialPort.Mode
    private let speed: speed_t
    private var previous: termios?
    /// Whether a console shows what is typed, and gives it line by line.
    private var echoes = true
    private var isInLines = true

    init(_ mode: SerialPort.Mode, bitsPerSecond: Int) {
        self.mode = mode
        guard let speed = Self.speed(bitsPerSecond) else {
            preconditionFailure("speeds are checked where they are read")
        }
        self.speed = speed
    }

    func open(_ path: String) throws(Errno) -> Int32 {
        let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        let descriptor = try Syscall.call { unsafe Glibc.open(path, flags, 0) }
        do throws(Errno) {
            var modes = termios()
            try Syscall.call { unsafe tcgetattr(descriptor, &modes) }
            try Syscall.call { clinux_own_terminal(descriptor) }
            previous = modes
            set(&modes)
            try Syscall.call { unsafe tcsetattr(descriptor, TCSANOW, &modes) }
            // What came before anybody listened is of another time.
            try Syscall.call { tcflush(descriptor, TCIOFLUSH) }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Closing would wait for a line that takes nothing.
    func restore(_ descriptor: Int32) {
        _ = tcflush(descriptor, TCIOFLUSH)
        if var previous { _ = unsafe tcsetattr(descriptor, TCSANOW, &previous) }
        previous = nil
        clinux_disown_terminal(descriptor)
    }

    /// - Parameter descriptor: nil while the device is away.
    func setInput(echoes: Bool, inLines isInLines: Bool, of descriptor: Int32?) {
        self.echoes = echoes
        self.isInLines = isInLines
        var modes = termios()
        guard let descriptor, mode == .console, unsafe tcgetattr(descriptor, &modes) == 0 else {
            return
        }
        setInput(&modes)
        _ = unsafe tcsetattr(descriptor, TCSANOW, &modes)
    }

    private func setInput(_ modes: inout termios) {
        modes.c_lflag &= ~tcflag_t(ECHO | ICANON)
        if echoes { modes.c_lflag |= tcflag_t(ECHO) }
        if isInLines { modes.c_lflag |= tcflag_t(ICANON) }
    }

    private func set(_ modes: inout termios) {
        unsafe cfmakeraw(&modes)
        modes.c_cflag &= ~tcflag_t(CSTOPB)
        modes.c_cflag &= ~tcflag_t(CRTSCTS)
        modes.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
        if mode == .console {
            modes.c_iflag |= tcflag_t(ICRNL)
            modes.c_oflag |= tcflag_t(OPOST) | tcflag_t(ONLCR)
            modes.c_lflag |= tcflag_t(ECHOE) | tcflag_t(ECHOK)
            setInput(&modes)
            // No key means the end: the line is there for ever.
            unsafe withUnsafeMutableBytes(of: &modes.c_cc) { keys in
                unsafe keys[Int(VEOF)] = 0
                unsafe keys[Int(VEOL)] = 0
                unsafe keys[Int(VERASE)] = 0x7F
                unsafe keys[Int(VKILL)] = 0x15
            }
        }
        unsafe cfsetispeed(&modes, speed)
        unsafe cfsetospeed(&modes, speed)
    }

    private static func speed(_ bitsPerSecond: Int) -> speed_t? {
        let names = [
            B1200, B2400, B4800, B9600, B19200, B38400, B57600, B115200, B230400, B460800, B921600,
        ]
        return SerialSettings.speeds.firstIndex(of: bitsPerSecond).map { speed_t(names[$0]) }
    }
}

internal import Base
internal import CLinux
internal import Glibc
internal import MatterNode

/// A scanner that is a keyboard, by its input device. What it types goes to this program alone,
/// not to the console of the machine. It may be pulled out and put back.
package final class KeyboardScanner: LineSource, @unchecked Sendable {
    package var onReadable: (() -> Void)? {
        didSet {
            device.onReadable = onReadable
            if onReadable == nil { device.stop() } else { device.start() }
        }
    }

    private let device: PluggedDevice
    private var keys = ScannerKeys()
    /// What was typed and not taken yet: never more than one reading of keys.
    private var typed: [UInt8] = []
    private var isInLine = false

    /// - Parameters:
    ///   - path: such as /dev/input/by-id/usb-…-event-kbd.
    ///   - changed: called on the loop.
    package convenience init(
        _ path: String, on poll: PollLoop, changed: @escaping (DeviceChange) -> Void
    ) {
        self.init(path, on: poll, reopening: Reopening(), changed: changed) {
            clinux_grab_keys($0)
        }
    }

    /// - Parameter grab: keeps the device from others; 0, or -1 and errno.
    init(
        _ path: String, on poll: PollLoop, reopening: Reopening,
        changed: @escaping (DeviceChange) -> Void, grab: @escaping (Int32) -> Int32
    ) {
        device = PluggedDevice(path, on: poll, reopening: reopening, changed: changed) {
            (path) throws(Errno) in
            let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
            let descriptor = try Syscall.call { unsafe open(path, flags, 0) }
            do throws(Errno) {
                try Syscall.call { grab(descriptor) }
                return descriptor
            } catch {
                close(descriptor)
                throw error
            }
        }
    }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        while typed.isEmpty {
            guard take() else { return nil }
        }
        let count = min(typed.count, buffer.count)
        for index in 0..<count {
            buffer[index] = typed[index]
            // It may be a setup code.
            typed[index] = 0
        }
        typed.removeFirst(count)
        return count
    }

    /// Takes keys that wait.
    /// - Returns: false when there were none.
    private func take() -> Bool {
        guard let descriptor = device.descriptor else { return false }
        var taken = [clinux_key](repeating: clinux_key(), count: Int(CLINUX_KEYS))
        let count: Int32?
        do throws(Errno) {
            count = try Syscall.attempt {
                unsafe clinux_take_keys(descriptor, &taken, CLINUX_KEYS)
            }
        } catch {
            lose()
            return !typed.isEmpty
        }
        guard let count else { return false }
        device.worked()
        for key in taken.prefix(Int(count)) { typed += keys.receive(key) }
        if let last = typed.last { isInLine = last != Self.lineFeed }
        return true
    }

    private func lose() {
        // What came before the device went is no beginning of what comes after.
        if isInLine { typed.append(Self.lineFeed) }
        isInLine = false
        keys.reset()
        device.lost()
    }

    private static let lineFeed: UInt8 = 0x0A
}

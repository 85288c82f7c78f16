internal import Glibc

/// An LED of the kernel, under /sys/class/leds. What the kernel itself showed with it is shown
/// again when this goes.
package final class KernelLED {
    private let brightness: Descriptor
    private let triggerPath: String
    private let on: [UInt8]
    /// What drove it before; nil when nothing did, or it has no such file.
    private let trigger: String?

    package static let folder = "/sys/class/leds"

    /// - Parameter name: such as "ACT".
    package init(_ name: String, in folder: String = KernelLED.folder) throws(BoardPartError) {
        let path = "\(folder)/\(name)"
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), Files.exists(path) else {
            throw .noLED
        }
        triggerPath = path + "/trigger"
        let file = path + "/brightness"
        do throws(Errno) {
            brightness = try Descriptor { unsafe open(file, O_WRONLY | O_CLOEXEC, 0) }
        } catch {
            throw error.isRefused ? .notPermitted : .system(error)
        }
        let brightest = KernelFile.text(path + "/max_brightness").flatMap { Int($0) } ?? 1
        on = Array("\(brightest)\n".utf8)
        trigger = KernelFile.text(triggerPath).flatMap { Self.current(in: $0) }
        if trigger != nil { Self.write(Self.nobody, to: triggerPath) }
        set(false)
    }

    deinit {
        if let trigger { Self.write(trigger, to: triggerPath) }
    }

    /// - Returns: false when it has gone.
    @discardableResult
    package func set(_ isOn: Bool) -> Bool {
        let text = isOn ? on : Array("0\n".utf8)
        let descriptor = brightness.rawValue
        return unsafe text.withUnsafeBytes { bytes in
            unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, 0) >= 0
        }
    }

    /// Which of the names stands in brackets; nil for none, which is no trigger.
    static func current(in triggers: String) -> String? {
        guard let start = triggers.firstIndex(of: "["), let end = triggers.firstIndex(of: "]"),
            start < end
        else { return nil }
        let name = String(triggers[triggers.index(after: start)..<end])
        return name == nobody ? nil : name
    }

    private static let nobody = "none"

    private static func write(_ text: String, to path: String) {
        guard let file = try? Descriptor({ unsafe open(path, O_WRONLY | O_CLOEXEC, 0) }) else {
            return
        }
        let descriptor = file.rawValue
        _ = unsafe text.withCString { unsafe Glibc.write(descriptor, $0, strlen($0)) }
    }
}

internal import Base
internal import Gateway
internal import LinuxIO
internal import MatterNode

// What is wrong with the hardware; the agent goes on without it.

extension Explanation {
    /// Why a part of the board cannot be used.
    init(_ part: BoardPart, _ error: BoardPartError) {
        let name = part.name
        switch error {
        case .noChip:
            self.init(
                .missingInput, "the \(name) has no GPIO chip: none of that name is here",
                remedy: "gpiodetect lists those there are")
        case .noLine:
            self.init(
                .missingInput, "the \(name)'s GPIO line is not there",
                remedy: "gpioinfo lists those there are")
        case .inUse(let user):
            let by = user.isEmpty ? "" : " by \"\(user.escapingControls)\""
            self.init(
                .busy, "the \(name)'s GPIO line is in use\(by)",
                remedy: "end what uses it; it is tried again")
        case .notPermitted:
            self.init(
                .notPermitted, "the \(name) may not be used by this user",
                remedy: "add the user to the group that owns the device, usually gpio")
        case .noLED:
            self.init(
                .missingInput, "the \(name)'s LED is not there",
                remedy: "ls /sys/class/leds lists those there are")
        case .system(let error):
            self.init(
                .operatingSystem, "the \(name) cannot be used (\(error.description))",
                remedy: "see its wiring, and the kernel's log")
        }
    }

    /// Why a scanner or a console is away.
    /// - Returns: nil for one that is back.
    init?(_ path: String, _ change: DeviceChange) {
        let name = path.escapingControls
        switch change {
        case .opened: return nil
        case .gone:
            self.init(
                .unavailable, "\(name) has gone", remedy: "plug it in; it is looked for")
        case .unavailable(let error) where error.isBusy:
            self.init(
                .busy, "\(name) is in use by another program",
                remedy: "end that, such as a login at the line; it is tried again")
        case .unavailable(let error) where error.isMissing:
            self.init(
                .unavailable, "\(name) is not there", remedy: "plug it in; it is looked for")
        case .unavailable(let error) where error.isRefused:
            self.init(
                .notPermitted, "\(name) may not be used by this user",
                remedy: "add the user to the group that owns it, usually dialout or input")
        case .unavailable(let error):
            self.init(
                .operatingSystem, "\(name) cannot be used (\(error.description))",
                remedy: "see whether it is the right device; it is tried again")
        }
    }
}

extension BoardPart {
    var name: String {
        switch self {
        case .button: "button"
        case .workLamp: "lamp"
        case .faultLamp: "fault lamp"
        case .buzzer: "buzzer"
        }
    }
}

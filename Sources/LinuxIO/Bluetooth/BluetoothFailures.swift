internal import Glibc
internal import MatterNode

/// Why the management socket or a connection could not be had.
extension BluetoothError {
    /// A call that opens the management socket failed.
    init(opening error: Errno) {
        switch error.rawValue {
        // Also what a service gets whose unit forbids the address family.
        case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT: self = .noKernelSupport
        case EPERM, EACCES: self = .notPermitted
        default: self = .system(errno: error.rawValue)
        }
    }

    /// The kernel refused a command.
    init(_ status: ManagementStatus) {
        switch status {
        case .invalidIndex: self = .noAdapter
        case .permissionDenied: self = .notPermitted
        case .blocked: self = .blocked
        case .busy: self = .inUse
        case .notSupported, .unknownCommand: self = .noLowEnergy
        case .notPowered: self = .cannotPower
        default: self = .system(errno: EIO)
        }
    }

    /// A call that begins a connection failed: nothing was sent yet.
    init(beginning error: Errno) {
        switch error.rawValue {
        case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT: self = .noKernelSupport
        case EPERM, EACCES: self = .notPermitted
        // No adapter has the address that the socket is bound to, or it is down.
        case EHOSTUNREACH, EADDRNOTAVAIL, ENODEV, ENETDOWN: self = .noAdapter
        // Another connection is being made; the controller makes one at a time.
        case EBUSY, EALREADY: self = .inUse
        case EOPNOTSUPP, ECONNREFUSED: self = .noLowEnergy
        default: self = .connectionFailed(reason: Self.reason(error))
        }
    }

    /// A connection did not come about.
    init(connecting error: Errno) {
        self = .connectionFailed(reason: Self.reason(error))
    }

    /// The controller's reason that the kernel made this number of. Linux,
    /// net/bluetooth/lib.c; where several have the same number, the likeliest of them.
    private static func reason(_ error: Errno) -> UInt8? {
        switch error.rawValue {
        // Advertising time-out; page time-out is classic Bluetooth's.
        case EHOSTDOWN: 0x3C
        case EACCES: 0x05
        // Connection time-out.
        case ETIMEDOUT: 0x08
        case EMLINK: 0x09
        case EBUSY: 0x0C
        case ECONNREFUSED: 0x0D
        // Ended by the device's user.
        case ECONNRESET: 0x13
        // Ended by this side.
        case ECONNABORTED: 0x16
        // The kernel has no number for it: failed to be established.
        case ENOSYS: 0x3E
        default: nil
        }
    }
}

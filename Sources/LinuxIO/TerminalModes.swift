internal import Glibc

/// How a terminal takes what is typed, set back when this goes.
@safe package final class TerminalModes {
    package enum Mode: Sendable {
        /// Whole lines, of which nothing is shown.
        case hidden
        /// Each key at once, and none is shown; Control-C stays a signal.
        case keys
    }

    private let descriptor: Int32
    private var previous = termios()

    package init(_ mode: Mode, of terminal: Terminal) throws(Errno) {
        descriptor = terminal.descriptor
        let descriptor = descriptor
        var modes = termios()
        try Syscall.call { unsafe tcgetattr(descriptor, &modes) }
        previous = modes
        modes.c_lflag &= ~tcflag_t(ECHO)
        if mode == .keys { modes.c_lflag &= ~tcflag_t(ICANON) }
        try Syscall.call { unsafe tcsetattr(descriptor, TCSADRAIN, &modes) }
    }

    deinit {
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &previous)
    }
}

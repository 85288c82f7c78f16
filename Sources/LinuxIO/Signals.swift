internal import CLinux
internal import Glibc

/// The signals that ask a program to do something, delivered on the loop.
///
/// They are blocked for this thread while this lives; what is pending at its end is delivered in
/// the ordinary way then.
package final class Signals {
    package enum Kind: Sendable, CaseIterable {
        /// SIGINT: somebody pressed Control-C.
        case interrupt
        /// SIGTERM: the service is to end.
        case terminate
        /// SIGHUP: the terminal has gone, or the settings are to be read again.
        case hangUp

        fileprivate var number: Int32 {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            }
        }
    }

    private let descriptor: Descriptor
    private let poll: PollLoop
    private let mask: SignalMask
    private let handler: (Kind) -> Void

    package init(on poll: PollLoop, handler: @escaping (Kind) -> Void) throws(Errno) {
        self.poll = poll
        self.handler = handler
        mask = SignalMask(blocking: Kind.allCases.map(\.number))
        descriptor = try mask.makeDescriptor()
        poll.watch(descriptor.rawValue) { [unowned self] _ in self.receive() }
    }

    deinit {
        poll.unwatch(descriptor.rawValue)
    }

    private func receive() {
        while let number = mask.next(from: descriptor) {
            if let kind = Kind.allCases.first(where: { $0.number == number }) { handler(kind) }
        }
    }

    /// Makes writing to a closed socket or pipe an error of the call instead of the end of the
    /// program. For the whole process, once.
    package static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}

/// Signals blocked for this thread until this goes.
@safe final class SignalMask {
    private var set = sigset_t()
    private var previous = sigset_t()

    init(blocking numbers: [Int32]) {
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, &previous)
    }

    deinit {
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }

    /// A descriptor that is readable while one of the signals is pending. It never blocks.
    func makeDescriptor() throws(Errno) -> Descriptor {
        let flags = Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC)
        return try Descriptor { unsafe signalfd(-1, &set, flags) }
    }

    /// Takes the number of the next pending signal.
    func next(from descriptor: borrowing Descriptor) -> Int32? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        let source = descriptor.rawValue
        let count = try? Syscall.attempt { unsafe read(source, &information, size) }
        guard count == size else { return nil }
        return Int32(information.ssi_signo)
    }
}

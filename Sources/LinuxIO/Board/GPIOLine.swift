package import Base
internal import CGPIOD
package import MatterNode

/// One line of a GPIO chip: an input that tells its edges, or an output.
///
/// Levels are the logical ones: an active-low line is active when its level is low. The line is
/// given back when this goes.
@safe package final class GPIOLine {
    package enum Use: Sendable {
        case input
        /// Inactive at first.
        case output
    }

    private let line: OpaquePointer
    private var poll: PollLoop?

    package init(_ settings: GPIOLineSettings, as use: Use) throws(BoardPartError) {
        var request = cgpiod_request()
        request.use = use == .input ? CGPIOD_USE_INPUT : CGPIOD_USE_OUTPUT
        request.is_active_low = settings.isActiveLow ? 1 : 0
        request.bias = settings.bias.request
        var name: String?
        switch settings.line {
        case .name(let text): name = text
        case .offset(let offset): request.offset = offset
        }
        var found: OpaquePointer?
        var consumer = [CChar](repeating: 0, count: Int(CGPIOD_NAME))
        let fault = unsafe cgpiod_open(settings.chip, name, &request, &found, &consumer)
        if fault == CGPIOD_FAULT_NONE, let found = unsafe found {
            unsafe line = found
            return
        }
        switch fault {
        case CGPIOD_FAULT_NO_CHIP: throw .noChip
        case CGPIOD_FAULT_NO_LINE: throw .noLine
        case CGPIOD_FAULT_DENIED: throw .notPermitted
        case CGPIOD_FAULT_IN_USE:
            let octets = consumer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .inUse(by: String(decoding: octets, as: UTF8.self))
        default: throw .system(.last)
        }
    }

    deinit {
        if let poll { poll.unwatch(unsafe cgpiod_descriptor(line)) }
        unsafe cgpiod_close(line)
    }

    /// Nil when the kernel does not tell: the chip has gone.
    package var isActive: Bool? {
        let value = unsafe cgpiod_value(line)
        return value < 0 ? nil : value == 1
    }

    /// - Returns: false when the chip has gone.
    @discardableResult
    package func set(_ isActive: Bool) -> Bool {
        unsafe cgpiod_set(line, isActive ? 1 : 0) >= 0
    }

    /// Calls the handler on the loop for each edge of an input, with the kernel's time of it.
    /// - Parameter lost: the chip has gone; called once, as the last thing.
    package func watch(
        on poll: PollLoop, _ handler: @escaping (Bool, Instant) -> Void,
        lost: @escaping () -> Void
    ) {
        precondition(self.poll == nil, "a line has one watcher")
        self.poll = poll
        poll.watch(unsafe cgpiod_descriptor(line)) { [unowned self] _ in
            if !take(until: poll.loop.now, handler) { lost() }
        }
    }

    /// - Returns: false when the chip has gone.
    private func take(until now: Instant, _ handler: (Bool, Instant) -> Void) -> Bool {
        var edges = [cgpiod_edge](repeating: cgpiod_edge(), count: Limits.edges)
        var last: Bool?
        for _ in 0..<Limits.edgeReadings {
            let count = unsafe cgpiod_take_edges(line, &edges, Int32(edges.count))
            // A chip that has gone would be readable for ever.
            if count < 0 {
                stop()
                return false
            }
            for edge in edges.prefix(Int(count)) {
                last = edge.is_active != 0
                handler(edge.is_active != 0, EdgeTime.instant(edge.nanoseconds, at: now))
            }
            if count < edges.count { break }
        }
        // The kernel drops edges that nobody took in time; the level is the last word.
        if let isActive, let last, isActive != last { handler(isActive, now) }
        return true
    }

    private func stop() {
        poll?.unwatch(unsafe cgpiod_descriptor(line))
        poll = nil
    }
}

/// When an edge was, by the loop's clock.
enum EdgeTime {
    /// - Parameter nanoseconds: of the kernel, whose clock for this is the loop's one since
    ///   Linux 5.7; before, it was that of the day, which is always ahead.
    static func instant(_ nanoseconds: Int64, at now: Instant) -> Instant {
        min(Instant(nanoseconds: nanoseconds), now)
    }
}

/// Why a part of the board cannot be used.
package enum BoardPartError: Error, Equatable {
    /// No GPIO chip of that label, name or path.
    case noChip
    case noLine
    /// - Parameter by: empty when the kernel does not tell.
    case inUse(by: String)
    case notPermitted
    case noLED
    case system(Errno)
}

extension GPIOLineSettings.Bias {
    fileprivate var request: cgpiod_bias {
        switch self {
        case .asIs: CGPIOD_BIAS_AS_IS
        case .none: CGPIOD_BIAS_DISABLED
        case .pullUp: CGPIOD_BIAS_PULL_UP
        case .pullDown: CGPIOD_BIAS_PULL_DOWN
        }
    }
}

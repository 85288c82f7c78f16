internal import Base
internal import Glibc
internal import MatterNode

/// A device file that comes and goes: open while it is there, looked for while it is not.
///
/// Scope: when it is open. Not scope: what is read from it.
final class PluggedDevice {
    private let path: String
    /// Nil while it is not there. Closed here alone.
    private(set) var descriptor: Int32?
    /// Called on the loop when the device can be read, or has gone, which reading will tell.
    var onReadable: (() -> Void)?
    var onWritable: (() -> Void)?
    /// Before it is closed.
    var onClose: (Int32) -> Void = { _ in }

    private let poll: PollLoop
    private let open: (String) throws(Errno) -> Int32
    private let changed: (DeviceChange) -> Void
    private var reopening: Reopening
    private var timer: TimerID?
    private var isWanted = false
    private var isWriting = false
    /// What was told last; nil while all was well.
    private var told: DeviceChange?

    /// - Parameters:
    ///   - changed: called when it cannot be used, and when it can again.
    ///   - open: makes a descriptor that does not block.
    init(
        _ path: String, on poll: PollLoop, reopening: Reopening = Reopening(),
        changed: @escaping (DeviceChange) -> Void,
        open: @escaping (String) throws(Errno) -> Int32
    ) {
        self.path = path
        self.poll = poll
        self.reopening = reopening
        self.changed = changed
        self.open = open
    }

    deinit { stop() }

    func start() {
        guard !isWanted else { return }
        isWanted = true
        tryToOpen()
    }

    func stop() {
        isWanted = false
        if let timer { poll.loop.cancel(timer) }
        timer = nil
        close()
    }

    /// Octets came: the next loss is a new one.
    func worked() { reopening.worked() }

    /// Reading or writing failed.
    func lost() {
        guard descriptor != nil else { return }
        close()
        tell(.gone)
        look()
    }

    /// Whether `onWritable` is called when something can be written.
    func wantsToWrite(_ wants: Bool) {
        guard wants != isWriting, let descriptor else { return }
        isWriting = wants
        poll.update(descriptor, wants ? [.readable, .writable] : .readable)
    }

    private func close() {
        guard let descriptor else { return }
        poll.unwatch(descriptor)
        onClose(descriptor)
        isWriting = false
        _ = Glibc.close(descriptor)
        self.descriptor = nil
    }

    private func tryToOpen() {
        timer = nil
        do throws(Errno) {
            let opened = try open(path)
            descriptor = opened
            poll.watch(opened) { [weak self] events in
                guard let self else { return }
                if events.contains(.writable) { onWritable?() }
                if events != .writable { onReadable?() }
            }
            if told != nil {
                told = nil
                changed(.opened)
            }
        } catch {
            tell(.unavailable(error))
            look()
        }
    }

    /// Once for each reason. One that has just gone and is not there yet is no news.
    private func tell(_ change: DeviceChange) {
        if told == .gone, change == .unavailable(Errno(ENOENT)) { return }
        guard told != change else { return }
        told = change
        changed(change)
    }

    private func look() {
        guard isWanted else { return }
        timer = poll.loop.schedule(at: poll.loop.now + reopening.next()) { [weak self] in
            self?.tryToOpen()
        }
    }
}

/// What became of a device that comes and goes.
package enum DeviceChange: Equatable, Sendable {
    case opened
    /// Pulled out, most likely. It is looked for.
    case gone
    /// It is tried again.
    case unavailable(Errno)
}

/// How long to wait before a device is looked for again: twice as long each time.
struct Reopening {
    private let first: Duration
    private let most: Duration
    private var delay: Duration

    init(first: Duration = Limits.reopenFirst, most: Duration = Limits.reopenMost) {
        self.first = first
        self.most = most
        delay = first
    }

    mutating func next() -> Duration {
        defer { delay = min(most, delay * 2) }
        return delay
    }

    /// A device that can be opened and says nothing may still be one that fails at once.
    mutating func worked() { delay = first }
}

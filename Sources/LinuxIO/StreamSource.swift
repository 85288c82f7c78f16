internal import Glibc
internal import MatterNode

/// Lines of people from an open descriptor: the terminal, a pipe, a file.
///
/// The descriptor stays as it is, for others share its open file: it is read when poll(2) says
/// that it can be, and once only. It must outlive this.
package final class StreamSource: LineSource, @unchecked Sendable {
    private let descriptor: Int32
    private let poll: PollLoop
    private var isWatched = false
    private var hasEnded = false

    package var onReadable: (() -> Void)? {
        didSet { watch(onReadable != nil) }
    }

    package init(_ terminal: Terminal, on poll: PollLoop) {
        descriptor = terminal.descriptor
        self.poll = poll
    }

    deinit { watch(false) }

    @_lifetime(buffer: copy buffer)
    package func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard !hasEnded else { return 0 }
        guard isReadable else { return nil }
        let count: Int?
        do throws(Errno) { count = try read(into: &buffer) } catch {
            // A terminal that has gone.
            count = 0
        }
        hasEnded = count == 0
        return count
    }

    @_lifetime(buffer: copy buffer)
    private func read(into buffer: inout MutableSpan<UInt8>) throws(Errno) -> Int? {
        let descriptor = descriptor
        return try Syscall.attempt {
            unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            }
        }
    }

    private var isReadable: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe Glibc.poll(&entry, 1, 0) > 0 && entry.revents != 0
    }

    private func watch(_ isWanted: Bool) {
        guard isWanted != isWatched else { return }
        isWatched = isWanted
        if isWanted {
            poll.watch(descriptor) { [weak self] _ in self?.onReadable?() }
        } else {
            poll.unwatch(descriptor)
        }
    }
}

internal import Glibc

/// The lines of an open descriptor, one at a time, without waiting for them.
package final class InputLines {
    private let descriptor: Int32
    private let poll: PollLoop
    private let handler: (String) -> Void
    private var line: [UInt8] = []
    private var isWatched = true

    /// Nothing more comes.
    package var hasEnded: Bool { !isWatched }

    /// - Parameters:
    ///   - terminal: outlives this.
    ///   - handler: called on the loop with each line, without its end. One that is longer than
    ///     `Limits.inputLine` comes cut. The end of the input is the end of the calls.
    package init(
        _ terminal: Terminal = .input, on poll: PollLoop, handler: @escaping (String) -> Void
    ) {
        descriptor = terminal.descriptor
        self.poll = poll
        self.handler = handler
        poll.watch(descriptor) { [weak self] _ in self?.receive() }
    }

    deinit { stop() }

    package func stop() {
        if isWatched { poll.unwatch(descriptor) }
        isWatched = false
    }

    /// Once for each report of poll(2): the descriptor may block, for others share it.
    private func receive() {
        var buffer = [UInt8](repeating: 0, count: Limits.inputLine)
        let descriptor = descriptor
        let count: Int?
        do throws(Errno) {
            count = try Syscall.attempt {
                unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe read(descriptor, bytes.baseAddress, bytes.count)
                }
            }
        } catch {
            // A terminal that has gone.
            count = 0
        }
        guard let count else { return }
        for octet in buffer.prefix(count) { take(octet) }
        if count == 0 {
            if !line.isEmpty { end() }
            stop()
        }
    }

    private func take(_ octet: UInt8) {
        if octet == UInt8(ascii: "\n") {
            end()
        } else if line.count < Limits.inputLine {
            line.append(octet)
        }
    }

    private func end() {
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        handler(text)
    }
}

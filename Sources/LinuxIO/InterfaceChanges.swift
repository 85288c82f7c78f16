internal import CLinux
internal import Glibc

/// Tells when an interface or one of its addresses has come, gone or changed: a cable, a lease,
/// an address that has become usable.
package final class InterfaceChanges {
    private let descriptor: Descriptor
    private let poll: PollLoop

    /// - Parameter handler: called once for all changes that have come together; it looks at the
    ///   interfaces anew.
    package init(on poll: PollLoop, handler: @escaping () -> Void) throws(Errno) {
        self.poll = poll
        descriptor = try Descriptor { clinux_open_interface_changes() }
        poll.watch(descriptor.rawValue) { [unowned self] _ in
            self.drain()
            handler()
        }
    }

    deinit {
        poll.unwatch(descriptor.rawValue)
    }

    /// What has changed is of no interest, nor is a report that some changes were too many.
    private func drain() {
        var buffer: (UInt64, UInt64) = (0, 0)
        let source = descriptor.rawValue
        var failures = 0
        while failures < Limits.receptionErrors {
            do throws(Errno) {
                let count = try Syscall.attempt {
                    unsafe recv(source, &buffer, MemoryLayout.size(ofValue: buffer), 0)
                }
                guard count != nil else { return }
            } catch {
                failures += 1
            }
        }
    }
}

internal import Base
internal import COpenSSL

/// Octets that nobody else may learn: keys, passcodes, passphrases.
///
/// The storage is on the heap at one place, is never copied by the language and is wiped when
/// the last reference goes. A secret has no description and compares in constant time.
@safe package final class Secret: Sendable {
    package let count: Int
    private nonisolated(unsafe) let storage: UnsafeMutablePointer<UInt8>

    /// Copies `bytes`; the caller wipes its own copy.
    package init(_ bytes: Span<UInt8>) {
        count = bytes.count
        unsafe storage = .allocate(capacity: max(1, bytes.count))
        for index in bytes.indices { unsafe storage[index] = bytes[index] }
    }

    /// Lets `body` write the `count` octets, which are zero before.
    package init<E: Error>(
        count: Int, filling body: (inout MutableSpan<UInt8>) throws(E) -> Void
    ) throws(E) {
        precondition(count >= 0, "a secret has no negative size")
        self.count = count
        unsafe storage = .allocate(capacity: max(1, count))
        unsafe storage.initialize(repeating: 0, count: count)
        var span = unsafe MutableSpan(_unsafeStart: storage, count: count)
        try body(&span)
    }

    deinit {
        unsafe OPENSSL_cleanse(storage, count)
        unsafe storage.deallocate()
    }

    package var span: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span(_unsafeStart: storage, count: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}

extension Secret: Equatable {
    package static func == (left: Secret, right: Secret) -> Bool {
        left.span.isEqual(to: right.span)
    }
}

package import Base
internal import COpenSSL
internal import Synchronization

/// AES-128-CCM as Matter uses it: 13-octet nonce, 16-octet tag. Core §3.6, NIST SP 800-38C.
///
/// The key is scheduled once for each direction, at its first use: a session's key only ever
/// seals or only ever opens. After that a call allocates nothing.
package final class AESCCM: Sendable {
    package static let keyBytes = 16
    package static let tagBytes = 16
    package static let nonceBytes = 13
    /// What the length field beside a 13-octet nonce can count.
    package static let plaintextBytesMax = 0xFFFF

    private let contexts: Mutex<CCMContexts>

    /// - Parameter key: 16 octets.
    package init(key: Span<UInt8>) {
        precondition(key.count == AESCCM.keyBytes, "an AES-128 key has 16 octets")
        contexts = Mutex(CCMContexts(key: Secret(key)))
    }

    /// Encrypts `plaintext` and appends the tag.
    /// - Parameters:
    ///   - nonce: never used twice with one key.
    ///   - authenticating: octets the tag covers without being part of the output.
    ///   - output: exactly 16 octets longer than `plaintext`.
    package func seal(
        _ plaintext: Span<UInt8>, nonce: FixedBytes<13>, authenticating: Span<UInt8>,
        into output: inout MutableSpan<UInt8>
    ) {
        precondition(plaintext.count <= AESCCM.plaintextBytesMax, "CCM counts in 16 bits")
        precondition(
            output.count == plaintext.count + AESCCM.tagBytes, "the output has room for the tag")
        unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe plaintext.withUnsafeBufferPointer { plaintext in
                unsafe authenticating.withUnsafeBufferPointer { authenticating in
                    unsafe nonce.span.withUnsafeBufferPointer { nonce in
                        contexts.withLock { contexts in
                            unsafe contexts.seal(plaintext, nonce, authenticating, output)
                        }
                    }
                }
            }
        }
    }

    /// Checks the tag at the end of `sealed` and decrypts what is before it.
    /// - Parameter output: exactly 16 octets shorter than `sealed`; zero after an error.
    /// - Throws: `authenticationFailed`, also when `sealed` is too short for a tag or too long.
    package func open(
        _ sealed: Span<UInt8>, nonce: FixedBytes<13>, authenticating: Span<UInt8>,
        into output: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        guard sealed.count >= AESCCM.tagBytes,
            sealed.count <= AESCCM.plaintextBytesMax + AESCCM.tagBytes
        else { throw .authenticationFailed }
        precondition(
            output.count == sealed.count - AESCCM.tagBytes, "the output has no room for the tag")
        let isAuthentic = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe sealed.withUnsafeBufferPointer { sealed in
                unsafe authenticating.withUnsafeBufferPointer { authenticating in
                    unsafe nonce.span.withUnsafeBufferPointer { nonce in
                        contexts.withLock { contexts in
                            unsafe contexts.open(sealed, nonce, authenticating, output)
                        }
                    }
                }
            }
        }
        guard isAuthentic else { throw .authenticationFailed }
    }
}

/// One cipher context for each direction: libcrypto chooses its code for the one or the other
/// when the key is set.
///
/// They have one owner and whoever uses them must have them alone, so they may go from thread
/// to thread.
@safe private struct CCMContexts: ~Copyable, @unchecked Sendable {
    private let key: Secret
    private var sealing: OpaquePointer?
    private var opening: OpaquePointer?

    init(key: Secret) {
        self.key = key
        unsafe sealing = nil
        unsafe opening = nil
    }

    mutating func seal(
        _ plaintext: UnsafeBufferPointer<UInt8>, _ nonce: UnsafeBufferPointer<UInt8>,
        _ authenticating: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let context = unsafe sealing ?? makeContext(sealing: true)
        unsafe sealing = context
        // The output holds a tag at least, so it has an address.
        let isSealed =
            unsafe EVP_CipherInit_ex(context, nil, nil, nil, nonce.baseAddress, -1) == 1
            && update(context, plaintext, authenticating, output)
            && EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(AESCCM.tagBytes),
                output.baseAddress.unsafelyUnwrapped + plaintext.count) == 1
        precondition(isSealed, "sealing fails for no input of the right sizes")
    }

    /// - Returns: whether the tag is right.
    mutating func open(
        _ sealed: UnsafeBufferPointer<UInt8>, _ nonce: UnsafeBufferPointer<UInt8>,
        _ authenticating: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        let context = unsafe opening ?? makeContext(sealing: false)
        unsafe opening = context
        let ciphertext = unsafe UnsafeBufferPointer(rebasing: sealed[0..<output.count])
        // What holds a tag has an address; libcrypto only reads there.
        let tag = unsafe UnsafeMutablePointer(
            mutating: sealed.baseAddress.unsafelyUnwrapped + output.count)
        let isReady =
            unsafe EVP_CipherInit_ex(context, nil, nil, nil, nonce.baseAddress, -1) == 1
            && EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(AESCCM.tagBytes), tag) == 1
        precondition(isReady, "nonce and tag have the sizes that were set")
        guard unsafe !update(context, ciphertext, authenticating, output) else { return true }
        unsafe output.update(repeating: 0)
        ERR_clear_error()
        return false
    }

    /// CCM wants the length first, then what is only authenticated, then everything at once.
    private func update(
        _ context: OpaquePointer, _ input: UnsafeBufferPointer<UInt8>,
        _ authenticating: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var count: Int32 = 0
        guard unsafe EVP_CipherUpdate(context, nil, &count, nil, Int32(input.count)) == 1,
            unsafe authenticating.isEmpty
                || EVP_CipherUpdate(
                    context, nil, &count, authenticating.baseAddress, Int32(authenticating.count))
                    == 1
        else { return false }
        return unsafe EVP_CipherUpdate(
            context, output.baseAddress ?? Libcrypto.nothing, &count,
            input.baseAddress ?? UnsafePointer(Libcrypto.nothing), Int32(input.count)) == 1
    }

    @inline(never)
    private func makeContext(sealing: Bool) -> OpaquePointer {
        let context = unsafe Libcrypto.present(EVP_CIPHER_CTX_new())
        let direction: Int32 = sealing ? 1 : 0
        let isReady = unsafe key.span.withUnsafeBufferPointer { key in
            unsafe EVP_CipherInit_ex(context, Libcrypto.aes128CCM, nil, nil, nil, direction) == 1
                && EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_SET_IVLEN, Int32(AESCCM.nonceBytes), nil) == 1
                && EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_SET_TAG, Int32(AESCCM.tagBytes), nil) == 1
                && EVP_CipherInit_ex(context, nil, nil, key.baseAddress, nil, direction) == 1
        }
        precondition(isReady, "AES-128-CCM takes a 13-octet nonce and a 16-octet tag")
        return unsafe context
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(sealing)
        unsafe EVP_CIPHER_CTX_free(opening)
    }
}

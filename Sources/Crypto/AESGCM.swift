package import Base
internal import COpenSSL

/// AES-256-GCM with a 12-octet nonce and a 16-octet tag. NIST SP 800-38D.
///
/// For what is sealed or opened once: each call schedules the key anew.
package struct AESGCM: Sendable {
    package static let keyBytes = 32
    package static let tagBytes = 16
    package static let nonceBytes = 12

    private let key: Secret

    /// - Parameter key: 32 octets.
    package init(key: Secret) {
        precondition(key.count == AESGCM.keyBytes, "an AES-256 key has 32 octets")
        self.key = key
    }

    /// Encrypts `plaintext` and appends the tag.
    /// - Parameters:
    ///   - nonce: never used twice with one key.
    ///   - authenticating: octets the tag covers without being part of the output.
    ///   - output: exactly 16 octets longer than `plaintext`.
    package func seal(
        _ plaintext: Span<UInt8>, nonce: FixedBytes<12>, authenticating: Span<UInt8>,
        into output: inout MutableSpan<UInt8>
    ) {
        precondition(
            output.count == plaintext.count + AESGCM.tagBytes, "the output has room for the tag")
        let context = GCMContext(key, nonce, sealing: true)
        context.authenticate(authenticating)
        unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe plaintext.withUnsafeBufferPointer { plaintext in
                unsafe context.update(plaintext, into: output)
            }
            // The output holds a tag at least, so it has an address.
            let tag = unsafe output.baseAddress.unsafelyUnwrapped + (output.count - AESGCM.tagBytes)
            unsafe context.finishSealing(tag: tag)
        }
    }

    /// Checks the tag at the end of `sealed` and decrypts what is before it.
    /// - Parameter output: exactly 16 octets shorter than `sealed`; zero after an error.
    /// - Throws: `authenticationFailed`, also when `sealed` is too short for a tag.
    package func open(
        _ sealed: Span<UInt8>, nonce: FixedBytes<12>, authenticating: Span<UInt8>,
        into output: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        guard sealed.count >= AESGCM.tagBytes else { throw .authenticationFailed }
        precondition(
            output.count == sealed.count - AESGCM.tagBytes, "the output has no room for the tag")
        let context = GCMContext(key, nonce, sealing: false)
        context.authenticate(authenticating)
        let isAuthentic = unsafe output.withUnsafeMutableBufferPointer { output in
            let isAuthentic = unsafe sealed.withUnsafeBufferPointer { sealed in
                unsafe context.update(
                    UnsafeBufferPointer(rebasing: sealed[0..<output.count]), into: output)
                // What holds a tag has an address; libcrypto only reads there.
                return unsafe context.finishOpening(
                    tag: UnsafeMutablePointer(
                        mutating: sealed.baseAddress.unsafelyUnwrapped + output.count))
            }
            if !isAuthentic { unsafe output.update(repeating: 0) }
            return isAuthentic
        }
        guard isAuthentic else { throw .authenticationFailed }
    }
}

/// One message on its way through the cipher.
@safe private struct GCMContext: ~Copyable {
    private let context: OpaquePointer

    init(_ key: Secret, _ nonce: FixedBytes<12>, sealing: Bool) {
        unsafe context = Libcrypto.present(EVP_CIPHER_CTX_new())
        // GCM's own nonce has the 12 octets.
        let isReady = unsafe key.span.withUnsafeBufferPointer { key in
            unsafe nonce.span.withUnsafeBufferPointer { nonce in
                unsafe EVP_CipherInit_ex(
                    context, Libcrypto.aes256GCM, nil, key.baseAddress, nonce.baseAddress,
                    sealing ? 1 : 0) == 1
            }
        }
        precondition(isReady, "AES-256-GCM takes a 32-octet key and a 12-octet nonce")
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    func authenticate(_ octets: Span<UInt8>) {
        guard !octets.isEmpty else { return }
        var count: Int32 = 0
        let isTaken = unsafe octets.withUnsafeBufferPointer { octets in
            unsafe EVP_CipherUpdate(
                context, nil, &count, octets.baseAddress, Int32(octets.count)) == 1
        }
        precondition(isTaken, "GCM takes associated data of any size")
    }

    /// - Parameter output: as long as `input`, or longer.
    func update(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) {
        guard !input.isEmpty else { return }
        var count: Int32 = 0
        let isDone =
            unsafe EVP_CipherUpdate(
                context, output.baseAddress, &count, input.baseAddress, Int32(input.count)) == 1
        precondition(isDone && Int(count) == input.count, "GCM is a stream")
    }

    /// - Parameter tag: where the 16 octets go.
    func finishSealing(tag: UnsafeMutablePointer<UInt8>) {
        var count: Int32 = 0
        let isSealed =
            unsafe EVP_CipherFinal_ex(context, Libcrypto.nothing, &count) == 1
            && EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagBytes), tag) == 1
        precondition(isSealed, "sealing fails for no input of the right sizes")
    }

    /// - Returns: whether the tag is right.
    func finishOpening(tag: UnsafeMutablePointer<UInt8>) -> Bool {
        var count: Int32 = 0
        let isReady =
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(AESGCM.tagBytes), tag) == 1
        precondition(isReady, "the tag has the size that was set")
        if unsafe EVP_CipherFinal_ex(context, Libcrypto.nothing, &count) == 1 { return true }
        ERR_clear_error()
        return false
    }
}

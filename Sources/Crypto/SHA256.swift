package import Base
internal import COpenSSL

/// SHA-256 of bytes at hand. FIPS 180-4.
package enum SHA256 {
    package static func digest(_ bytes: Span<UInt8>) -> FixedBytes<32> {
        unsafe oneShot(bytes, Libcrypto.sha256)
    }
}

/// SHA-1, which Matter uses for the key identifiers of certificates and nothing else.
package enum SHA1 {
    package static func digest(_ bytes: Span<UInt8>) -> FixedBytes<20> {
        unsafe oneShot(bytes, Libcrypto.sha1)
    }
}

/// SHA-256 of bytes that come in parts: a transcript.
@safe package struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    package init() {
        unsafe context = Libcrypto.present(EVP_MD_CTX_new())
        let begun = unsafe EVP_DigestInit_ex2(context, Libcrypto.sha256, nil)
        precondition(begun == 1, "SHA-256 starts")
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        let taken = unsafe bytes.withUnsafeBufferPointer {
            unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
        }
        precondition(taken == 1, "SHA-256 takes any number of octets")
    }

    /// The digest of what came so far; more may follow.
    package func digest() -> FixedBytes<32> {
        var digest = FixedBytes<32>()
        var output = digest.mutableSpan
        write(into: &output)
        return digest
    }

    /// The same where the digest is a secret.
    func secretDigest() -> Secret {
        Secret(count: 32) { output in write(into: &output) }
    }

    private func write(into output: inout MutableSpan<UInt8>) {
        let snapshot = unsafe Libcrypto.present(EVP_MD_CTX_new())
        defer { unsafe EVP_MD_CTX_free(snapshot) }
        let written = unsafe output.withUnsafeMutableBufferPointer {
            unsafe EVP_MD_CTX_copy_ex(snapshot, context) == 1
                && EVP_DigestFinal_ex(snapshot, $0.baseAddress, nil) == 1
        }
        precondition(written, "libcrypto has no memory")
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }
}

private func oneShot<let size: Int>(
    _ bytes: Span<UInt8>, _ algorithm: OpaquePointer
) -> FixedBytes<size> {
    var digest = FixedBytes<size>()
    var output = digest.mutableSpan
    let done = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe EVP_Digest(
                bytes.baseAddress, bytes.count, output.baseAddress, nil, algorithm, nil)
        }
    }
    precondition(done == 1, "libcrypto has no memory")
    return digest
}

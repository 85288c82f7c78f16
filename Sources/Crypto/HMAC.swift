package import Base
internal import COpenSSL

/// HMAC with SHA-256. RFC 2104.
package enum HMACSHA256 {
    package static func code(for message: Span<UInt8>, key: Span<UInt8>) -> FixedBytes<32> {
        var stream = HMACStream(key: key)
        stream.update(message)
        var code = FixedBytes<32>()
        var output = code.mutableSpan
        stream.finish(into: &output)
        return code
    }
}

/// One HMAC-SHA256 in parts. The key is wiped with the context.
@safe struct HMACStream: ~Copyable {
    private let context: OpaquePointer

    /// - Parameter key: of any size; empty counts as zeros.
    init(key: Span<UInt8>) {
        unsafe context = Libcrypto.present(EVP_MAC_CTX_dup(Libcrypto.hmacSHA256))
        let begun = unsafe key.withUnsafeBufferPointer { key in
            // Without an address libcrypto would keep the former key.
            let address = unsafe key.baseAddress ?? UnsafePointer(Libcrypto.nothing)
            return unsafe EVP_MAC_init(context, address, key.count, nil)
        }
        precondition(begun == 1, "libcrypto has no memory")
    }

    mutating func update(_ bytes: Span<UInt8>) {
        let taken = unsafe bytes.withUnsafeBufferPointer {
            unsafe EVP_MAC_update(context, $0.baseAddress, $0.count)
        }
        precondition(taken == 1, "HMAC takes any number of octets")
    }

    /// Writes the code; to be called once, at the end.
    /// - Parameter output: 32 octets.
    mutating func finish(into output: inout MutableSpan<UInt8>) {
        precondition(output.count == 32, "an HMAC-SHA256 has 32 octets")
        var count = 0
        let written = unsafe output.withUnsafeMutableBufferPointer {
            unsafe EVP_MAC_final(context, $0.baseAddress, &count, $0.count)
        }
        precondition(written == 1 && count == 32, "an HMAC-SHA256 has 32 octets")
    }

    deinit {
        unsafe EVP_MAC_CTX_free(context)
    }
}

internal import Base
internal import COpenSSL

/// PBKDF2 with HMAC-SHA256. RFC 8018 §5.2.
package enum PBKDF2 {
    /// Takes its time: every iteration is one HMAC for each 32 octets asked for.
    /// - Parameters:
    ///   - iterations: 1 or more; what a peer may ask for is bounded by the caller.
    ///   - count: octets to derive, 1 or more.
    package static func derive(
        password: Span<UInt8>, salt: Span<UInt8>, iterations: Int, count: Int
    ) -> Secret {
        precondition(iterations >= 1 && iterations <= Int32.max, "PBKDF2 repeats at least once")
        precondition(count >= 1, "PBKDF2 derives at least one octet")
        return Secret(count: count) { output in
            let derived = unsafe password.withUnsafeBufferPointer { password in
                unsafe salt.withUnsafeBufferPointer { salt in
                    unsafe output.withUnsafeMutableBufferPointer { output in
                        unsafe PKCS5_PBKDF2_HMAC(
                            UnsafeRawPointer(password.baseAddress)?
                                .assumingMemoryBound(to: CChar.self),
                            Int32(password.count), salt.baseAddress, Int32(salt.count),
                            Int32(iterations), Libcrypto.sha256, Int32(count), output.baseAddress)
                    }
                }
            }
            precondition(derived == 1, "libcrypto has no memory")
        }
    }
}

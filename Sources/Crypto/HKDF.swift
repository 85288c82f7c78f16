internal import Base

/// HKDF with SHA-256: extract and expand in one step. RFC 5869.
package enum HKDF {
    /// - Parameters:
    ///   - salt: may be empty.
    ///   - info: what the derived octets are for, as text.
    ///   - count: octets to derive, 1 ... 255 * 32.
    package static func derive(
        key: Span<UInt8>, salt: Span<UInt8>, info: StaticString, count: Int
    ) -> Secret {
        let text = unsafe Span(_unsafeStart: info.utf8Start, count: info.utf8CodeUnitCount)
        return derive(key: key, salt: salt, info: text, count: count)
    }

    package static func derive(
        key: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>, count: Int
    ) -> Secret {
        precondition(count >= 1 && count <= 255 * 32, "HKDF-SHA256 derives 1 to 8160 octets")
        var extract = HMACStream(key: salt)
        extract.update(key)
        let extracted = Secret(count: 32) { output in extract.finish(into: &output) }
        return Secret(count: count) { output in
            var block = Secret(Span())
            for index in output.indices {
                if index % 32 == 0 {
                    block = expanded(
                        extracted, after: block, info: info, counter: UInt8(index / 32 + 1))
                }
                output[index] = block.span[index % 32]
            }
        }
    }

    /// The next 32 octets; `previous` is empty before the first.
    private static func expanded(
        _ key: Secret, after previous: Secret, info: Span<UInt8>, counter: UInt8
    ) -> Secret {
        var last = FixedBytes<1>()
        last[0] = counter
        var expand = HMACStream(key: key.span)
        expand.update(previous.span)
        expand.update(info)
        expand.update(last.span)
        return Secret(count: 32) { output in expand.finish(into: &output) }
    }
}

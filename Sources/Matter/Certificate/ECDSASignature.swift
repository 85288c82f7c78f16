internal import Base

/// The two forms of an ECDSA P-256 signature: 64 octets r‖s (Core §3.5.3), and the DER sequence
/// of two INTEGERs that X.509, PKCS#10 and CMS carry.
enum ECDSASignature {
    /// - Parameter bytes: the whole DER sequence.
    static func decode(_ bytes: Span<UInt8>) throws(DERError) -> FixedBytes<64> {
        var outer = DERReader(bytes)
        var numbers = DERReader(try outer.require(.sequence))
        try outer.requireEnd()
        var signature = FixedBytes<64>()
        try number(&numbers, into: &signature, at: 0)
        try number(&numbers, into: &signature, at: 32)
        try numbers.requireEnd()
        return signature
    }

    static func encode(_ signature: FixedBytes<64>, to writer: inout DERWriter) {
        let start = writer.open(.sequence)
        writer.integer(magnitude: signature.span.extracting(0..<32))
        writer.integer(magnitude: signature.span.extracting(32..<64))
        writer.close(start)
    }

    /// The same inside a BIT STRING, as certificates and requests end with it.
    static func encodeBitString(_ signature: FixedBytes<64>, to writer: inout DERWriter) {
        var encoded = DERWriter(capacity: 72)
        encode(signature, to: &encoded)
        writer.bitString(encoded.bytes.span)
    }

    /// Right-aligns a positive INTEGER of at most 256 bits in its 32 octets.
    private static func number(
        _ reader: inout DERReader, into signature: inout FixedBytes<64>, at position: Int
    ) throws(DERError) {
        let element = try reader.require(.integer)
        var digits = element.content
        guard digits.count >= 1, digits[0] < 0x80 else { throw .invalidValue(at: element.offset) }
        if digits[0] == 0, digits.count > 1 {
            guard digits[1] >= 0x80 else { throw .invalidValue(at: element.offset) }
            digits = digits.extracting(1..<digits.count)
        }
        guard digits.count <= 32 else { throw .invalidValue(at: element.offset) }
        let first = position + 32 - digits.count
        for index in digits.indices { signature[first + index] = digits[index] }
    }
}

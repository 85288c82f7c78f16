internal import Base

/// Certificates in a file: DER as it is, or PEM (RFC 7468) between whatever other text.
package enum PEM {
    /// - Parameter file: at most `Limits.authorityFile` octets.
    /// - Returns: the DER of each certificate.
    /// - Throws: `tooLong`, or `noCertificate` where there is none or one is not Base64.
    package static func certificates(
        in file: Span<UInt8>
    ) throws(CertificateError) -> [[UInt8]] {
        guard file.count <= Limits.authorityFile else { throw .tooLong }
        if file.count > 0, file[0] == DERTag.sequence.rawValue { return [[UInt8](file)] }
        let begin = [UInt8]("-----BEGIN CERTIFICATE-----".utf8)
        let end = [UInt8]("-----END CERTIFICATE-----".utf8)
        var certificates: [[UInt8]] = []
        var text: [UInt8]?
        var lines = TextLines(file)
        while let line = lines.next() {
            if line.isEqual(to: begin) {
                guard text == nil else { throw .noCertificate }
                text = []
            } else if line.isEqual(to: end) {
                guard let encoded = text, let bytes = decodeBase64(encoded), !bytes.isEmpty else {
                    throw .noCertificate
                }
                certificates.append(bytes)
                text = nil
            } else if text != nil {
                text?.append(contentsOf: line)
            }
        }
        guard text == nil, !certificates.isEmpty else { throw .noCertificate }
        return certificates
    }

    /// RFC 4648 §4 with padding; blanks are passed over.
    private static func decodeBase64(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var digits = 0
        var padding = 0
        for character in text where character != 0x20 && character != 0x09 {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = base64Value(character) else { return nil }
            bits = bits << 6 | UInt32(value)
            digits += 1
            if digits % 4 != 1 {
                let shift = UInt32((4 - digits % 4) % 4 * 2)
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        guard padding <= 2, (digits + padding) % 4 == 0 else { return nil }
        return bytes
    }

    private static func base64Value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

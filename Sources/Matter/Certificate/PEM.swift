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

    /// RFC 7468 §5: lines of 64 characters.
    package static func text(certificate: Span<UInt8>) -> String {
        var text = "-----BEGIN CERTIFICATE-----\n"
        var start = 0
        while start < certificate.count {
            let end = min(start + 48, certificate.count)
            text += base64(certificate.extracting(start..<end)) + "\n"
            start = end
        }
        return text + "-----END CERTIFICATE-----\n"
    }

    /// RFC 4648 §4.
    private static func base64(_ octets: Span<UInt8>) -> String {
        var characters: [UInt8] = []
        for start in stride(from: 0, to: octets.count, by: 3) {
            let count = min(3, octets.count - start)
            var bits: UInt32 = 0
            for index in 0..<3 {
                bits = bits << 8 | (index < count ? UInt32(octets[start + index]) : 0)
            }
            for place in 0..<4 {
                let digit = Int(bits >> UInt32(18 - 6 * place) & 0x3F)
                characters.append(place <= count ? alphabet[digit] : UInt8(ascii: "="))
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    private static let alphabet = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

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

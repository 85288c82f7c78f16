import Base
import Crypto
import Matter

/// Setup codes made for tests, right and wrong ones. A test may hold them as text.
enum SetupCodes {
    static func parse(_ text: String) throws(SetupPayloadError) -> [SetupPayload] {
        let line = Array(text.utf8)
        return try SetupPayload.parse(line.span)
    }

    /// Why the text is refused, or nil when it is not.
    static func refusal(_ text: String) -> SetupPayloadError? {
        do throws(SetupPayloadError) {
            _ = try parse(text)
            return nil
        } catch { return error }
    }

    static func text(_ secret: Secret) -> String {
        String(decoding: [UInt8](secret.span), as: UTF8.self)
    }

    static func passcode(_ payload: SetupPayload) -> UInt32 {
        [UInt8](payload.passcode.span).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func secret(_ passcode: UInt32) -> Secret {
        let octets = (0..<4).map { UInt8(truncatingIfNeeded: passcode >> UInt32(8 * $0)) }
        return Secret(octets.span)
    }

    /// QR text of any field values, also of those that a device may not have.
    static func qr(
        version: UInt64 = 0, vendor: UInt64 = 0xFFF1, product: UInt64 = 0x8001, flow: UInt64 = 0,
        capabilities: UInt64 = 2, discriminator: UInt64 = 3840, passcode: UInt64 = 20_202_021,
        padding: UInt64 = 0, tlv: [UInt8] = []
    ) -> String {
        var bits: [UInt64] = []
        for (value, width) in [
            (version, 3), (vendor, 16), (product, 16), (flow, 2), (capabilities, 8),
            (discriminator, 12), (passcode, 27), (padding, 4),
        ] {
            for bit in 0..<width { bits.append(value >> UInt64(bit) & 1) }
        }
        var octets: [UInt8] = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt8(bits[start + $1]) << UInt8($1) }
        }
        octets += tlv
        return "MT:" + base38(octets)
    }

    static func base38(_ octets: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: Base38.characterCount(octets: octets.count))
        var span = text.mutableSpan
        Base38.encode(octets.span, into: &span, at: 0)
        return String(decoding: text, as: UTF8.self)
    }

    /// Digits with their check digit, whatever they say.
    static func manual(_ digits: String) -> String {
        let values = digits.utf8.map { $0 - UInt8(ascii: "0") }
        return digits + String(Verhoeff.checkDigit(of: values.span))
    }

    /// A manual code of any passcode, also of a forbidden one.
    static func manual(passcode: UInt32, discriminator: UInt32 = 0xF) -> String {
        let first = String(discriminator >> 2)
        let low = (discriminator & 3) << 14 | passcode & 0x3FFF
        return manual(first + padded(low, 5) + padded(passcode >> 14, 4))
    }

    static func padded(_ number: UInt32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}

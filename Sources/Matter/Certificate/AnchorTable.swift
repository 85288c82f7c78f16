internal import Base
internal import Crypto

/// Reads the built-in tables of trust anchors, which are text in the program itself: nothing is
/// made of them before somebody is looked up.
///
/// A record is four lines: key id, vendor id or dashes, first and last second of the validity;
/// the name; and the two halves of the public key.
enum AnchorTable {
    static func find(
        _ keyID: FixedBytes<20>, in table: String, isTest: Bool = false
    ) -> TrustAnchor? {
        read(table, isTest: isTest, only: [UInt8](Hex.lower(keyID.span).utf8)).first
    }

    static func all(_ table: String, isTest: Bool = false) -> [TrustAnchor] {
        read(table, isTest: isTest, only: nil)
    }

    private static func read(
        _ table: String, isTest: Bool, only keyID: [UInt8]?
    ) -> [TrustAnchor] {
        var found: [TrustAnchor] = []
        let text = table.utf8
        var lines = TextLines(text.span)
        while let head = lines.next(), let name = lines.next(), let x = lines.next(),
            let y = lines.next()
        {
            if let keyID, !head.extracting(0..<keyID.count).isEqual(to: keyID) { continue }
            guard let anchor = anchor(head, name, x, y, isTest) else {
                preconditionFailure("the table is generated, and a test reads all of it")
            }
            found.append(anchor)
            if keyID != nil { break }
        }
        return found
    }

    private static func anchor(
        _ head: Span<UInt8>, _ name: Span<UInt8>, _ x: Span<UInt8>, _ y: Span<UInt8>,
        _ isTest: Bool
    ) -> TrustAnchor? {
        guard head.count == 75, let keyID = hex(head.extracting(0..<40)),
            let notBefore = MatterTime(digits: head.extracting(46..<60), yearDigits: 4),
            let notAfter = MatterTime(digits: head.extracting(61..<75), yearDigits: 4),
            let x = hex(x), let y = hex(y)
        else { return nil }
        let key: P256.PublicKey
        do throws(CryptoError) { key = try P256.PublicKey(([4] + x + y).span) } catch {
            return nil
        }
        let vendor = Hex.number(upper: head.extracting(41..<45))
        return TrustAnchor(
            name: String(decoding: [UInt8](name), as: UTF8.self),
            subjectKeyID: FixedBytes(copying: keyID.span), publicKey: key,
            vendorID: vendor.map { VendorID(UInt16(truncatingIfNeeded: $0)) },
            validity: Validity(notBefore: notBefore, notAfter: notAfter), isTest: isTest)
    }

    private static func hex(_ digits: Span<UInt8>) -> [UInt8]? {
        Hex.decode(String(decoding: [UInt8](digits), as: UTF8.self))
    }
}

/// The lines of a text, without their line feeds and carriage returns.
struct TextLines: ~Escapable {
    private let text: Span<UInt8>
    private var position = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        self.text = text
    }

    @_lifetime(copy self) @_lifetime(self: copy self)
    mutating func next() -> Span<UInt8>? {
        guard position < text.count else { return nil }
        let start = position
        while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
        var end = position
        if end > start, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        position += 1
        return text.extracting(start..<end)
    }
}

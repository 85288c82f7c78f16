import Base
import Matter
import Testing

@Suite("DERReader and DERWriter")
struct DERTests {
    @Test("X.690 §10.1 only the shortest definite length is read")
    func lengths() {
        #expect(Self.refusal([0x04, 0x00]) == nil)
        #expect(Self.refusal([0x04, 0x80, 0, 0]) == .invalidLength(at: 0))
        #expect(Self.refusal([0x04, 0x81, 0x01, 0]) == .invalidLength(at: 0))
        #expect(Self.refusal([0x04, 0x82, 0x00, 0x01, 0]) == .invalidLength(at: 0))
        #expect(Self.refusal([0x04, 0x83, 0x01, 0x00, 0x00]) == .invalidLength(at: 0))
        #expect(Self.refusal([0x04, 0xFF]) == .invalidLength(at: 0))
        #expect(Self.refusal([0x04, 0x82, 0x01]) == .truncated(at: 0))
        #expect(Self.refusal([0x04, 0x02, 0x01]) == .truncated(at: 0))
        #expect(Self.refusal([0x04]) == .truncated(at: 0))
        #expect(Self.refusal([]) == .truncated(at: 0))
        #expect(Self.refusal([0x1F, 0x81, 0x00, 0x00]) == .unexpectedTag(at: 0))
        #expect(Self.refusal([0x04, 0x81, 0x80] + [UInt8](repeating: 0, count: 128)) == nil)
        #expect(Self.refusal([0x04, 0x82, 1, 0] + [UInt8](repeating: 0, count: 256)) == nil)
    }

    @Test("offsets count from the outermost octet")
    func offsets() throws {
        let bytes: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x05, 0x30, 0x01, 0x04]
        var outer = DERReader(bytes.span)
        var inner = DERReader(try outer.require(.sequence))
        try outer.requireEnd()
        #expect(try inner.require(.integer).integer() == 5)
        var innermost = DERReader(try inner.require(.sequence))
        var error: DERError?
        do throws(DERError) { _ = try innermost.next() } catch let thrown { error = thrown }
        #expect(error == .truncated(at: 7))
    }

    @Test(
        "lengths of one, two and three octets are written and read back",
        arguments: [
            0, 1, 127, 128, 255, 256, 600, 65535,
        ])
    func writtenLengths(count: Int) throws {
        let content = [UInt8](repeating: 7, count: count)
        var writer = DERWriter(capacity: 16)
        writer.primitive(.octetString, content.span)
        let bytes = writer.bytes
        var reader = DERReader(bytes.span)
        let read = [UInt8](try reader.require(.octetString).content)
        #expect(read == content)
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    private static func refusal(_ bytes: [UInt8]) -> DERError? {
        var reader = DERReader(bytes.span)
        do throws(DERError) {
            _ = try reader.next()
            return nil
        } catch { return error }
    }
}

import Base
import Testing

@Suite("Bytes")
struct BytesTests {
    @Test("integers keep their order of octets, both ways")
    func integers() throws {
        let bytes = try [UInt8](capacity: 16) { writer throws(ByteError) in
            try writer.uint16(0x0102)
            try writer.bigEndian(0x0A0B0C, width: 3)
            try writer.uint64(0x1122_3344_5566_7788)
        }
        #expect(Hex.lower(bytes.span) == "02010a0b0c8877665544332211")
        var reader = ByteReader(bytes.span)
        #expect(try reader.uint16() == 0x0102)
        #expect(try reader.bigEndian(width: 3) == 0x0A0B0C)
        #expect(try reader.uint64() == 0x1122_3344_5566_7788)
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    @Test("a read past the end throws and stays")
    func truncated() throws {
        let bytes: [UInt8] = [1, 2, 3]
        var reader = ByteReader(bytes.span)
        _ = try reader.uint8()
        var error: ByteError?
        do throws(ByteError) { _ = try reader.uint32() } catch let thrown { error = thrown }
        #expect(error == .truncated(at: 1))
        let remaining = reader.remaining
        #expect(remaining == 2)
    }

    @Test("fixed bytes compare by content and refuse other lengths")
    func fixed() {
        let three: [UInt8] = [1, 2, 3]
        #expect(FixedBytes<4>(three.span) == nil)
        #expect(FixedBytes<3>(three.span) == FixedBytes<3>(three.span))
        #expect(FixedBytes<3>(three.span) != FixedBytes<3>())
        let long = [UInt8](repeating: 7, count: 65)
        #expect(FixedBytes<65>(long.span) != FixedBytes<65>())
        #expect([UInt8](FixedBytes<65>(copying: long.span)) == long)
    }
}

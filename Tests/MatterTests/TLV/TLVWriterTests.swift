import Base
import Matter
import Testing

@Suite("TLVWriter")
struct TLVWriterTests {
    @Test("A.7 integers take the fewest octets that hold them")
    func shortestIntegers() throws {
        func written(
            _ body: (inout TLVWriter) throws(TLVError) -> Void
        ) throws(TLVError) -> [UInt8] {
            var buffer = [UInt8](repeating: 0xEE, count: 16)
            var writer = TLVWriter(buffer.mutableSpan)
            try body(&writer)
            let count = writer.count
            return Array(buffer[..<count])
        }
        let unsigned: [(UInt64, UInt8, Int)] = [
            (0, 0x04, 1), (0xFF, 0x04, 1), (0x100, 0x05, 2), (0xFFFF, 0x05, 2),
            (0x1_0000, 0x06, 4), (0xFFFF_FFFF, 0x06, 4), (0x1_0000_0000, 0x07, 8), (.max, 0x07, 8),
        ]
        for (number, type, width) in unsigned {
            let bytes = try written { writer throws(TLVError) in
                try writer.unsigned(number, tag: .anonymous)
            }
            #expect(bytes[0] == type)
            #expect(bytes.count == 1 + width)
            #expect(bytes.dropFirst().reversed().reduce(0) { $0 << 8 | UInt64($1) } == number)
        }
        let signed: [(Int64, UInt8, Int)] = [
            (0, 0x00, 1), (-1, 0x00, 1), (127, 0x00, 1), (-128, 0x00, 1), (128, 0x01, 2),
            (-129, 0x01, 2), (32767, 0x01, 2), (-32768, 0x01, 2), (32768, 0x02, 4),
            (-32769, 0x02, 4), (0x7FFF_FFFF, 0x02, 4), (-0x8000_0000, 0x02, 4),
            (0x8000_0000, 0x03, 8), (-0x8000_0001, 0x03, 8), (.max, 0x03, 8), (.min, 0x03, 8),
        ]
        for (number, type, width) in signed {
            let bytes = try written { writer throws(TLVError) in
                try writer.signed(number, tag: .anonymous)
            }
            #expect(bytes[0] == type, "\(number)")
            #expect(bytes.count == 1 + width)
            var reader = TLVReader(bytes.span)
            #expect(try reader.require().integer(as: Int64.self) == number)
        }
    }

    @Test("A.7 string lengths and tags take the fewest octets that hold them")
    func shortestLengths() throws {
        for (count, head) in [
            (0, [0x10, 0]), (255, [0x10, 0xFF]), (256, [0x11, 0x00, 0x01]),
            (65535, [0x11, 0xFF, 0xFF]), (65536, [0x12, 0, 0, 1, 0]),
        ] as [(Int, [UInt8])] {
            var buffer = [UInt8](repeating: 0, count: count + 8)
            let octets = [UInt8](repeating: 0x55, count: count)
            var writer = TLVWriter(buffer.mutableSpan)
            try writer.octets(octets.span, tag: .anonymous)
            let written = writer.count
            #expect(Array(buffer[..<written]) == head + octets)
        }
        for (tag, bytes) in [
            (.context(255), [0x34, 0xFF]), (.commonProfile(0xFFFF), [0x54, 0xFF, 0xFF]),
            (.commonProfile(0x10000), [0x74, 0, 0, 1, 0]),
            (.implicitProfile(0xFFFF), [0x94, 0xFF, 0xFF]),
            (.implicitProfile(0x10000), [0xB4, 0, 0, 1, 0]),
            (
                .fullyQualified(vendor: 1, profile: 2, number: 0xFFFF),
                [0xD4, 1, 0, 2, 0, 0xFF, 0xFF]
            ),
            (
                .fullyQualified(vendor: 1, profile: 2, number: 0x10000),
                [0xF4, 1, 0, 2, 0, 0, 0, 1, 0]
            ),
        ] as [(TLVTag, [UInt8])] {
            var buffer = [UInt8](repeating: 0, count: 16)
            var writer = TLVWriter(buffer.mutableSpan)
            try writer.null(tag: tag)
            let written = writer.count
            #expect(Array(buffer[..<written]) == bytes)
        }
    }

    @Test("a message read and written again is the same octets")
    func roundTrip() throws {
        #expect(try TLVSample.rewritten(TLVSample.message) == TLVSample.message)
    }

    @Test("what does not fit throws and leaves the writer as it was, at every capacity")
    func full() {
        let message = TLVSample.message
        for capacity in 0..<message.count {
            var buffer = [UInt8](repeating: 0, count: capacity)
            var writer = TLVWriter(buffer.mutableSpan)
            var failures = 0
            try? TLVSample.rewrite(message, &writer) { error, before, after in
                failures += 1
                #expect(error == .full(at: before.0))
                #expect(before == after)
            }
            #expect(failures == 1)
            let count = writer.count
            #expect(Array(buffer[..<count]) == Array(message[..<count]))
        }
    }

    @Test("`element` gives an encoded element another tag, whatever its form was")
    func retagging() throws {
        let nested: [UInt8] = [0x36, 0x01, 0x04, 0x02, 0x15, 0x24, 0x01, 0x02, 0x18, 0x18]
        let elements = TLVSample.unsignedOne.map(\.bytes) + [nested]
        for bytes in elements {
            for tag in [
                .anonymous, .context(7), .commonProfile(1), .commonProfile(0x10000),
                .fullyQualified(vendor: 1, profile: 2, number: 3),
            ] as [TLVTag] {
                var buffer = [UInt8](repeating: 0, count: 32)
                var writer = TLVWriter(buffer.mutableSpan)
                try writer.element(bytes.span, tag: tag)
                let count = writer.count
                let written = Array(buffer[..<count])
                var reader = TLVReader(written.span)
                let element = try reader.require()
                let read = element.tag
                #expect(read == tag)
                if bytes == nested {
                    #expect([UInt8](try reader.content()) == Array(nested[2..<9]))
                } else {
                    #expect(try element.unsigned() == 1)
                }
                let isAtEnd = reader.isAtEnd
                #expect(isAtEnd)
            }
        }
    }

    @Test("an element that does not fit under its new tag leaves the writer as it was")
    func retaggingFull() {
        let element: [UInt8] = [0x2C, 0x01, 0x03, 0x61, 0x62, 0x63]
        for capacity in 0...6 {
            var buffer = [UInt8](repeating: 0, count: capacity + 1)
            var writer = TLVWriter(buffer.mutableSpan)
            var error: TLVError?
            do throws(TLVError) {
                try writer.null(tag: .anonymous)
                try writer.element(element.span, tag: .context(9))
            } catch let thrown { error = thrown }
            let count = writer.count
            #expect(error == (capacity < 6 ? .full(at: 1) : nil))
            #expect(count == (capacity < 6 ? 1 : 7))
        }
    }

    @Test("what is no element is not written")
    func retaggingNothing() {
        for bytes in [[], [0x24], [0x18], [0x1F]] as [[UInt8]] {
            var buffer = [UInt8](repeating: 0, count: 8)
            var writer = TLVWriter(buffer.mutableSpan)
            var error: TLVError?
            do throws(TLVError) {
                try writer.element(bytes.span, tag: .context(1))
            } catch let thrown { error = thrown }
            let count = writer.count
            #expect(error != nil)
            #expect(count == 0)
        }
    }

    @Test("containers nest to the limit and no deeper")
    func depth() throws {
        var buffer = [UInt8](repeating: 0, count: 64)
        var writer = TLVWriter(buffer.mutableSpan)
        for _ in 0..<Limits.tlvDepth { try writer.open(.array, tag: .anonymous) }
        var error: TLVError?
        do throws(TLVError) { try writer.open(.list, tag: .anonymous) } catch let thrown {
            error = thrown
        }
        #expect(error == .tooDeep(at: Limits.tlvDepth))
        for _ in 0..<Limits.tlvDepth { try writer.end() }
        let (count, depth) = (writer.count, writer.depth)
        #expect(count == 2 * Limits.tlvDepth)
        #expect(depth == 0)
        #expect(TLVSample.fault(Array(buffer[..<count])) == nil)
    }

    @Test("`rewind` forgets what was written since")
    func rewind() throws {
        var buffer = [UInt8](repeating: 0, count: 16)
        var writer = TLVWriter(buffer.mutableSpan)
        try writer.open(.array, tag: .anonymous)
        let mark = writer.count
        let depth = writer.depth
        try writer.open(.structure, tag: .anonymous)
        try writer.null(tag: .context(1))
        writer.rewind(to: mark, depth: depth)
        try writer.boolean(true, tag: .anonymous)
        try writer.end()
        let count = writer.count
        #expect(Array(buffer[..<count]) == [0x16, 0x09, 0x18])
    }
}

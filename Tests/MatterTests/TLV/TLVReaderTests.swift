import Base
import Matter
import TestVectors
import Testing

@Suite("TLVReader")
struct TLVReaderTests {
    @Test("Appendix A: malformed input throws, none of it is accepted")
    func malformed() {
        let vectors = TestVectors.load("tlv")["malformed"].array
        #expect(vectors.count == 10)
        for vector in vectors {
            let bytes = vector["hex"].hex
            #expect(TLVSample.fault(bytes) != nil, "\(vector["why"].string)")
        }
    }

    @Test("A.7 a fault is named with the offset of its element")
    func faults() {
        let faults: [([UInt8], TLVError)] = [
            ([0x04, 0x01, 0x24], .truncated(at: 2)),
            ([0x04, 0x01, 0x0C, 0x02, 0x61], .truncated(at: 2)),
            ([0x04, 0x01, 0x18], .unbalancedEnd(at: 2)),
            ([0x15, 0x18, 0x19], .unknownType(at: 2)),
            ([0x15, 0x04, 0x01, 0x18], .misplacedTag(at: 1)),
            ([0x15, 0x38, 0x00], .misplacedTag(at: 1)),
            ([0x16, 0x24, 0x00, 0x01, 0x18], .misplacedTag(at: 1)),
            ([0x16, 0x44, 0x00, 0x00, 0x01, 0x18], .misplacedTag(at: 1)),
            ([0x16, 0x15, 0x18, 0x35, 0x00, 0x18, 0x18], .misplacedTag(at: 3)),
            ([0x15, 0x24, 0x01, 0x01], .truncated(at: 4)),
        ]
        for (bytes, error) in faults {
            #expect(TLVSample.fault(bytes) == error, "\(Hex.lower(bytes.span))")
        }
        for type in UInt8(0x19)...0x1F {
            for form in UInt8(0)...7 {
                let bytes = [form << 5 | type] + [UInt8](repeating: 0, count: 16)
                #expect(TLVSample.fault(bytes) == .unknownType(at: 0))
            }
        }
    }

    @Test("A.5 each kind of container decides about its members' tags")
    func tags() {
        for (control, bytes) in TLVSample.unsignedOne {
            let isAnonymous = control == 0
            #expect(TLVSample.fault(bytes) == nil)
            #expect(TLVSample.fault([0x17] + bytes + [0x18]) == nil)
            #expect((TLVSample.fault([0x15] + bytes + [0x18]) == nil) == !isAnonymous)
            #expect((TLVSample.fault([0x16] + bytes + [0x18]) == nil) == isAnonymous)
            for (kind, isRefused) in [
                (TLVContainer.none, false), (.structure, isAnonymous), (.array, !isAnonymous),
                (.list, false),
            ] {
                var reader = TLVReader(bytes.span, in: kind)
                let error = TLVSample.fault(&reader)
                #expect((error != nil) == isRefused)
            }
        }
    }

    @Test("containers nest to the limit and no deeper")
    func depth() {
        let deepest = [UInt8](repeating: 0x16, count: Limits.tlvDepth)
        let ends = [UInt8](repeating: 0x18, count: Limits.tlvDepth)
        #expect(TLVSample.fault(deepest + ends) == nil)
        #expect(TLVSample.fault(deepest + ends + deepest + ends) == nil)
        let deeper = deepest + [0x16, 0x18] + ends
        #expect(TLVSample.fault(deeper) == .tooDeep(at: Limits.tlvDepth))
        // The kind of every open container is still known at the bottom.
        var mixed: [UInt8] = []
        for level in 0..<Limits.tlvDepth { mixed += level % 2 == 1 ? [0x36, 0x01] : [0x15] }
        var closing: [UInt8] = []
        for level in (0..<Limits.tlvDepth).reversed() {
            closing += level % 2 == 1 ? [0x04, 0x01, 0x18] : [0x24, 0x07, 0x01, 0x18]
        }
        #expect(TLVSample.fault(mixed + closing) == nil)
    }

    @Test("every truncation of a nested message throws")
    func truncations() {
        let message = TLVSample.message
        #expect(TLVSample.fault(message) == nil)
        for count in 1..<message.count {
            let error = TLVSample.fault(Array(message[..<count]))
            guard case .truncated = error else {
                Issue.record("\(count) octets: \(String(describing: error))")
                continue
            }
        }
    }

    @Test("random and damaged bytes end in a fault or in the end of the bytes")
    func arbitraryBytes() {
        var numbers = SeededNumbers(seed: 5)
        var accepted = 0
        for round in 0..<20_000 {
            var bytes = numbers.bytes(Int.random(in: 0...64, using: &numbers))
            if round % 2 == 0 {
                bytes = TLVSample.message
                for _ in 0...Int.random(in: 0...3, using: &numbers) {
                    let index = Int.random(in: 0..<bytes.count, using: &numbers)
                    bytes[index] = UInt8.random(in: 0...255, using: &numbers)
                }
            }
            var reader = TLVReader(bytes.span)
            let elements = TLVSample.walk(&reader)
            // Every element takes at least its control octet.
            #expect(elements.count <= bytes.count)
            #expect(reader.offset <= bytes.count)
            #expect(reader.depth <= Limits.tlvDepth)
            if elements.fault == nil { accepted += 1 }
        }
        #expect(accepted > 100)
    }

    @Test("`content` gives what is inside, `whole` everything, `skip` nothing, and all move on")
    func containers() throws {
        // {1 [1, 2], 2 {}, 3 "ab", 4 5}
        let bytes: [UInt8] = [
            0x15, 0x36, 0x01, 0x04, 0x01, 0x04, 0x02, 0x18, 0x35, 0x02, 0x18, 0x2C, 0x03, 0x02,
            0x61,
            0x62, 0x24, 0x04, 0x05, 0x18,
        ]
        var reader = TLVReader(bytes.span)
        try reader.require().expect(.structure)

        var ahead = reader
        var element = try ahead.require()
        #expect([UInt8](try ahead.content()) == [0x04, 0x01, 0x04, 0x02])
        #expect(ahead.offset == 8)
        #expect(ahead.depth == 1)
        _ = try ahead.require()
        #expect([UInt8](try ahead.content()) == [])
        #expect(ahead.offset == 11)

        ahead = reader
        element = try ahead.require()
        #expect([UInt8](try ahead.whole(element)) == Array(bytes[1..<8]))
        element = try ahead.require()
        #expect([UInt8](try ahead.whole(element)) == [0x35, 0x02, 0x18])
        element = try ahead.require()
        #expect([UInt8](try ahead.whole(element)) == Array(bytes[11..<16]))

        ahead = reader
        for offset in [8, 11, 16, 19] {
            element = try ahead.require()
            try ahead.skip(element)
            #expect(ahead.offset == offset)
        }

        // At the start of the outer structure: all of it but its opening and its end.
        #expect([UInt8](try reader.content()) == Array(bytes[1..<19]))
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
        let isOver = try reader.next() == nil
        #expect(isOver)
    }

    @Test("`content` after some members gives the rest")
    func rest() throws {
        let bytes: [UInt8] = [0x16, 0x04, 0x01, 0x04, 0x02, 0x18, 0x08]
        var reader = TLVReader(bytes.span)
        _ = try reader.require()
        _ = try reader.require()
        #expect([UInt8](try reader.content()) == [0x04, 0x02])
        #expect(try reader.require().boolean() == false)
    }

    @Test("a container that does not end is no content")
    func unclosed() throws {
        let bytes: [UInt8] = [0x15, 0x36, 0x01, 0x04, 0x01]
        var reader = TLVReader(bytes.span)
        _ = try reader.require()
        let element = try reader.require()
        var error: TLVError?
        do throws(TLVError) { try reader.skip(element) } catch let thrown { error = thrown }
        #expect(error == .truncated(at: 5))
    }
}

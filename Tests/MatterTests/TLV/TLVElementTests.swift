import Base
import Matter
import TestVectors
import Testing

@Suite("TLVElement")
struct TLVElementTests {
    @Test("A.7 every public element has its value, and is written back where it is shortest")
    func vectors() throws {
        let vectors = TestVectors.load("tlv")["elements"].array
        #expect(vectors.count == 40)
        for vector in vectors {
            let bytes = vector["hex"].hex
            let text = TLVText.lines(bytes.span).joined(separator: " ")
            let shortest = try TLVSample.rewritten(bytes)
            if Self.wide.contains(vector["hex"].string) {
                #expect(shortest.count < bytes.count)
            } else {
                #expect(shortest == bytes)
            }
            #expect(Self.words[vector["hex"].string] == text)
        }
    }

    /// Vectors whose integers are wider than they need be.
    static let wide: Set<String> = ["012a00", "070100000000000000"]

    /// The vectors' values in the words of `TLVText`.
    static let words: [String: String] = [
        "08": "anonymous: boolean false",
        "09": "anonymous: boolean true",
        "002a": "anonymous: signed 42",
        "00ef": "anonymous: signed -17",
        "042a": "anonymous: unsigned 42",
        "012a00": "anonymous: signed 42",
        "02f067fdff": "anonymous: signed -170000",
        "0300902f5009000000": "anonymous: signed 40000000000",
        "0c0648656c6c6f21": "anonymous: utf8(6) \"Hello!\"",
        "0c0754736368c3bc73": "anonymous: utf8(7) \"Tschüs\"",
        "10050001020304": "anonymous: octets(5) 0001020304",
        "14": "anonymous: null",
        "0a00000000": "anonymous: float 0.0",
        "0aabaaaa3e": "anonymous: float 0.33333334",
        "0a33338f41": "anonymous: float 17.9",
        "0a0000807f": "anonymous: float inf",
        "0a000080ff": "anonymous: float -inf",
        "0b0000000000000000": "anonymous: double 0.0",
        "0b555555555555d53f": "anonymous: double 0.3333333333333333",
        "0b6666666666e63140": "anonymous: double 17.9",
        "0b000000000000f07f": "anonymous: double inf",
        "0b000000000000f0ff": "anonymous: double -inf",
        "1518": "anonymous: structure { }",
        "1618": "anonymous: array [ ]",
        "1718": "anonymous: list [[ ]]",
        "1520002a2001ef18": "anonymous: structure {   0: signed 42   1: signed -17 }",
        "160000000100020003000418":
            "anonymous: array [   anonymous: signed 0   anonymous: signed 1   anonymous: signed 2"
            + "   anonymous: signed 3   anonymous: signed 4 ]",
        "17000120002a000200032000ef18":
            "anonymous: list [[   anonymous: signed 1   0: signed 42   anonymous: signed 2"
            + "   anonymous: signed 3   0: signed -17 ]]",
        "16002a02f067fdff15180a33338f410c0648656c6c6f2118":
            "anonymous: array [   anonymous: signed 42   anonymous: signed -170000"
            + "   anonymous: structure {   }   anonymous: float 17.9"
            + "   anonymous: utf8(6) \"Hello!\" ]",
        "00ff": "anonymous: signed -1",
        "010001": "anonymous: signed 256",
        "0200000001": "anonymous: signed 16777216",
        "030000000000000100": "anonymous: signed 281474976710656",
        "0401": "anonymous: unsigned 1",
        "050001": "anonymous: unsigned 256",
        "0600000001": "anonymous: unsigned 16777216",
        "070000000000000100": "anonymous: unsigned 281474976710656",
        "0a0892cc45": "anonymous: float 6546.254",
        "0b2fdd24064192b940": "anonymous: double 6546.254",
        "070100000000000000": "anonymous: unsigned 1",
    ]

    @Test("A.7 numbers of the vectors are exactly the numbers their JSON says")
    func numbers() throws {
        for vector in TestVectors.load("tlv")["elements"].array {
            let bytes = vector["hex"].hex
            guard bytes[0] <= 0x0B, bytes[0] != 0x08, bytes[0] != 0x09,
                vector["value"].asString == nil
            else { continue }
            var reader = TLVReader(bytes.span)
            let element = try reader.require()
            switch element.value {
            case .signed(let number): #expect(number == Int64(vector["value"].int))
            case .unsigned(let number): #expect(number == vector["value"].uint64)
            case .float(let number): #expect(number == Float(vector["value"].double))
            case .double(let number): #expect(number == vector["value"].double)
            default: Issue.record("no number: \(vector["hex"].string)")
            }
        }
    }

    @Test("A.7.2 every public tag form is read and written")
    func tagForms() throws {
        let tags: [String: TLVTag] = [
            "042a": .anonymous,
            "24012a": .context(1),
            "4401002a": .commonProfile(1),
            "64a08601002a": .commonProfile(100_000),
            "c4f1ffedde01002a": .fullyQualified(vendor: 0xFFF1, profile: 0xDEED, number: 1),
            "e4f1ffeddeedfe55aa2a":
                .fullyQualified(vendor: 0xFFF1, profile: 0xDEED, number: 0xAA55_FEED),
        ]
        let vectors = TestVectors.load("tlv")["tags"].array
        #expect(vectors.count == tags.count)
        for vector in vectors {
            let bytes = vector["hex"].hex
            var reader = TLVReader(bytes.span)
            let element = try reader.require()
            let tag = element.tag
            let number = try element.unsigned()
            #expect(tag == tags[vector["hex"].string])
            #expect(number == 42)
            #expect(try TLVSample.rewritten(bytes) == bytes)
        }
    }

    @Test("A.7.2 implicit profile tags have 2 or 4 octets, and a wide one is read too")
    func implicitTags() throws {
        for (bytes, tag, isShortest) in [
            ([0x84, 0x01, 0x00, 0x2A], TLVTag.implicitProfile(1), true),
            ([0xA4, 0x00, 0x00, 0x01, 0x00, 0x2A], .implicitProfile(0x10000), true),
            ([0xA4, 0x01, 0x00, 0x00, 0x00, 0x2A], .implicitProfile(1), false),
            ([0x64, 0x01, 0x00, 0x00, 0x00, 0x2A], .commonProfile(1), false),
        ] as [([UInt8], TLVTag, Bool)] {
            var reader = TLVReader(bytes.span)
            let element = try reader.require()
            let read = element.tag
            #expect(read == tag)
            #expect((try TLVSample.rewritten(bytes) == bytes) == isShortest)
        }
    }

    @Test("a field takes any width and signedness that holds its value, and nothing beyond")
    func integers() throws {
        func integer<T: FixedWidthInteger>(_ bytes: [UInt8], _ type: T.Type) throws -> T {
            var reader = TLVReader(bytes.span)
            return try reader.require().integer(as: type)
        }
        for bytes in [
            [0x00, 0x01], [0x01, 0x01, 0x00], [0x02, 1, 0, 0, 0], [0x03, 1, 0, 0, 0, 0, 0, 0, 0],
            [0x04, 0x01], [0x05, 0x01, 0x00], [0x06, 1, 0, 0, 0], [0x07, 1, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]] {
            #expect(try integer(bytes, UInt8.self) == 1)
            #expect(try integer(bytes, Int8.self) == 1)
            #expect(try integer(bytes, UInt64.self) == 1)
        }
        #expect(try integer([0x00, 0xFF], Int64.self) == -1)
        #expect(try integer([0x03] + [0, 0, 0, 0, 0, 0, 0, 0x80], Int64.self) == .min)
        #expect(try integer([0x07] + [UInt8](repeating: 0xFF, count: 8), UInt64.self) == .max)
        #expect(throws: TLVError.outOfRange(tag: nil)) { try integer([0x00, 0xFF], UInt8.self) }
        #expect(throws: TLVError.outOfRange(tag: 3)) { try integer([0x25, 3, 0, 1], UInt8.self) }
        #expect(throws: TLVError.outOfRange(tag: nil)) { try integer([0x04, 0x80], Int8.self) }
        #expect(throws: TLVError.outOfRange(tag: nil)) {
            try integer([0x07] + [UInt8](repeating: 0xFF, count: 8), Int64.self)
        }
        #expect(throws: TLVError.wrongType(tag: nil)) { try integer([0x08], UInt8.self) }
        #expect(throws: TLVError.wrongType(tag: 1)) { try integer([0x35, 1, 0x18], UInt8.self) }
    }

    @Test("a value asked for as another type throws with the field's tag")
    func wrongTypes() {
        typealias Read = (borrowing TLVElement) throws(TLVError) -> Void
        let unsigned: Read = { element throws(TLVError) in _ = try element.unsigned() }
        let boolean: Read = { element throws(TLVError) in _ = try element.boolean() }
        let octets: Read = { element throws(TLVError) in _ = try element.octets }
        let utf8: Read = { element throws(TLVError) in _ = try element.utf8 }
        let array: Read = { element throws(TLVError) in try element.expect(.array) }
        for (bytes, read, expected) in [
            ([0x34, 9], unsigned, .wrongType(tag: 9)), ([0x34, 9], boolean, .wrongType(tag: 9)),
            ([0x34, 9], octets, .wrongType(tag: 9)), ([0x34, 9], utf8, .wrongType(tag: 9)),
            ([0x34, 9], array, .wrongType(tag: 9)), ([0x15], array, .wrongType(tag: nil)),
            ([0x0C, 0], octets, .wrongType(tag: nil)), ([0x10, 0], utf8, .wrongType(tag: nil)),
            ([0x20, 1, 0xFF], unsigned, .outOfRange(tag: 1)), ([0x00, 5], unsigned, nil),
            ([0x16], array, nil), ([0x10, 0], octets, nil), ([0x0C, 0], utf8, nil),
            ([0x09], boolean, nil),
        ] as [([UInt8], Read, TLVError?)] {
            var error: TLVError?
            do throws(TLVError) {
                var reader = TLVReader(bytes.span)
                try read(try reader.require())
            } catch let thrown { error = thrown }
            #expect(error == expected)
        }
    }

    @Test("A.7.3 strings are read with a length of any width")
    func stringLengths() throws {
        for type in [0x0C, 0x10] as [UInt8] {
            for exponent in UInt8(0)...3 {
                var bytes =
                    [type | exponent, 2] + [UInt8](repeating: 0, count: (1 << Int(exponent)) - 1)
                bytes += [0x61, 0x62]
                var reader = TLVReader(bytes.span)
                let element = try reader.require()
                let text = type == 0x0C ? [UInt8](try element.utf8) : [UInt8](try element.octets)
                #expect(text == [0x61, 0x62])
                #expect(try TLVSample.rewritten(bytes) == [type, 2, 0x61, 0x62])
            }
        }
    }
}

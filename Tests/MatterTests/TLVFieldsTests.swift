import Base
import Matter
import Testing

private struct Sample: TLVStructure, Equatable {
    var number: UInt16 = 0
    var text = ""
    var list: [UInt8] = []
    var optional: Int8?
    var nullable: Nullable<UInt32> = .null
    var octets = Octets()

    mutating func fields<V: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout V
    ) throws(TLVError) {
        try field(0, "number", &number)
        try field(1, "text", &text)
        try field(2, "list", &list)
        try field(3, "optional", &optional)
        try field(4, "nullable", &nullable)
        try field(5, "octets", &octets)
    }
}

@Suite("TLVFields")
struct TLVFieldsTests {
    private let sample = Sample(
        number: 300, text: "héllo", list: [1, 2], optional: -5, nullable: .value(7),
        octets: Octets([0xAB]))

    @Test("one list of fields writes and reads TLV")
    func roundTrip() throws {
        let bytes = try sample.tlv(capacity: 64)
        #expect(
            Hex.lower(bytes.span) == "1525002c012c010668c3a96c6c6f36020401040218"
                + "2003fb2404073005" + "01ab18")
        #expect(try Sample(tlv: bytes.span) == sample)
    }

    @Test("members are found in any order, unknown ones are passed over")
    func order() throws {
        let reordered = Hex.decode("15 30050100 240407 3602 18 2c0100 24000a 3509 240001 18 18")
        let bytes = try #require(reordered)
        let value = try Sample(tlv: bytes.span)
        #expect(value == Sample(number: 10, nullable: .value(7), octets: Octets([0])))
    }

    @Test("a missing field, a wrong type and trailing bytes each throw")
    func faults() throws {
        #expect(throws: TLVError.missing(tag: 0)) { try Sample(tlv: [0x15, 0x18].span) }
        let text = try #require(Hex.decode("15 2c000131 18"))
        #expect(throws: TLVError.wrongType(tag: 0)) { try Sample(tlv: text.span) }
        let large = try #require(Hex.decode("15 260000000100 18"))
        #expect(throws: TLVError.outOfRange(tag: 0)) { try Sample(tlv: large.span) }
        let bytes = try sample.tlv(capacity: 64) + [0]
        #expect(throws: TLVError.trailingBytes(at: bytes.count - 1)) {
            try Sample(tlv: bytes.span)
        }
        #expect(throws: TLVError.full(at: 16)) { try sample.tlv(capacity: 17) }
    }

    @Test("the same list writes and reads JSON, and refuses a misspelt member")
    func json() throws {
        let json = sample.json
        #expect(
            json.text == #"{"number":300,"text":"héllo","list":[1,2],"optional":-5,"#
                + #""nullable":7,"octets":"hex:ab"}"#)
        #expect(try Sample(json: json) == sample)
        guard case .object(var members) = json else { return }
        members.append(("nmber", .integer(1)))
        #expect(throws: TLVError.unknownField) { try Sample(json: .object(members)) }
    }
}

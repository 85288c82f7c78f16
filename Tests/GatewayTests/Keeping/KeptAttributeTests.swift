import Base
import Gateway
import Matter
import Testing

@Suite("KeptAttribute")
struct KeptAttributeTests {
    private func kept(_ cluster: UInt32, _ attribute: UInt32 = 0) throws -> KeptAttribute {
        try #require(KeptAttribute.of(ClusterID(cluster), AttributeID(attribute)))
    }

    private func value(_ kept: KeptAttribute, _ hex: String) throws -> Int64? {
        let octets = try #require(Hex.decode(hex))
        return kept.value(octets.span)
    }

    @Test(
        "values are taken from every type that they come in, and what cannot be is no value",
        arguments: [
            // Temperature: 21.50 °C in two octets, with a tag, signed; 1.02 °C in one.
            (0x0402, 0, "05 6608", 2150), (0x0402, 0, "25 02 6608", 2150),
            (0x0402, 0, "21 02 6608", 2150), (0x0402, 0, "00 66", 102),
            // Absolute zero, below it, the number of null, null, a text, nothing.
            (0x0402, 0, "01 4d95", -27_315), (0x0402, 0, "01 4c95", nil),
            (0x0402, 0, "01 0080", nil), (0x0402, 0, "14", nil), (0x0402, 0, "0c 01 41", nil),
            (0x0402, 0, "", nil),
            // Humidity: 100 %, more.
            (0x0405, 0, "05 1027", 10_000), (0x0405, 0, "05 1127", nil),
            // Battery: 100 %, more.
            (0x002F, 0x0C, "04 c8", 200), (0x002F, 0x0C, "04 c9", nil),
            // Occupancy: the lowest bit alone.
            (0x0406, 0, "04 03", 1), (0x0406, 0, "04 02", 0),
            // On/Off: true, false.
            (0x0006, 0, "09", 1), (0x0006, 0, "08", 0),
            // Level: the number of null.
            (0x0008, 0, "04 fe", 254), (0x0008, 0, "04 ff", nil),
            // CO2: 412.5 ppm, not a number, infinite.
            (0x040D, 0, "0a 0040ce43", 412_500), (0x040D, 0, "0a 0000c07f", nil),
            (0x040D, 0, "0a 0000807f", nil),
            // Energy: a structure with 1,000,000 mWh, one without, one that ends too soon.
            (0x0091, 1, "15 2600 40420f00 18", 1_000_000), (0x0091, 1, "15 2401 05 18", nil),
            (0x0091, 1, "15 2600 4042", nil),
        ] as [(UInt32, UInt32, String, Int64?)])
    func values(cluster: UInt32, attribute: UInt32, hex: String, expected: Int64?) throws {
        let bare = hex.filter { $0 != " " }
        #expect(try value(kept(cluster, attribute), bare) == expected)
    }

    @Test("what is said of values")
    func texts() throws {
        #expect(try kept(0x0402).text(-1805) == "-18.05 °C")
        #expect(try kept(0x002F, 0x0C).text(199) == "99.5 %")
        #expect(try kept(0x0045).text(0) == "open" && kept(0x0006).text(1) == "on")
        #expect(try kept(0x040D).text(412_500) == "412.500 ppm")
        #expect(try kept(0x0402).text(nil) == "no value")
        #expect(try kept(0x0402).json(2153) == .number(21.53))
        #expect(try kept(0x0406).json(1) == .boolean(true))
    }

    @Test("limits are read in the unit that people use")
    func limits() throws {
        #expect(try kept(0x0402).limit("8") == 800)
        #expect(try kept(0x0402).limit("-18.5") == -1850)
        #expect(try kept(0x0402).limit("21.5 °C") == 2150)
        #expect(try kept(0x002F, 0x0C).limit("15%") == 30)
        #expect(try kept(0x0091, 1).limit("1.5") == 1_500_000)
        for text in ["", "-", ".5", "1.2.3", "1e3", "8.123", "+8", "9999999999999"] {
            #expect(try kept(0x0402).limit(text) == nil)
        }
    }
}

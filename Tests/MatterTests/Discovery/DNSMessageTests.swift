import Base
import Matter
import TestVectors
import Testing

@Suite("DNSReader and DNSWriter")
struct DNSMessageTests {
    static let packets = TestVectors.load("mdns")["packets"]

    @Test("an answer of another implementation is read whole")
    func commissionable() throws {
        let content = try MDNSContent(Self.packets["commissionable"].hex)
        let instance = "DD200C20D25AE5F7._matterc._udp.local"
        let host = "02005E0053010000.local"
        #expect(content.questions.isEmpty)
        #expect(
            content.records.map(\.name)
                == ["_L3840._sub._matterc._udp.local", instance, instance, host, host, host])
        #expect(content.records.map(\.type) == [12, 33, 16, 28, 28, 1])
        #expect(content.records.map(\.ttl) == [4500, 120, 4500, 120, 120, 120])
        #expect(content.records.map(\.flush) == [false, true, true, true, true, true])
        #expect(
            content.records.map(\.section)
                == [.answer, .additional, .additional, .additional, .additional, .additional])
        #expect(content.records[0].data == instance)
        #expect(content.records[1].data == "0 0 5540 \(host)")
        #expect(content.records[2].data.hasPrefix("D=3840 CM=2 VP=65521+32769"))
        #expect(
            content.records[3...].map(\.data)
                == ["fe80::200:5eff:fe00:5301", "fd11:22:33::5301", "192.0.2.53"])
    }

    @Test("what is written is read again, and repeated names are compressed")
    func roundTrip() throws {
        let service = MDNSPacket.name("_matterc._udp.local")
        let instance = MDNSPacket.name("ABC._matterc._udp.local")
        let host = MDNSPacket.name("HOST.local")
        let address = try #require(IPAddress("fe80::1"))
        var buffer = [UInt8](repeating: 0, count: 512)
        var writer = DNSWriter(buffer.mutableSpan, flags: DNSHeader.response, id: 7)
        let start = writer.count
        try writer.question(DNSName(service.span), .ptr, prefersUnicast: true)
        let first = writer.count - start
        try writer.question(DNSName(service.span), .any)
        let second = writer.count - start - first
        try writer.record(
            DNSRecord(
                DNSName(service.span), .ptr(DNSName(instance.span)), timeToLiveSeconds: 4500,
                flushesCache: false))
        try writer.record(
            DNSRecord(
                DNSName(instance.span),
                .srv(DNSService(target: DNSName(host.span), port: 5540, priority: 1, weight: 2)),
                timeToLiveSeconds: 120, flushesCache: true, section: .authority))
        let strings: [UInt8] = [3, 0x44, 0x3D, 0x31, 1, 0x54]
        guard let text = DNSText(strings.span) else { fatalError("two strings") }
        try writer.record(
            DNSRecord(
                DNSName(instance.span), .txt(text), timeToLiveSeconds: 120, flushesCache: true,
                section: .additional))
        try writer.record(
            DNSRecord(
                DNSName(host.span), .aaaa(address.octets),
                timeToLiveSeconds: 0, flushesCache: true, section: .additional))
        var four = FixedBytes<4>()
        four[0] = 192
        try writer.record(
            DNSRecord(
                DNSName(host.span), .a(four), timeToLiveSeconds: 120, flushesCache: true,
                section: .additional))
        let count = writer.count
        let content = try MDNSContent(Array(buffer[..<count]))
        #expect(first == service.count + 4)
        #expect(second == 2 + 4)
        #expect(
            content.questions == [
                .init(name: "_matterc._udp.local", type: 12, prefersUnicast: true),
                .init(name: "_matterc._udp.local", type: 255, prefersUnicast: false),
            ])
        #expect(
            content.records.map(\.data)
                == [
                    "ABC._matterc._udp.local", "1 2 5540 HOST.local", "D=1 T", "fe80::1",
                    "192.0.0.0",
                ])
        #expect(
            content.records.map(\.section)
                == [.answer, .authority, .additional, .additional, .additional])
        #expect(content.records.map(\.name)[3...] == ["HOST.local", "HOST.local"])
        #expect(content.records.map(\.flush) == [false, true, true, true, true])
        #expect(content.records.map(\.ttl) == [4500, 120, 120, 0, 120])
        #expect(count < 160)
    }

    @Test("what does not fit throws and leaves the message whole")
    func full() throws {
        let name = MDNSPacket.name("_matterc._udp.local")
        for size in 12..<60 {
            var buffer = [UInt8](repeating: 0xEE, count: size)
            var writer = DNSWriter(buffer.mutableSpan, flags: DNSHeader.query)
            var written = 0
            do throws(DNSError) {
                while written < 9 {
                    try writer.question(DNSName(name.span), .ptr)
                    written += 1
                }
            } catch {}
            let count = writer.count
            let content = try MDNSContent(Array(buffer[..<count]))
            #expect(content.questions.count == written)
            #expect(written == (size < 37 ? 0 : min(9, 1 + (size - 37) / 6)))
        }
    }

    @Test("every truncation throws", arguments: packets.keys)
    func truncated(key: String) {
        let message = Self.packets[key].hex
        for count in message.indices {
            #expect(throws: DNSError.self, "\(key) cut to \(count)") {
                _ = try MDNSContent(Array(message[..<count]))
            }
        }
    }

    @Test("damaged messages do not trap", arguments: packets.keys)
    func damaged(key: String) {
        let message = Self.packets[key].hex
        var scatter = Scatter(seed: 11)
        for _ in 0..<4000 {
            var copy = message
            for _ in 0...scatter.next(4) {
                copy[scatter.next(copy.count)] = UInt8(scatter.next(256))
            }
            _ = try? MDNSContent(copy)
        }
    }

    @Test(
        "RFC 1035 §4.1.4: a pointer that does not lead back is refused",
        arguments: [
            [0xC0, 12], [0xC0, 13], [0xC0, 0], [0xC0, 11], [0xC0, 14, 0xC0, 12],
            [1, 0x61, 0xC0, 12], [1, 0x61, 0xC0, 14], [0xFF, 0xFF],
        ] as [[UInt8]])
    func loops(octets: [UInt8]) {
        let message = [UInt8](repeating: 0, count: 12) + octets + [0, 0, 0, 0]
        #expect(throws: DNSError.invalidName(at: 12)) {
            _ = try DNSName(message.span, at: 12).count
        }
    }

    @Test("pointers behind pointers are bounded")
    func chain() throws {
        var message = [UInt8](repeating: 0, count: 13)
        for index in 0...Limits.dnsNamePointers {
            let target = index == 0 ? 12 : 13 + 2 * (index - 1)
            message += [0xC0, UInt8(target)]
        }
        let last = message.count - 2
        #expect(try DNSName(message.span, at: last - 2).count == 1)
        #expect(throws: DNSError.invalidName(at: last)) {
            _ = try DNSName(message.span, at: last).count
        }
    }

    @Test("labels have 1 to 63 octets, names at most 255, other kinds of labels are refused")
    func bounds() throws {
        func name(_ lengths: [Int]) -> [UInt8] {
            lengths.flatMap { [UInt8($0)] + [UInt8](repeating: 0x61, count: $0) } + [0]
        }
        let longest = name([63, 63, 63, 61])
        #expect(longest.count == 255)
        #expect(try DNSName(longest.span).count == 255)
        for wrong in [name([63, 63, 63, 62]), name([64]), name([0x40]), name([0x80, 1])] {
            #expect(throws: DNSError.self) { _ = try DNSName(wrong.span).count }
        }
        let open: [UInt8] = [3, 0x61]
        #expect(throws: DNSError.self) { _ = try DNSName(open.span).count }
    }

    @Test("RFC 6762 §16: names are equal without regard to the case of ASCII letters alone")
    func folding() throws {
        func equal(_ left: String, _ right: String) throws -> Bool {
            let one = MDNSPacket.name(left)
            let two = MDNSPacket.name(right)
            let first = try DNSName(one.span)
            let second = try DNSName(two.span)
            let isEqual = first.isEqual(to: second)
            let hashes = (first.foldedHash, second.foldedHash)
            if isEqual { #expect(hashes.0 == hashes.1) }
            return isEqual
        }
        #expect(try equal("AbZ._TCP.Local", "aBz._tcp.lOCAL"))
        #expect(try !equal("ab.c", "a.bc"))
        #expect(try !equal("a[", "a{"))
        #expect(try !equal("a@", "a`"))
        #expect(try !equal("Ä", "ä"))
        #expect(try !equal("a.b", "a"))
    }

    @Test(
        "a record whose length is a lie is refused",
        arguments: [
            MDNSPacket().record("a.local", 12, MDNSPacket.name("b.local"), length: 8),
            MDNSPacket().record("a.local", 12, MDNSPacket.name("b.local") + [0]),
            MDNSPacket().record("a.local", 33, [0, 0, 0, 0, 21, 164]),
            MDNSPacket().record("a.local", 33, [0, 0, 0, 0, 21, 164, 0, 0]),
            MDNSPacket().record("a.local", 16, [2, 0x44]),
            MDNSPacket().record("a.local", 16, [0, 1]),
            MDNSPacket().record("a.local", 1, [1, 2, 3]),
            MDNSPacket().record("a.local", 1, [1, 2, 3, 4, 5]),
            MDNSPacket().record("a.local", 28, [UInt8](repeating: 1, count: 4)),
            MDNSPacket().record("a.local", 41, [1], length: 2),
        ].map(\.octets))
    func lies(message: [UInt8]) {
        #expect(throws: DNSError.self) { _ = try MDNSContent(message) }
    }

    @Test("RFC 6763 §6.4: entries without a key are passed over, an empty value is a value")
    func text() throws {
        let message = MDNSPacket().txt("a.local", ["a=1", "=x", "b", "", "c=", "d==2"]).octets
        #expect(try MDNSContent(message).records[0].data == "a=1 b c= d==2")
    }
}

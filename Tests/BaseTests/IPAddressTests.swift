import Base
import Testing

@Suite("IPAddress")
struct IPAddressTests {
    @Test(
        "RFC 5952: what is read is printed in its canonical form",
        arguments: [
            ("::", "::"), ("::1", "::1"), ("1::", "1::"),
            ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("fe80::0200:00ff:fe00:1%12", "fe80::200:ff:fe00:1%12"),
            ("ff02::fb%3", "ff02::fb%3"), ("fd00::1", "fd00::1"),
            ("192.0.2.33", "192.0.2.33"), ("::ffff:192.0.2.33", "192.0.2.33"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ])
    func canonical(text: String, expected: String) {
        #expect(IPAddress(text)?.description == expected)
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8:",
            ":1:2:3:4:5:6:7:8", "1::2::3", "12345::", "g::", "::1.2.3", "1.2.3.4::",
            "1:2:3:4:5:6:7:1.2.3.4", "256.1.1.1", "01.1.1.1", "1.2.3.4.5", "1.2.3", "1..2.3",
            "fe80::1%", "fe80::1%eth0", "fe80::1%4294967296", "2001:db8::1%2", "1.2.3.4%1",
            "1:2:3:4:5:6:7:8::", "::%1", " ::1", "+1::", "1:2:3:4::5:6:7:8",
        ])
    func refused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("a scope is kept for link-local addresses alone, and tells them apart")
    func scope() throws {
        let linkLocal = try #require(IPAddress("fe80::1"))
        #expect(linkLocal.scoped(to: 2) != linkLocal.scoped(to: 3))
        #expect(linkLocal.scoped(to: 2).scope == 2)
        let unique = try #require(IPAddress("fd00::1"))
        #expect(unique.scoped(to: 2) == unique)
    }

    @Test("kinds of addresses")
    func kinds() throws {
        func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }
        #expect(try address("fe80::1").isLinkLocal && address("febf::1").isLinkLocal)
        #expect(try address("169.254.1.1").isLinkLocal && !address("fec0::1").isLinkLocal)
        #expect(try address("fc00::1").isUniqueLocal && address("fdff::1").isUniqueLocal)
        #expect(try !address("fe00::1").isUniqueLocal)
        #expect(try address("224.0.0.251").isMulticast && address("ff02::fb").isMulticast)
        #expect(try !address("223.0.0.1").isMulticast && !address("240.0.0.1").isMulticast)
        #expect(try address("::1").isLoopback && address("127.1.2.3").isLoopback)
        #expect(try !address("::2").isLoopback && !address("128.0.0.1").isLoopback)
        #expect(try address("0.0.0.0").isUnspecified && address("::").isUnspecified)
        #expect(try !address("::1").isUnspecified && !address("0.0.0.1").isUnspecified)
        #expect(try address("1.2.3.4").isIPv4 && !address("::1.2.3.4").isIPv4)
    }

    @Test(
        "a socket address reads what it prints",
        arguments: ["[fe80::1%2]:5540", "[2001:db8::1]:0", "192.0.2.1:65535"])
    func socketAddress(text: String) {
        #expect(SocketAddress(text)?.description == text)
    }

    @Test(
        "what is no socket address is refused",
        arguments: [
            "", "::1", "::1:5540", "[::1]", "[::1]:65536", "[192.0.2.1]:1", "[::1:5540",
            "192.0.2.1", "[::1]:-1", "[::1]: 1",
        ])
    func refusedSocketAddress(text: String) {
        #expect(SocketAddress(text) == nil)
    }
}

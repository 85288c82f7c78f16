import Base
import Crypto
import Testing

@testable import Matter

@Suite("WiFiNetworkCredentials")
struct WiFiNetworkCredentialsTests {
    private func credentials(
        _ ssid: Int, _ passphrase: [UInt8]
    ) throws(NetworkCredentialsError) -> WiFiNetworkCredentials {
        let name = [UInt8](repeating: 0x61, count: ssid)
        return try WiFiNetworkCredentials(ssid: name.span, credentials: Secret(passphrase.span))
    }

    @Test("§11.9.7.3 an SSID has 1 to 32 octets")
    func ssid() throws {
        for count in 1...32 {
            #expect(try credentials(count, []).ssid.count == count)
        }
        for count in [0, 33, 300] {
            #expect(throws: NetworkCredentialsError.invalidSSIDLength(count)) {
                try credentials(count, [])
            }
        }
    }

    @Test("a passphrase has 8 to 63 octets, a WEP key may have 5, an open network none")
    func passphrase() throws {
        for count in 0...63 {
            let made = try? credentials(1, [UInt8](repeating: 0xC3, count: count))
            #expect((made != nil) == (count == 0 || count == 5 || count >= 8))
        }
        for count in [1, 7, 65, 200] {
            #expect(throws: NetworkCredentialsError.invalidPassphraseLength(count)) {
                try credentials(1, [UInt8](repeating: 0x30, count: count))
            }
        }
    }

    @Test("64 octets are a PSK in hexadecimal digits of either case")
    func psk() throws {
        let digits = Array("0123456789abcdefABCDEF".utf8)
        let psk = (0..<64).map { digits[$0 % digits.count] }
        #expect(try credentials(1, psk).credentials == Secret(psk.span))
        for (index, octet) in [(0, 0x67), (63, 0x20), (31, 0x00)] as [(Int, UInt8)] {
            var wrong = psk
            wrong[index] = octet
            #expect(throws: NetworkCredentialsError.invalidPSK) { try credentials(1, wrong) }
        }
    }
}

@Suite("OperationalDataset")
struct OperationalDatasetTests {
    /// Made up; the key is a pattern.
    private let parts = [
        "0e080000000000010000", "00030000 0f", "35060004001fffe0", "0208 1122334455667788",
        "0708 fd00112233445566", "0510 000102030405060708090a0b0c0d0e0f",
        "030c 4d6174746572204c616220 31", "0102 abcd",
        "0410 0f0e0d0c0b0a09080706050403020100", "0c04 02a0f7f8",
    ]

    private func dataset(_ hex: String) throws(NetworkCredentialsError) -> OperationalDataset {
        let digits = Array(hex.utf8)
        return try OperationalDataset(hexadecimal: digits.span)
    }

    @Test("a dataset of all parts is read, with blanks or without, in either case")
    func whole() throws {
        let spaced = parts.joined(separator: " ")
        let tight = parts.joined().filter { $0 != " " }
        for text in [spaced, tight, tight.uppercased(), "\r\n" + spaced + " \n"] {
            let read = try dataset(text)
            #expect(read.networkName == "Matter Lab 1")
            let id = Hex.lower(read.extendedPANID.span)
            #expect(id == "1122334455667788")
            #expect(read.panID == 0xABCD && read.channel == 15)
            #expect(read.tlvs.count == 103)
        }
    }

    @Test("a part of an unknown type is kept")
    func unknown() throws {
        let read = try dataset(parts.joined() + "f0 03 010203" + "f1 00")
        #expect(read.tlvs.count == 110)
        let last = Hex.lower(read.tlvs.span.extracting(last: 7))
        #expect(last == "f003010203f100")
    }

    @Test("a name is not needed; channel, both PAN ids and key are")
    func missing() throws {
        func without(_ index: Int) throws -> OperationalDataset {
            try dataset(parts.enumerated().filter { $0.offset != index }.map(\.element).joined())
        }
        #expect(try without(6).networkName == nil)
        for (index, type) in [(1, .channel), (3, .extendedPANID), (5, .networkKey), (7, .panID)]
            as [(Int, ThreadTLVType)]
        {
            #expect(throws: NetworkCredentialsError.missing(type)) { try without(index) }
        }
    }

    @Test(
        "a part that is wrong is named",
        arguments: [
            ("0003 00000f", .repeated(.channel)), ("4a 02 0000", .invalidLength(.wakeUpChannel, 2)),
            ("33 08 0000000000010000", .pendingDataset), ("34 04 00000001", .pendingDataset),
            ("f0", .truncated(at: 103)), ("f0 02 00", .truncated(at: 103)),
            ("f0 ff", .truncated(at: 103)),
        ] as [(String, NetworkCredentialsError)])
    func wrongPart(part: String, error: NetworkCredentialsError) {
        #expect(throws: error) { try dataset(parts.joined() + part) }
    }

    @Test(
        "a value that is wrong is named",
        arguments: [
            ("0003 00000a", .invalidValue(.channel)), ("0003 00001b", .invalidValue(.channel)),
            ("0002 000f", .invalidLength(.channel, 2)), ("0102 ffff", .invalidValue(.panID)),
            ("0207 11223344556677", .invalidLength(.extendedPANID, 7)),
            ("0300", .invalidLength(.networkName, 0)), ("0301 ff", .invalidValue(.networkName)),
            ("0311 3132333435363738393031323334353637", .invalidLength(.networkName, 17)),
            ("0501 00", .invalidLength(.networkKey, 1)),
            ("0c02 0000", .invalidLength(.securityPolicy, 2)),
        ] as [(String, NetworkCredentialsError)])
    func wrongValue(part: String, error: NetworkCredentialsError) {
        #expect(throws: error) { try dataset(part + parts.joined()) }
    }

    @Test("what is no hexadecimal text, is empty or too long is refused")
    func text() {
        let long = String(repeating: "f0", count: 255)
        let cases: [(String, NetworkCredentialsError)] = [
            ("", .invalidDatasetLength(0)), (" \n", .invalidDatasetLength(0)),
            (long, .invalidDatasetLength(255)), ("0g", .notHexadecimal(at: 1)),
            ("0x00", .notHexadecimal(at: 1)), ("000", .notHexadecimal(at: 3)),
        ]
        for (text, error) in cases {
            #expect(throws: error) { try dataset(text) }
        }
    }

    @Test("every truncation is refused")
    func truncations() throws {
        let whole = try dataset(parts.joined()).tlvs
        let bytes = [UInt8](whole.span)
        // Where a part ends and all that are needed came before, the rest is a dataset.
        for count in 0..<bytes.count where count != 79 && count != 97 {
            let part = Array(bytes.prefix(count))
            #expect(throws: NetworkCredentialsError.self) {
                try OperationalDataset(Secret(part.span))
            }
        }
    }
}

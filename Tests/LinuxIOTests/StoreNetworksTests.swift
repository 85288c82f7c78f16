import Crypto
import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

@Suite("SQLiteStore: networks that devices are given")
struct StoreNetworksTests {
    private let folder = TemporaryFolder()
    private static let passphrase = "correct horse battery"

    private static func networks(_ passphrase: String = passphrase) throws -> NetworksRecord {
        let ssid: [UInt8] = [0x48, 0x00, 0xFF]
        // Made up; the key is a pattern.
        let dataset: [UInt8] =
            [0, 3, 0, 0, 15, 1, 2, 0xAB, 0xCD, 2, 8, 1, 2, 3, 4, 5, 6, 7, 8, 5, 16]
            + (0..<16).map { UInt8($0) }
        var record = NetworksRecord()
        record.networks.wiFi = try WiFiNetworkCredentials(
            ssid: ssid.span, credentials: Secret(Array(passphrase.utf8).span), isHidden: true)
        record.networks.thread = try OperationalDataset(Secret(dataset.span))
        record.wiFiSince = 1_700_000_000
        record.threadSince = 1_700_000_001
        return record
    }

    @Test("both are kept whole until they are replaced or forgotten, each by itself")
    func kept() throws {
        var record = try Self.networks()
        do {
            let store = try StoreFixtures.open(folder)
            #expect(try store.networks() == NetworksRecord())
            try store.save(record)
        }
        do {
            let store = try StoreFixtures.open(folder)
            #expect(store.notice == nil)
            #expect(try store.networks() == record)
            record.networks.wiFi = nil
            record.wiFiSince = 0
            try store.save(record)
        }
        let store = try StoreFixtures.open(folder)
        #expect(try store.networks() == record)
        try store.save(NetworksRecord())
        #expect(try store.networks() == NetworksRecord())
    }

    @Test("an open network has no octets of credentials, and is not none")
    func open() throws {
        var record = NetworksRecord()
        let ssid: [UInt8] = [0x41]
        record.networks.wiFi = try WiFiNetworkCredentials(
            ssid: ssid.span, credentials: Secret(count: 0) { _ in })
        do { try StoreFixtures.open(folder).save(record) }
        #expect(try StoreFixtures.open(folder).networks() == record)
    }

    @Test("they are in the last good copy, in files of their owner alone")
    func copied() throws {
        let record = try Self.networks()
        do { try StoreFixtures.open(folder).save(record) }
        for name in folder.names { #expect(folder.mode("store/" + name) == 0o600, "\(name)") }
        try FileManager.default.removeItem(atPath: folder.database)
        let store = try StoreFixtures.open(folder)
        #expect(store.notice != nil)
        #expect(try store.networks() == record)
    }

    @Test("a passphrase that was forgotten or replaced is in no file any more")
    func wiped() throws {
        let second = "another one entirely"
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(try Self.networks())
            try store.save(try Self.networks(second))
        }
        #expect(try holders(of: Self.passphrase) == [])
        #expect(try holders(of: second).contains("gateway.db"))
        do { try StoreFixtures.open(folder).save(NetworksRecord()) }
        #expect(try holders(of: second) == [])
    }

    private func holders(of secret: String) throws -> [String] {
        try folder.names.filter { name in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/store/" + name))
            return bytes.range(of: Data(secret.utf8)) != nil
        }
    }

    @Test("a bit that fell over is seen at the opening")
    func damaged() throws {
        let changes = [
            "wifi SET credentials = x'3132333435363738'", "wifi SET ssid = x''",
            "wifi SET is_hidden = 0", "thread SET dataset = x'00'", "thread SET since = 5",
        ]
        for change in changes {
            let folder = TemporaryFolder()
            let record = try Self.networks()
            do { try StoreFixtures.open(folder).save(record) }
            do { try Database(path: folder.database).execute("UPDATE " + change) }
            let store = try StoreFixtures.open(folder)
            #expect(store.notice?.contains("was damaged") == true, "\(change)")
            #expect(try store.networks() == record)
        }
    }

    @Test("they take part in replacing the content, with those of the backup or with none")
    func replaced() throws {
        let record = try Self.networks()
        let store = try StoreFixtures.open(folder)
        try store.save(StoreFixtures.fabric())
        try store.save(record)
        #expect(try StoreContent(store)?.networks == record)
        var content = StoreContent(fabric: StoreFixtures.fabric())
        _ = try store.replaceContent(with: content)
        #expect(try store.networks() == NetworksRecord())
        content.networks = record
        _ = try store.replaceContent(with: content)
        #expect(try store.networks() == record)
    }
}

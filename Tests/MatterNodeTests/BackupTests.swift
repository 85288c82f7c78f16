import Base
import Crypto
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Backup")
struct BackupTests {
    /// As cheap as can be, for what is tested here is not its cost.
    private let cost: Scrypt
    private let passphrase = secret("correct horse battery")
    private let random = SharedRandom(SeededRandom(seed: 3))
    private let time: Int64 = 1_777_000_000

    init() throws {
        cost = try Scrypt(log2Cost: 4, blockSize: 1, parallelization: 1)
    }

    private static func secret(_ text: String) -> Secret { Secret(Array(text.utf8).span) }

    private func content() -> StoreContent {
        var content = StoreContent(fabric: World.fabric.record)
        var lamp = NodeRecord(
            nodeID: NodeID(0xFFFF_FFEF_0000_0001), fabricIndex: FabricIndex(254),
            vendorID: VendorID(0xFFF1), productID: ProductID(0x8000))
        lamp.vendorName = "Vendor"
        lamp.productName = "Lamp"
        lamp.serialNumber = "SN\u{0}1"
        lamp.name = "Küche"
        lamp.room = "Erdgeschoß"
        lamp.lastAddress = SocketAddress("[fe80::1%3]:5540")
        lamp.isAttested = true
        lamp.commissionedAt = time
        lamp.endpoints = [
            EndpointRecord(
                endpoint: .root, deviceTypes: [DeviceTypeID(0x16)],
                clusters: [ClusterID(29), ClusterID(0xFFF1_FC00)]),
            EndpointRecord(endpoint: EndpointID(0xFFFE), deviceTypes: [], clusters: []),
        ]
        var bare = NodeRecord(
            nodeID: NodeID(1), fabricIndex: FabricIndex(1), vendorID: VendorID(0),
            productID: ProductID(0))
        bare.isAttested = false
        content.nodes = [lamp, bare]
        content.settings = [SettingRecord(key: "site-name", value: "Mill Lane 5")]
        content.authorities = [
            AuthorityRecord(keyID: FixedBytes(), certificate: [UInt8](repeating: 7, count: 500))
        ]
        return content
    }

    /// Made up; the key is a pattern.
    private static func networks() throws -> NetworksRecord {
        let ssid: [UInt8] = [0x48, 0xFF]
        let dataset: [UInt8] =
            [0, 3, 0, 0, 15, 1, 2, 0xAB, 0xCD, 2, 8, 1, 2, 3, 4, 5, 6, 7, 8, 5, 16]
            + (0..<16).map { UInt8($0) }
        var record = NetworksRecord()
        record.networks.wiFi = try WiFiNetworkCredentials(
            ssid: ssid.span, credentials: secret("correct horse"), isHidden: true)
        record.networks.thread = try OperationalDataset(Secret(dataset.span))
        record.wiFiSince = 1_700_000_000
        record.threadSince = 0
        return record
    }

    @Test("limits come back whole")
    func alerts() throws {
        var content = content()
        content.alerts = [
            AlertRecord(
                id: 3, historyID: NodeID(1), endpoint: EndpointID(2), word: "temperature",
                isAbove: true, limit: -1800, seconds: 600),
            AlertRecord(id: 4, historyID: NodeID(1), seconds: 86_400),
        ]
        let bytes = try Backup(content, createdAt: time)
            .sealed(under: passphrase, cost: cost, using: random)
        #expect(try open(bytes, passphrase).content.alerts == content.alerts)
    }

    @Test("networks come back whole, one alone too, and none where there were none")
    func networks() throws {
        let whole = try Self.networks()
        var wiFi = whole
        wiFi.networks.thread = nil
        var thread = NetworksRecord()
        thread.networks.thread = whole.networks.thread
        for record in [whole, wiFi, thread, NetworksRecord()] {
            var content = content()
            content.networks = record
            let bytes = try Backup(content, createdAt: time)
                .sealed(under: passphrase, cost: cost, using: random)
            #expect(try open(bytes, passphrase).content.networks == record)
        }
    }

    private func file() throws -> [UInt8] {
        try Backup(content(), createdAt: time).sealed(under: passphrase, cost: cost, using: random)
    }

    private func open(_ bytes: [UInt8], _ passphrase: Secret) throws(BackupError) -> Backup {
        try BackupFile(bytes).open(with: passphrase)
    }

    private func refusal(_ bytes: [UInt8], _ passphrase: Secret? = nil) -> BackupError? {
        do throws(BackupError) {
            _ = try open(bytes, passphrase ?? self.passphrase)
            return nil
        } catch { return error }
    }

    @Test("everything that matters comes back, with the time")
    func roundTrip() throws {
        let backup = try open(file(), passphrase)
        let before = content()
        #expect(backup.createdAt == time)
        #expect(backup.content.nodes == before.nodes)
        #expect(backup.content.settings == before.settings)
        #expect(backup.content.authorities == before.authorities)
        let (ours, theirs) = (before.fabric, backup.content.fabric)
        #expect(theirs.fabricID == ours.fabricID && theirs.nodeID == ours.nodeID)
        #expect(theirs.adminVendorID == ours.adminVendorID)
        #expect(theirs.rootKey == ours.rootKey)
        #expect(theirs.rootCertificate == ours.rootCertificate)
        #expect(theirs.operationalKey == ours.operationalKey)
        #expect(theirs.operationalCertificate == ours.operationalCertificate)
        #expect(theirs.epochKey == ours.epochKey)
    }

    @Test("a store of many devices fits, whatever its size")
    func large() throws {
        var content = content()
        for number in 2...600 {
            var node = content.nodes[0]
            node.nodeID = NodeID(UInt64(number))
            content.nodes.append(node)
        }
        let bytes = try Backup(content, createdAt: 0)
            .sealed(under: passphrase, cost: cost, using: random)
        #expect(bytes.count > 64 << 10)
        #expect(try open(bytes, passphrase).content.nodes == content.nodes)
        content.settings = [
            SettingRecord(key: "x", value: String(repeating: "x", count: BackupFile.bytesMax))
        ]
        #expect(throws: BackupError.tooLarge) {
            _ = try Backup(content, createdAt: 0)
                .sealed(under: passphrase, cost: cost, using: random)
        }
    }

    @Test("nothing of it can be read in the file, and no two files are alike")
    func sealed() throws {
        let bytes = try file()
        func holds(_ part: [UInt8]) -> Bool {
            (0...(bytes.count - part.count)).contains { bytes[$0...].starts(with: part) }
        }
        let record = World.fabric.record
        for secret in [record.rootKey, record.operationalKey, record.epochKey] {
            let octets = [UInt8](secret.span)
            #expect(!holds(octets))
        }
        #expect(!holds(record.rootCertificate))
        #expect(!holds(Array("Küche".utf8)))
        #expect(!holds(Array("Mill Lane".utf8)))
        let isAnother = try file() != bytes
        #expect(isAnother)
    }

    @Test("any changed bit is refused: mark, version, parameters, salt, nonce, content, tag")
    func everyBit() throws {
        let bytes = try file()
        var opened: [Int] = []
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            if refusal(changed) == nil { opened.append(bit) }
        }
        #expect(opened == [])
    }

    @Test("a file that ends early or goes on is refused, at every length")
    func everyTruncation() throws {
        let bytes = try file()
        for count in bytes.indices {
            let error = refusal(Array(bytes.prefix(count)))
            #expect(error == (count < 8 ? .notABackup : .wrongLength), "\(count) octets")
        }
        #expect(refusal(bytes + [0]) == .wrongLength)
    }

    @Test("a wrong passphrase opens nothing")
    func passphrases() throws {
        let bytes = try file()
        for text in ["", "correct horse batter", "correct horse battery ", "Correct horse battery"]
        {
            #expect(refusal(bytes, Self.secret(text)) == .notOpened)
        }
    }

    @Test("another file, a newer version and another mark are told apart")
    func versions() throws {
        var bytes = try file()
        #expect(refusal([]) == .notABackup)
        #expect(refusal(Array("SQLite format 3\0".utf8)) == .notABackup)
        bytes[8] = 2
        #expect(refusal(bytes) == .tooNew(version: 2))
        #expect(refusal(Array(bytes.prefix(9))) == .tooNew(version: 2))
        bytes[8] = 0
        #expect(refusal(bytes) == .notABackup)
    }

    @Test(
        "a header that asks for the memory of the board is refused before it gets any",
        arguments: [
            [31, 8, 1], [20, 8, 1], [15, 255, 1], [15, 8, 255], [0, 8, 1], [15, 0, 1],
        ])
    func absurdCost(parameters: [UInt8]) throws {
        var bytes = try file()
        bytes.replaceSubrange(9..<12, with: parameters)
        #expect(throws: BackupError.costOutOfBounds) { _ = try BackupFile(bytes) }
    }

    @Test("a fabric whose keys and certificates do not fit is not handed out")
    func wrongFabric() throws {
        var content = content()
        content.fabric.rootKey = Secret(count: 32) { _ in }
        let bytes = try Backup(content, createdAt: time)
            .sealed(under: passphrase, cost: cost, using: random)
        #expect(refusal(bytes) == .fabric(.key(.invalidPrivateKey)))
    }
}

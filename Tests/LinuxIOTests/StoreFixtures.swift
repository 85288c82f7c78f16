import Base
import Crypto
import Foundation
import Matter
import MatterNode

@testable import LinuxIO

/// A store's folder, and records to put in it. Keys are made here and now.
enum StoreFixtures {
    static func secret(_ count: Int) -> Secret {
        var bytes = [UInt8](repeating: 0, count: count)
        for index in bytes.indices { bytes[index] = .random(in: 0...255) }
        return Secret(bytes.span)
    }

    static func fabric() -> FabricRecord {
        FabricRecord(
            fabricID: FabricID(0xFEDC_BA98_7654_3210), nodeID: NodeID(0xFFFF_FFEF_FFFF_FFFF),
            adminVendorID: VendorID(0xFFF1), rootKey: secret(32), rootCertificate: [1, 2, 3],
            operationalKey: secret(32), operationalCertificate: [4, 5],
            epochKey: secret(16))
    }

    static func node(_ number: UInt64, endpoints: Int = 2) -> NodeRecord {
        var node = NodeRecord(
            nodeID: NodeID(number), fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1),
            productID: ProductID(0x8000))
        node.vendorName = "Vendor"
        node.productName = "Lamp"
        node.serialNumber = "SN\u{0}\(number)"
        node.name = "Küche \(number)"
        node.room = ""
        node.lastAddress = SocketAddress("[fe80::1%3]:5540")
        node.isAttested = number % 2 == 0
        node.commissionedAt = 1_700_000_000
        node.endpoints = (0..<endpoints).map { endpoint in
            EndpointRecord(
                endpoint: EndpointID(UInt16(endpoint)), deviceTypes: [DeviceTypeID(0x100)],
                clusters: [ClusterID(29), ClusterID(6), ClusterID(0xFFF1_FC00)])
        }
        return node
    }

    static func resumption(_ number: UInt64, index: UInt8 = 1) -> SessionResumption {
        var random = SystemRandom()
        let id: FixedBytes<16> = random.bytes()
        let tags = [CASEAuthenticatedTag(0x0001_0002), CASEAuthenticatedTag(0xFFFF_0001)]
        return SessionResumption(
            id: id, sharedSecret: secret(32),
            peer: OperationalIdentity(
                nodeID: NodeID(number), fabricID: FabricID(0xFEDC_BA98_7654_3210), cats: tags,
                publicKey: P256.PrivateKey.generate(using: &random).publicKey),
            fabricIndex: FabricIndex(index))
    }

    static func isEqual(_ left: SessionResumption?, _ right: SessionResumption?) -> Bool {
        left?.id == right?.id && left?.sharedSecret == right?.sharedSecret
            && left?.peer == right?.peer && left?.fabricIndex == right?.fabricIndex
    }

    static func isEqual(_ left: FabricRecord?, _ right: FabricRecord?) -> Bool {
        left?.fabricID == right?.fabricID && left?.nodeID == right?.nodeID
            && left?.adminVendorID == right?.adminVendorID && left?.rootKey == right?.rootKey
            && left?.rootCertificate == right?.rootCertificate
            && left?.operationalKey == right?.operationalKey
            && left?.operationalCertificate == right?.operationalCertificate
            && left?.epochKey == right?.epochKey
    }

    /// Opens. A test that starts a process holds every lock of this one until the new program
    /// runs, so that some patience is needed.
    static func open(
        _ folder: TemporaryFolder, pages: Int = 4096, patience: Duration = .seconds(5),
        observe: @escaping (StoreStep) -> Void = { _ in }
    ) throws(StoreError) -> SQLiteStore {
        try SQLiteStore(
            path: folder.database, pages: pages, patience: patience, observe: observe)
    }
}

extension TemporaryFolder {
    var database: String { path + "/store/gateway.db" }
    var copy: String { database + ".copy" }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/store")) ?? []).sorted()
    }

    func mode(_ name: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }

    /// The same files in another folder, as a crash at this moment would leave them.
    func snapshot() -> TemporaryFolder {
        let other = TemporaryFolder()
        try? FileManager.default.copyItem(atPath: path + "/store", toPath: other.path + "/store")
        return other
    }
}

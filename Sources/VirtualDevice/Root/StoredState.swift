internal import Base
internal import Crypto
internal import Matter

/// All that a device keeps while it has no power: one TLV structure, replaced as a whole.
struct StoredState: TLVStructure, Sendable {
    var format: UInt8 = StoredState.currentFormat
    var attestation = StoredAttestation()
    var uniqueID = ""
    var fabrics: [StoredFabric] = []
    var nextFabricIndex = FabricIndex(1)
    var acl: [AccessControl.AccessControlEntryStruct] = []
    var extensions: [AccessControl.AccessControlExtensionStruct] = []
    var groupKeyMap: [GroupKeyManagement.GroupKeyMapStruct] = []
    var groupKeySets: [StoredGroupKeySet] = []
    var resumptions: [StoredResumption] = []
    var networks: [NetworkTable.Network] = []
    var connectedNetwork: Octets?
    var nodeLabel = ""
    var location = "XX"
    var regulatoryConfig = OpenEnum(GeneralCommissioning.RegulatoryLocationType.indoor)
    var rebootCount: UInt16 = 0
    var nextEventNumber: UInt64 = 0

    static let currentFormat: UInt8 = 1

    init() {}

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "format", &format)
        try field(1, "attestation", &attestation)
        try field(2, "uniqueID", &uniqueID)
        try field(3, "fabrics", &fabrics)
        try field(4, "nextFabricIndex", &nextFabricIndex)
        try field(5, "acl", &acl)
        try field(6, "extensions", &extensions)
        try field(7, "groupKeyMap", &groupKeyMap)
        try field(8, "groupKeySets", &groupKeySets)
        try field(9, "resumptions", &resumptions)
        try field(10, "networks", &networks)
        try field(11, "connectedNetwork", &connectedNetwork)
        try field(12, "nodeLabel", &nodeLabel)
        try field(13, "location", &location)
        try field(14, "regulatoryConfig", &regulatoryConfig)
        try field(15, "rebootCount", &rebootCount)
        try field(16, "nextEventNumber", &nextEventNumber)
    }

    /// - Returns: nil when `bytes` are of another format or damaged.
    static func read(_ bytes: [UInt8]) -> StoredState? {
        do throws(TLVError) {
            let state = try StoredState(tlv: bytes.span)
            return state.format == currentFormat ? state : nil
        } catch { return nil }
    }

    func written() -> [UInt8] {
        do throws(TLVError) { return try tlv(capacity: Limits.stateOctets) } catch {
            preconditionFailure("everything in the state has its bound")
        }
    }
}

struct StoredAttestation: TLVStructure, Sendable {
    var paa = Octets()
    var pai = Octets()
    var dac = Octets()
    /// The scalar of the key of `dac`.
    var key = Secret(count: 0) { _ in }

    init() {}

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "paa", &paa)
        try field(1, "pai", &pai)
        try field(2, "dac", &dac)
        try field(3, "key", &key)
    }

    init(_ credentials: DeviceAttestationCredentials) {
        paa = Octets(credentials.paa)
        pai = Octets(credentials.pai)
        dac = Octets(credentials.dac)
        key = credentials.key.scalar
    }

    /// - Returns: nil when the key is none.
    func credentials(declaration: [UInt8]) -> DeviceAttestationCredentials? {
        do throws(CryptoError) {
            return DeviceAttestationCredentials(
                paa: paa.bytes, pai: pai.bytes, dac: dac.bytes,
                key: try P256.PrivateKey(scalar: key), declaration: declaration)
        } catch { return nil }
    }
}

struct StoredFabric: TLVStructure, Sendable {
    var index = FabricIndex(0)
    var vendorID = VendorID(0)
    var label = ""
    var root = Octets()
    var noc = Octets()
    var icac: Octets?
    var key = Secret(count: 0) { _ in }
    var epochKey = Secret(count: 0) { _ in }

    init() {}

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "index", &index)
        try field(1, "vendorID", &vendorID)
        try field(2, "label", &label)
        try field(3, "root", &root)
        try field(4, "noc", &noc)
        try field(5, "icac", &icac)
        try field(6, "key", &key)
        try field(7, "epochKey", &epochKey)
    }

    init(_ fabric: NodeFabric) {
        index = fabric.index
        vendorID = fabric.vendorID
        label = fabric.label
        root = Octets(fabric.rootTLV)
        noc = Octets(fabric.noc)
        icac = fabric.icac.map(Octets.init)
        key = fabric.key.scalar
        epochKey = fabric.epochKey
    }

    /// - Returns: nil when a certificate or the key is none.
    var fabric: NodeFabric? {
        guard let key = try? P256.PrivateKey(scalar: key) else { return nil }
        return try? NodeFabric(
            index: index, vendorID: vendorID, label: label, root: root.bytes, noc: noc.bytes,
            icac: icac?.bytes, key: key, epochKey: epochKey)
    }
}

struct StoredGroupKeySet: TLVStructure, Sendable {
    var fabricIndex = FabricIndex(0)
    var keySet = GroupKeyManagement.GroupKeySetStruct()

    init() {}

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "fabricIndex", &fabricIndex)
        try field(1, "keySet", &keySet)
    }
}

struct StoredResumption: TLVStructure, Sendable {
    var id = FixedBytes<16>()
    var sharedSecret = Secret(count: 0) { _ in }
    var fabricIndex = FabricIndex(0)
    var peerNodeID = NodeID(0)
    var peerFabricID = FabricID(0)
    var peerCATs: [UInt32] = []
    var peerPublicKey = FixedBytes<65>()

    init() {}

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "resumptionID", &id)
        try field(1, "sharedSecret", &sharedSecret)
        try field(2, "fabricIndex", &fabricIndex)
        try field(3, "peerNodeID", &peerNodeID)
        try field(4, "peerFabricID", &peerFabricID)
        try field(5, "peerCATs", &peerCATs)
        try field(6, "peerPublicKey", &peerPublicKey)
    }

    init(_ resumption: SessionResumption) {
        id = resumption.id
        sharedSecret = resumption.sharedSecret
        fabricIndex = resumption.fabricIndex
        peerNodeID = resumption.peer.nodeID
        peerFabricID = resumption.peer.fabricID
        peerCATs = resumption.peer.cats.map(\.rawValue)
        peerPublicKey = resumption.peer.publicKey.bytes
    }

    /// - Returns: nil when a key is none.
    var resumption: SessionResumption? {
        guard sharedSecret.count == 32,
            let key = try? P256.PublicKey(peerPublicKey.span)
        else { return nil }
        return SessionResumption(
            id: id, sharedSecret: sharedSecret,
            peer: OperationalIdentity(
                nodeID: peerNodeID, fabricID: peerFabricID,
                cats: peerCATs.map(CASEAuthenticatedTag.init), publicKey: key),
            fabricIndex: fabricIndex)
    }
}

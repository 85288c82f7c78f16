internal import Base
internal import Crypto
internal import Matter

// The TLV of a backup. Tags are for ever; what an older version could not do without is a new
// version of the file, and a field that it can do without is optional.

/// All that is in a backup.
struct BackupContent: TLVStructure {
    private var createdAt: Int64 = 0
    private var fabric = CodedFabric()
    private var nodes: [CodedNode] = []
    private var settings: [CodedSetting] = []
    private var authorities: [CodedAuthority] = []
    /// None in backups of versions that kept no networks.
    private var wiFi: CodedWiFi?
    private var thread: CodedThread?
    /// None in backups of versions that kept no limits.
    private var alerts: [CodedAlert]?

    init() {}

    init(_ backup: Backup) {
        createdAt = backup.createdAt
        fabric = CodedFabric(backup.content.fabric)
        nodes = backup.content.nodes.map { CodedNode($0) }
        settings = backup.content.settings.map { CodedSetting($0) }
        authorities = backup.content.authorities.map { CodedAuthority($0) }
        let networks = backup.content.networks
        wiFi = networks.networks.wiFi.map { CodedWiFi($0, since: networks.wiFiSince) }
        thread = networks.networks.thread.map { CodedThread($0, since: networks.threadSince) }
        alerts = backup.content.alerts.map { CodedAlert($0) }
    }

    /// - Throws: `outOfRange` for a network that no device could join.
    func backup() throws(TLVError) -> Backup {
        var content = StoreContent(fabric: fabric.record)
        content.nodes = nodes.map(\.record)
        content.settings = settings.map(\.record)
        content.authorities = authorities.map(\.record)
        try wiFi?.take(into: &content.networks)
        try thread?.take(into: &content.networks)
        content.alerts = (alerts ?? []).map(\.record)
        return Backup(content, createdAt: createdAt)
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "createdAt", &createdAt)
        try field(1, "fabric", &fabric)
        try field(2, "nodes", &nodes)
        try field(3, "settings", &settings)
        try field(4, "authorities", &authorities)
        try field(5, "wiFi", &wiFi)
        try field(6, "thread", &thread)
        try field(7, "alerts", &alerts)
    }

    /// - Returns: how many octets were written.
    func write(to octets: inout MutableSpan<UInt8>) throws(TLVError) -> Int {
        var writer = TLVWriter(octets._mutatingExtracting(0..<octets.count))
        try encode(&writer, tag: .anonymous)
        return writer.count
    }
}

private struct CodedFabric: TLVStructure {
    private var fabricID = FabricID(0)
    private var nodeID = NodeID(0)
    private var adminVendorID = VendorID(0)
    private var rootKey = Secret(count: 0) { _ in }
    private var rootCertificate = Octets()
    private var operationalKey = Secret(count: 0) { _ in }
    private var operationalCertificate = Octets()
    private var epochKey = Secret(count: 0) { _ in }

    init() {}

    init(_ record: FabricRecord) {
        fabricID = record.fabricID
        nodeID = record.nodeID
        adminVendorID = record.adminVendorID
        rootKey = record.rootKey
        rootCertificate = Octets(record.rootCertificate)
        operationalKey = record.operationalKey
        operationalCertificate = Octets(record.operationalCertificate)
        epochKey = record.epochKey
    }

    var record: FabricRecord {
        FabricRecord(
            fabricID: fabricID, nodeID: nodeID, adminVendorID: adminVendorID, rootKey: rootKey,
            rootCertificate: rootCertificate.bytes, operationalKey: operationalKey,
            operationalCertificate: operationalCertificate.bytes, epochKey: epochKey)
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "fabricID", &fabricID)
        try field(1, "nodeID", &nodeID)
        try field(2, "adminVendorID", &adminVendorID)
        try field(3, "rootKey", &rootKey)
        try field(4, "rootCertificate", &rootCertificate)
        try field(5, "operationalKey", &operationalKey)
        try field(6, "operationalCertificate", &operationalCertificate)
        try field(7, "epochKey", &epochKey)
    }
}

private struct CodedNode: TLVStructure {
    private var nodeID = NodeID(0)
    private var fabricIndex = FabricIndex(0)
    private var vendorID = VendorID(0)
    private var productID = ProductID(0)
    private var vendorName = ""
    private var productName = ""
    private var serialNumber = ""
    private var endpoints: [CodedEndpoint] = []
    private var name = ""
    private var room = ""
    private var lastAddress: FixedBytes<16>?
    private var lastScope: UInt32?
    private var lastPort: UInt16?
    private var isAttested = false
    private var commissionedAt: Int64 = 0
    private var historyID: NodeID?

    init() {}

    init(_ record: NodeRecord) {
        nodeID = record.nodeID
        fabricIndex = record.fabricIndex
        vendorID = record.vendorID
        productID = record.productID
        vendorName = record.vendorName
        productName = record.productName
        serialNumber = record.serialNumber
        endpoints = record.endpoints.map { CodedEndpoint($0) }
        name = record.name
        room = record.room
        lastAddress = record.lastAddress?.address.octets
        lastScope = record.lastAddress?.address.scope
        lastPort = record.lastAddress?.port
        isAttested = record.isAttested
        commissionedAt = record.commissionedAt
        historyID = record.historyID
    }

    var record: NodeRecord {
        var record = NodeRecord(
            nodeID: nodeID, fabricIndex: fabricIndex, vendorID: vendorID, productID: productID)
        record.vendorName = vendorName
        record.productName = productName
        record.serialNumber = serialNumber
        record.endpoints = endpoints.map(\.record)
        record.name = name
        record.room = room
        if let lastAddress, let lastPort {
            record.lastAddress = SocketAddress(
                IPAddress(lastAddress, scope: lastScope ?? 0), port: lastPort)
        }
        record.isAttested = isAttested
        record.commissionedAt = commissionedAt
        if let historyID { record.historyID = historyID }
        return record
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "nodeID", &nodeID)
        try field(1, "fabricIndex", &fabricIndex)
        try field(2, "vendorID", &vendorID)
        try field(3, "productID", &productID)
        try field(4, "vendorName", &vendorName)
        try field(5, "productName", &productName)
        try field(6, "serialNumber", &serialNumber)
        try field(7, "endpoints", &endpoints)
        try field(8, "name", &name)
        try field(9, "room", &room)
        try field(10, "lastAddress", &lastAddress)
        try field(11, "lastScope", &lastScope)
        try field(12, "lastPort", &lastPort)
        try field(13, "isAttested", &isAttested)
        try field(14, "commissionedAt", &commissionedAt)
        try field(15, "historyID", &historyID)
    }
}

private struct CodedEndpoint: TLVStructure {
    private var endpoint = EndpointID(0)
    private var deviceTypes: [DeviceTypeID] = []
    private var clusters: [ClusterID] = []

    init() {}

    init(_ record: EndpointRecord) {
        endpoint = record.endpoint
        deviceTypes = record.deviceTypes
        clusters = record.clusters
    }

    var record: EndpointRecord {
        EndpointRecord(endpoint: endpoint, deviceTypes: deviceTypes, clusters: clusters)
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "endpoint", &endpoint)
        try field(1, "deviceTypes", &deviceTypes)
        try field(2, "clusters", &clusters)
    }
}

private struct CodedSetting: TLVStructure {
    private var key = ""
    private var value = ""

    init() {}

    init(_ record: SettingRecord) {
        key = record.key
        value = record.value
    }

    var record: SettingRecord { SettingRecord(key: key, value: value) }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "key", &key)
        try field(1, "value", &value)
    }
}

private struct CodedAuthority: TLVStructure {
    private var keyID = FixedBytes<20>()
    private var certificate = Octets()

    init() {}

    init(_ record: AuthorityRecord) {
        keyID = record.keyID
        certificate = Octets(record.certificate)
    }

    var record: AuthorityRecord {
        AuthorityRecord(keyID: keyID, certificate: certificate.bytes)
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "keyID", &keyID)
        try field(1, "certificate", &certificate)
    }
}

private struct CodedAlert: TLVStructure {
    private var id: UInt32 = 0
    private var historyID = NodeID(0)
    private var endpoint: EndpointID?
    private var word = ""
    private var isAbove = false
    private var limit: Int64 = 0
    private var seconds: Int64 = 0

    init() {}

    init(_ record: AlertRecord) {
        id = record.id
        historyID = record.historyID
        endpoint = record.endpoint
        word = record.word
        isAbove = record.isAbove
        limit = record.limit
        seconds = record.seconds
    }

    var record: AlertRecord {
        AlertRecord(
            id: id, historyID: historyID, endpoint: endpoint, word: word, isAbove: isAbove,
            limit: limit, seconds: seconds)
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "id", &id)
        try field(1, "historyID", &historyID)
        try field(2, "endpoint", &endpoint)
        try field(3, "word", &word)
        try field(4, "isAbove", &isAbove)
        try field(5, "limit", &limit)
        try field(6, "seconds", &seconds)
    }
}

private struct CodedWiFi: TLVStructure {
    private var ssid = Octets()
    private var credentials = Secret(count: 0) { _ in }
    private var isHidden = false
    private var since: Int64 = 0

    init() {}

    init(_ network: WiFiNetworkCredentials, since: Int64) {
        ssid = Octets(network.ssid)
        credentials = network.credentials
        isHidden = network.isHidden
        self.since = since
    }

    func take(into record: inout NetworksRecord) throws(TLVError) {
        let ssid = ssid.bytes
        do throws(NetworkCredentialsError) {
            record.networks.wiFi = try WiFiNetworkCredentials(
                ssid: ssid.span, credentials: credentials, isHidden: isHidden)
        } catch { throw .outOfRange(tag: 5) }
        record.wiFiSince = since
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "ssid", &ssid)
        try field(1, "credentials", &credentials)
        try field(2, "isHidden", &isHidden)
        try field(3, "since", &since)
    }
}

private struct CodedThread: TLVStructure {
    private var dataset = Secret(count: 0) { _ in }
    private var since: Int64 = 0

    init() {}

    init(_ dataset: OperationalDataset, since: Int64) {
        self.dataset = dataset.tlvs
        self.since = since
    }

    func take(into record: inout NetworksRecord) throws(TLVError) {
        do throws(NetworkCredentialsError) {
            record.networks.thread = try OperationalDataset(dataset)
        } catch { throw .outOfRange(tag: 6) }
        record.threadSince = since
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "dataset", &dataset)
        try field(1, "since", &since)
    }
}

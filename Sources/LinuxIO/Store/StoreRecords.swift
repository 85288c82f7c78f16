internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// How records are written to rows and read from them; the order of the columns is here alone.
enum StoreRecords {
    static let fabricColumns = """
        fabric_id, node_id, admin_vendor_id, root_key, root_certificate, operational_key,
        operational_certificate, epoch_key, checksum
        """

    static func write(_ fabric: FabricRecord, to row: inout RowWriter) {
        row.unsigned(fabric.fabricID.rawValue)
        row.unsigned(fabric.nodeID.rawValue)
        row.unsigned(fabric.adminVendorID.rawValue)
        row.bytes(fabric.rootKey.span)
        row.bytes(fabric.rootCertificate.span)
        row.bytes(fabric.operationalKey.span)
        row.bytes(fabric.operationalCertificate.span)
        row.bytes(fabric.epochKey.span)
        row.checksum()
    }

    static func fabric(_ row: inout RowReader) throws(StoreError) -> FabricRecord {
        let fabric = FabricRecord(
            fabricID: FabricID(row.unsigned()), nodeID: NodeID(row.unsigned()),
            adminVendorID: VendorID(row.unsigned()), rootKey: row.secret(),
            rootCertificate: row.bytes(), operationalKey: row.secret(),
            operationalCertificate: row.bytes(), epochKey: row.secret())
        guard row.isIntact() else { throw .corrupt }
        return fabric
    }

    static let nodeColumns = """
        node_id, fabric_index, vendor_id, product_id, vendor_name, product_name, serial_number,
        name, room, last_address, last_scope, last_port, is_attested, commissioned_at, checksum
        """

    static func write(_ node: NodeRecord, to row: inout RowWriter) {
        row.unsigned(node.nodeID.rawValue)
        row.unsigned(node.fabricIndex.rawValue)
        row.unsigned(node.vendorID.rawValue)
        row.unsigned(node.productID.rawValue)
        row.text(node.vendorName)
        row.text(node.productName)
        row.text(node.serialNumber)
        row.text(node.name)
        row.text(node.room)
        row.address(node.lastAddress)
        row.integer(node.isAttested ? 1 : 0)
        row.integer(node.commissionedAt)
        row.checksum()
    }

    /// The node without its endpoints, which are rows of their own.
    static func node(_ row: inout RowReader) throws(StoreError) -> NodeRecord {
        var node = NodeRecord(
            nodeID: NodeID(row.unsigned()), fabricIndex: FabricIndex(row.unsigned()),
            vendorID: VendorID(row.unsigned()), productID: ProductID(row.unsigned()))
        node.vendorName = row.text()
        node.productName = row.text()
        node.serialNumber = row.text()
        node.name = row.text()
        node.room = row.text()
        node.lastAddress = try row.address()
        node.isAttested = row.integer() != 0
        node.commissionedAt = row.integer()
        guard row.isIntact() else { throw .corrupt }
        return node
    }

    static let endpointColumns = "node_id, position, endpoint, device_types, clusters, checksum"

    static func write(
        _ endpoint: EndpointRecord, of node: NodeID, at position: Int, to row: inout RowWriter
    ) {
        row.unsigned(node.rawValue)
        row.integer(Int64(position))
        row.unsigned(endpoint.endpoint.rawValue)
        row.text(list(endpoint.deviceTypes.map(\.rawValue)))
        row.text(list(endpoint.clusters.map(\.rawValue)))
        row.checksum()
    }

    static func endpoint(
        _ row: inout RowReader
    ) throws(StoreError) -> (node: NodeID, endpoint: EndpointRecord) {
        let node = NodeID(row.unsigned())
        _ = row.integer()
        let number = EndpointID(row.unsigned())
        let deviceTypes = row.text()
        let clusters = row.text()
        guard row.isIntact() else { throw .corrupt }
        let endpoint = EndpointRecord(
            endpoint: number, deviceTypes: try numbers(deviceTypes).map { DeviceTypeID($0) },
            clusters: try numbers(clusters).map { ClusterID($0) })
        return (node, endpoint)
    }

    static let resumptionColumns = """
        node_id, resumption_id, shared_secret, fabric_id, public_key, tags, fabric_index, checksum
        """

    static func write(_ resumption: SessionResumption, to row: inout RowWriter) {
        let publicKey = resumption.peer.publicKey.bytes
        let id = resumption.id
        row.unsigned(resumption.peer.nodeID.rawValue)
        row.bytes(id.span)
        row.bytes(resumption.sharedSecret.span)
        row.unsigned(resumption.peer.fabricID.rawValue)
        row.bytes(publicKey.span)
        row.text(list(resumption.peer.cats.map(\.rawValue)))
        row.unsigned(resumption.fabricIndex.rawValue)
        row.checksum()
    }

    /// Nil when the row is not as it was written.
    static func resumption(_ row: inout RowReader) -> SessionResumption? {
        let nodeID = NodeID(row.unsigned())
        let id = row.bytes()
        let sharedSecret = row.secret()
        let fabricID = FabricID(row.unsigned())
        let publicKey = row.bytes()
        let tags = row.text()
        let fabricIndex = FabricIndex(row.unsigned())
        guard row.isIntact(), let id = FixedBytes<16>(id.span), sharedSecret.count == 32,
            let publicKey = try? P256.PublicKey(publicKey.span), let tags = try? numbers(tags)
        else { return nil }
        let peer = OperationalIdentity(
            nodeID: nodeID, fabricID: fabricID, cats: tags.map { CASEAuthenticatedTag($0) },
            publicKey: publicKey)
        return SessionResumption(
            id: id, sharedSecret: sharedSecret, peer: peer, fabricIndex: fabricIndex)
    }

    static let runColumns = "node_id, step, started_at, checksum"

    static func write(_ run: RunRecord, to row: inout RowWriter) {
        row.unsigned(run.nodeID.rawValue)
        row.unsigned(run.step)
        row.integer(run.startedAt)
        row.checksum()
    }

    static func run(_ row: inout RowReader) throws(StoreError) -> RunRecord {
        let run = RunRecord(
            nodeID: NodeID(row.unsigned()), step: row.unsigned(), startedAt: row.integer())
        guard row.isIntact() else { throw .corrupt }
        return run
    }

    static let eventColumns = "time, kind, node_id, text"

    static func write(_ event: EventRecord, to row: inout RowWriter) {
        row.integer(event.time)
        row.text(event.kind.rawValue)
        if let node = event.node { row.unsigned(node.rawValue) } else { row.null() }
        row.text(event.text)
    }

    static func event(_ row: inout RowReader) -> EventRecord {
        let time = row.integer()
        let kind = EventRecord.Kind(rawValue: row.text()) ?? .warning
        var node: NodeID?
        if row.isNull { row.null() } else { node = NodeID(row.unsigned()) }
        return EventRecord(time: time, kind: kind, node: node, text: row.text())
    }

    /// "6,8,29": readable in SQLite's own shell.
    private static func list(_ numbers: [UInt32]) -> String {
        numbers.map { String($0) }.joined(separator: ",")
    }

    private static func numbers(_ list: String) throws(StoreError) -> [UInt32] {
        var numbers: [UInt32] = []
        for part in list.split(separator: ",") {
            guard let number = UInt32(part) else { throw .corrupt }
            numbers.append(number)
        }
        return numbers
    }
}

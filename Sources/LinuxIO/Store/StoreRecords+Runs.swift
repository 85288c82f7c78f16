internal import Base
internal import Matter
internal import MatterNode

extension StoreRecords {
    static let runDeviceColumns = """
        node_id, fail_safe_seconds, vendor_name, product_name, serial_number, name, room,
        last_address, last_scope, last_port, is_attested, replaces, checksum
        """

    static func writeDevice(of run: RunRecord, to row: inout RowWriter) {
        row.unsigned(run.nodeID.rawValue)
        row.unsigned(run.failSafeSeconds)
        row.text(run.vendorName)
        row.text(run.productName)
        row.text(run.serialNumber)
        row.text(run.name)
        row.text(run.room)
        row.address(run.lastAddress)
        row.integer(run.isAttested ? 1 : 0)
        if let node = run.replaces { row.unsigned(node.rawValue) } else { row.null() }
        row.checksum()
    }

    /// Adds to its run, among `runs`, what the row holds.
    static func readDevice(
        _ row: inout RowReader, into runs: inout [RunRecord]
    ) throws(StoreError) {
        let nodeID = NodeID(row.unsigned())
        guard let place = runs.firstIndex(where: { $0.nodeID == nodeID }) else { throw .corrupt }
        runs[place].failSafeSeconds = row.unsigned()
        runs[place].vendorName = row.text()
        runs[place].productName = row.text()
        runs[place].serialNumber = row.text()
        runs[place].name = row.text()
        runs[place].room = row.text()
        runs[place].lastAddress = try row.address()
        runs[place].isAttested = row.integer() != 0
        if row.isNull { row.null() } else { runs[place].replaces = NodeID(row.unsigned()) }
        guard row.isIntact() else { throw .corrupt }
    }

    static let historyKeyColumns = "node_id, history_id, checksum"

    static func writeHistoryKey(of node: NodeRecord, to row: inout RowWriter) {
        row.unsigned(node.nodeID.rawValue)
        row.unsigned(node.historyID.rawValue)
        row.checksum()
    }

    static func historyKey(
        _ row: inout RowReader
    ) throws(StoreError) -> (node: NodeID, history: NodeID) {
        let key = (node: NodeID(row.unsigned()), history: NodeID(row.unsigned()))
        guard row.isIntact() else { throw .corrupt }
        return key
    }

    static let removalColumns =
        "node_id, fabric_index, last_address, last_scope, last_port, name, since, checksum"

    static func write(_ removal: PendingRemoval, to row: inout RowWriter) {
        row.unsigned(removal.nodeID.rawValue)
        if let index = removal.fabricIndex { row.unsigned(index.rawValue) } else { row.null() }
        row.address(removal.lastAddress)
        row.text(removal.name)
        row.integer(removal.since)
        row.checksum()
    }

    static func removal(_ row: inout RowReader) throws(StoreError) -> PendingRemoval {
        let nodeID = NodeID(row.unsigned())
        var fabricIndex: FabricIndex?
        if row.isNull { row.null() } else { fabricIndex = FabricIndex(row.unsigned()) }
        let removal = PendingRemoval(
            nodeID: nodeID, fabricIndex: fabricIndex, lastAddress: try row.address(),
            name: row.text(), since: row.integer())
        guard row.isIntact() else { throw .corrupt }
        return removal
    }
}

extension RowWriter {
    /// Three values; none is three times NULL.
    mutating func address(_ socket: SocketAddress?) {
        if let socket {
            bytes(socket.address.octets.span)
            unsigned(socket.address.scope)
            unsigned(socket.port)
        } else {
            for _ in 0..<3 { null() }
        }
    }
}

extension RowReader {
    mutating func address() throws(StoreError) -> SocketAddress? {
        if isNull {
            for _ in 0..<3 { null() }
            return nil
        }
        let stored = bytes()
        guard let octets = FixedBytes<16>(stored.span) else { throw .corrupt }
        let address = IPAddress(octets, scope: unsigned())
        return SocketAddress(address, port: unsigned())
    }
}

import Base
import Crypto
import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

@Suite("SQLiteStore")
struct SQLiteStoreTests {
    private let folder = TemporaryFolder()

    @Test("a new store is empty, writable and without a notice")
    func fresh() throws {
        let store = try StoreFixtures.open(folder)
        #expect(try store.fabric() == nil)
        #expect(try store.nodes().isEmpty)
        #expect(try store.runs().isEmpty)
        #expect(try store.events(limit: 10).isEmpty)
        #expect(store.notice == nil)
        #expect(store.copyFailure == nil)
        try store.checkWritable()
    }

    @Test("a fabric comes back with its keys, now and after the next opening")
    func fabric() throws {
        let fabric = StoreFixtures.fabric()
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(StoreFixtures.fabric())
            try store.save(fabric)
            #expect(StoreFixtures.isEqual(try store.fabric(), fabric))
        }
        let store = try StoreFixtures.open(folder)
        #expect(StoreFixtures.isEqual(try store.fabric(), fabric))
        #expect(store.notice == nil)
    }

    @Test("nodes keep every field and their order; one that is saved again keeps its place")
    func nodes() throws {
        var second = StoreFixtures.node(0xFFFF_FFEF_0000_0001, endpoints: 0)
        second.lastAddress = nil
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(StoreFixtures.node(9))
            try store.save(second)
            try store.save(StoreFixtures.node(3, endpoints: 12))
            var renamed = StoreFixtures.node(9, endpoints: 1)
            renamed.lastAddress = SocketAddress("192.0.2.7:5540")
            renamed.room = "Attic"
            try store.save(renamed)
            #expect(
                try store.nodes() == [renamed, second, StoreFixtures.node(3, endpoints: 12)])
            try store.removeNode(NodeID(9))
            try store.removeNode(NodeID(9))
        }
        let store = try StoreFixtures.open(folder)
        #expect(try store.nodes() == [second, StoreFixtures.node(3, endpoints: 12)])
    }

    @Test("a run is kept until it ends, alone or together with its node")
    func runs() throws {
        let store = try StoreFixtures.open(folder)
        var first = RunRecord(nodeID: NodeID(5), step: 1, startedAt: 100)
        let second = RunRecord(nodeID: NodeID(4), step: 2, startedAt: 200)
        try store.save(first)
        try store.save(second)
        first.step = 17
        first.failSafeSeconds = 180
        first.vendorName = "Vendor"
        first.productName = "Lamp"
        first.serialNumber = "SN\u{0}1"
        first.name = "Küche"
        first.room = "Hall"
        first.lastAddress = SocketAddress("[fe80::1%3]:5540")
        first.isAttested = true
        first.replaces = NodeID(0xFFFF_FFEF_FFFF_FFFE)
        try store.save(first)
        #expect(try store.runs() == [first, second])
        try store.complete(first, with: StoreFixtures.node(5))
        #expect(try store.runs() == [second])
        #expect(try store.nodes() == [StoreFixtures.node(5)])
        try store.endRun(NodeID(4))
        #expect(try store.runs().isEmpty)
    }

    @Test("a node that takes another's place comes with what it inherits, and the other goes")
    func predecessors() throws {
        let removal = PendingRemoval(StoreFixtures.node(2), since: 7)
        let key = NodeID(0xFFFF_FFEF_FFFF_FFFE)
        for predecessor in [Predecessor.reset(NodeID(2)), .replaced(removal)] {
            let folder = TemporaryFolder()
            var node = StoreFixtures.node(5)
            node.historyID = key
            do {
                let store = try StoreFixtures.open(folder)
                for number in 1...3 { try store.save(StoreFixtures.node(UInt64(number))) }
                let run = RunRecord(nodeID: NodeID(5), step: 14, startedAt: 5)
                try store.save(run)
                try store.complete(run, with: node, inPlaceOf: predecessor)
            }
            let store = try StoreFixtures.open(folder)
            let others = [1, 3].map { StoreFixtures.node($0) }
            #expect(try store.nodes() == others + [node])
            #expect(try store.runs().isEmpty)
            #expect(try store.removals() == (predecessor == .replaced(removal) ? [removal] : []))
            node.historyID = node.nodeID
            try store.save(node)
            #expect(try store.nodes() == others + [node])
        }
    }

    @Test("a node ends the earlier runs at its device, and a removal of itself")
    func ended() throws {
        let store = try StoreFixtures.open(folder)
        let node = StoreFixtures.node(7, endpoints: 1)
        func run(_ nodeID: UInt64, serial: String) -> RunRecord {
            var run = RunRecord(nodeID: NodeID(nodeID), step: 14, startedAt: 5)
            run.vendorName = node.vendorName
            run.productName = node.productName
            run.serialNumber = serial
            return run
        }
        let own = run(7, serial: node.serialNumber)
        let other = run(9, serial: node.serialNumber + "X")
        try store.save(PendingRemoval(node, since: 3))
        for run in [own, run(8, serial: node.serialNumber), other] { try store.save(run) }
        try store.complete(own, with: node)
        #expect(try store.runs() == [other])
        #expect(try store.removals().isEmpty)
        #expect(try store.nodes() == [node])
    }

    @Test("a removal takes its node and run along, and is kept until it ends")
    func removals() throws {
        var first = PendingRemoval(StoreFixtures.node(2), since: 7)
        var second = PendingRemoval(
            RunRecord(nodeID: NodeID(9), step: 14, startedAt: 1), since: 0)
        do {
            let store = try StoreFixtures.open(folder)
            for number in 1...3 { try store.save(StoreFixtures.node(UInt64(number))) }
            try store.save(RunRecord(nodeID: NodeID(9), step: 14, startedAt: 1))
            try store.save(first)
            try store.save(second)
        }
        let store = try StoreFixtures.open(folder)
        #expect(try store.nodes() == [1, 3].map { StoreFixtures.node($0) })
        #expect(try store.runs().isEmpty)
        #expect(try store.removals() == [first, second])
        first.since = 8
        second.fabricIndex = FabricIndex(3)
        try store.save(second)
        try store.save(first)
        #expect(try store.removals() == [second, first])
        try store.endRemoval(second.nodeID)
        #expect(try store.removals() == [first])
    }

    @Test("more removals than the bound push the oldest out")
    func removalBound() throws {
        let store = try StoreFixtures.open(folder)
        let all = (1...PendingRemoval.bound + 2).map {
            PendingRemoval(
                nodeID: NodeID(UInt64($0)), fabricIndex: nil, lastAddress: nil, name: "", since: 0)
        }
        for removal in all { try store.save(removal) }
        #expect(try store.removals() == Array(all.dropFirst(2)))
    }

    @Test("events come newest first")
    func events() throws {
        let store = try StoreFixtures.open(folder)
        let events = (0..<5).map { number in
            EventRecord(
                time: Int64(number), kind: number == 0 ? .commissioned : .warning,
                node: number == 1 ? NodeID(.max) : nil, text: "event \(number)")
        }
        for event in events { try store.append(event) }
        #expect(try store.events(limit: 3) == Array(events.reversed().prefix(3)))
        #expect(try store.events(limit: 100) == events.reversed())
        #expect(try store.events(limit: 0).isEmpty)
    }

    @Test("more events than the bound push the oldest out")
    func eventBound() throws {
        do {
            let store = try StoreFixtures.open(folder)
            try store.append(EventRecord(time: 0, kind: .warning, node: nil, text: "first"))
        }
        // Ten thousand synchronous transactions would take long on a slow disk.
        do {
            let database = try Database(path: folder.database)
            try database.execute(
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
                    + "INSERT INTO event SELECT i, i, 'warning', NULL, 'event' FROM n")
            #expect(try database.integer("SELECT count(*) FROM event") == 10_000)
        }
        let store = try StoreFixtures.open(folder)
        try store.append(EventRecord(time: 1, kind: .warning, node: nil, text: "last"))
        let events = try store.events(limit: 20_000)
        #expect(events.count == 10_000)
        #expect(events.first?.text == "last")
        #expect(events.last?.text == "event")
    }

    @Test("folder and files are their owner's alone")
    func modes() throws {
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(StoreFixtures.fabric())
            #expect(folder.mode("store") == 0o700)
            for name in folder.names { #expect(folder.mode("store/\(name)") == 0o600, "\(name)") }
            #expect(folder.names.contains("gateway.db-wal"))
        }
        // A file that somebody brought here with other rights.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: folder.database)
        _ = try StoreFixtures.open(folder)
        #expect(folder.mode("store/gateway.db") == 0o600)
    }

    @Test("a second opening is refused while the first is open")
    func locked() throws {
        do {
            let store = try StoreFixtures.open(folder)
            #expect(throws: StoreError.inUse) {
                _ = try StoreFixtures.open(folder, patience: .zero)
            }
            try store.checkWritable()
        }
        _ = try StoreFixtures.open(folder)
    }

    @Test("a newer version is refused and left as it is")
    func tooNew() throws {
        let newer = StoreSchema.version + 1
        do { _ = try StoreFixtures.open(folder) }
        do {
            try Database(path: folder.database).execute(
                "ALTER TABLE node ADD COLUMN colour TEXT; PRAGMA user_version = \(newer)")
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        #expect(throws: StoreError.tooNew(version: newer)) { _ = try StoreFixtures.open(folder) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
        #expect(!folder.names.contains { $0.contains("damaged") })
    }

    @Test("a full store says so, and keeps what it has")
    func full() throws {
        let fabric = StoreFixtures.fabric()
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(fabric)
        }
        let store = try StoreFixtures.open(folder, pages: 1)
        var big = StoreFixtures.node(1, endpoints: 400)
        big.name = String(repeating: "x", count: 10_000)
        #expect(throws: StoreError.full) { try store.save(big) }
        #expect(try store.nodes().isEmpty)
        #expect(StoreFixtures.isEqual(try store.fabric(), fabric))
    }

    @Test("a folder that cannot be made names the system's error")
    func cannotOpen() {
        #expect(throws: StoreError.cannotOpen(errno: 2)) {
            _ = try SQLiteStore(path: "/nonexistent/folder/gateway.db")
        }
    }

    @Test("a copy that cannot be written is no error of the change, but of the check")
    func copyFailure() throws {
        let store = try StoreFixtures.open(folder)
        try FileManager.default.createDirectory(
            atPath: folder.copy + ".new/x", withIntermediateDirectories: true)
        try store.save(StoreFixtures.node(1))
        #expect(try store.nodes().count == 1)
        #expect(store.copyFailure != nil)
        #expect(throws: StoreError.self) { try store.checkWritable() }
        try FileManager.default.removeItem(atPath: folder.copy + ".new")
        try store.checkWritable()
        #expect(store.copyFailure == nil)
    }
}

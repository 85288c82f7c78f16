import Base
import Crypto
import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

@Suite("SQLiteStore: resumptions and versions")
struct StoreResumptionTests {
    private let folder = TemporaryFolder()

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test("a resumption is kept whole, replaced by the next, and survives the next opening")
    func kept() throws {
        let second = StoreFixtures.resumption(7)
        let other = StoreFixtures.resumption(8, index: 254)
        do {
            let store = try StoreFixtures.open(folder)
            for number in [7, 8] { try store.save(StoreFixtures.node(UInt64(number))) }
            #expect(try store.resumption(of: NodeID(7)) == nil)
            try store.save(StoreFixtures.resumption(7))
            try store.save(second)
            try store.save(other)
            #expect(StoreFixtures.isEqual(try store.resumption(of: NodeID(7)), second))
        }
        let store = try StoreFixtures.open(folder)
        #expect(store.notice == nil)
        #expect(StoreFixtures.isEqual(try store.resumption(of: NodeID(7)), second))
        #expect(StoreFixtures.isEqual(try store.resumption(of: NodeID(8)), other))
    }

    @Test("a resumption goes with its node, and none is kept for a stranger")
    func removed() throws {
        let store = try StoreFixtures.open(folder)
        try store.save(StoreFixtures.resumption(7))
        #expect(try store.resumption(of: NodeID(7)) == nil)
        try store.save(StoreFixtures.node(7))
        try store.save(StoreFixtures.resumption(7))
        // A node that is renamed keeps it.
        try store.save(StoreFixtures.node(7, endpoints: 3))
        #expect(try store.resumption(of: NodeID(7)) != nil)
        try store.removeNode(NodeID(7))
        try store.save(StoreFixtures.node(7))
        #expect(try store.resumption(of: NodeID(7)) == nil)
        try store.save(StoreFixtures.resumption(7))
        try store.removeResumption(of: NodeID(7))
        #expect(try store.resumption(of: NodeID(7)) == nil)
    }

    @Test("a resumption renews no copy and is in none; other changes are as durable as ever")
    func hint() throws {
        var steps: [StoreStep] = []
        let store = try StoreFixtures.open(folder) { steps.append($0) }
        try store.save(StoreFixtures.node(7))
        let copy = try bytes(folder.copy)
        steps = []
        let resumption = StoreFixtures.resumption(7)
        try store.save(resumption)
        #expect(steps == [.committed])
        #expect(store.synchronous == 2)
        #expect(try bytes(folder.copy) == copy)
        try store.save(StoreFixtures.node(8))
        let secret = resumption.sharedSecret
        let octets = (0..<secret.count).map { secret.span[$0] }
        #expect(try bytes(folder.copy).range(of: Data(octets)) == nil)
        // A crash without the hint leaves a store that is in order.
        let crashed = try StoreFixtures.open(folder.snapshot())
        #expect(crashed.notice == nil)
        #expect(try crashed.nodes().count == 2)
    }

    @Test("a damaged resumption is none, and no reason to recover")
    func damaged() throws {
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(StoreFixtures.node(7))
            try store.save(StoreFixtures.resumption(7))
        }
        for change in ["shared_secret = x'01'", "fabric_index = 9", "tags = 'a'"] {
            do {
                try Database(path: folder.database).execute("UPDATE resumption SET \(change)")
            }
            let store = try StoreFixtures.open(folder)
            #expect(store.notice == nil)
            #expect(try store.resumption(of: NodeID(7)) == nil)
            try store.save(StoreFixtures.resumption(7))
            #expect(try store.resumption(of: NodeID(7)) != nil)
        }
    }

    /// What earlier versions had: the same without the tables that came later.
    private func make(version: Int, _ path: String) throws {
        let later =
            ["alert"] + (version < 4 ? ["thread", "wifi"] : [])
            + (version < 3 ? ["authority", "setting", "removal", "history_key", "run_device"] : [])
            + (version < 2 ? ["resumption"] : [])
        let drops = later.map { "DROP TABLE \($0);" }.joined()
        try Database(path: path).execute(drops + "PRAGMA user_version = \(version); VACUUM")
    }

    private func fill(version: Int, _ fabric: FabricRecord) throws -> RunRecord {
        let run = RunRecord(nodeID: NodeID(9), step: 3, startedAt: 5)
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(fabric)
            for number in 1...3 { try store.save(StoreFixtures.node(UInt64(number))) }
            try store.save(run)
            try store.append(EventRecord(time: 1, kind: .warning, node: nil, text: "old"))
        }
        try make(version: version, folder.database)
        try make(version: version, folder.copy)
        return run
    }

    private func check(_ store: SQLiteStore, _ fabric: FabricRecord) throws {
        #expect(StoreFixtures.isEqual(try store.fabric(), fabric))
        #expect(try store.nodes() == (1...3).map { StoreFixtures.node($0) })
        let resumption = StoreFixtures.resumption(2)
        try store.save(resumption)
        #expect(StoreFixtures.isEqual(try store.resumption(of: NodeID(2)), resumption))
    }

    @Test(
        "a store of an earlier version opens and keeps everything, now and later", arguments: 1...4)
    func migrated(version: Int) throws {
        let fabric = StoreFixtures.fabric()
        let run = try fill(version: version, fabric)
        for _ in 1...2 {
            let store = try StoreFixtures.open(folder)
            #expect(store.notice == nil)
            try check(store, fabric)
            #expect(try store.runs() == [run])
            #expect(try store.events(limit: 5).map(\.text) == ["old"])
        }
        #expect(
            try Database(path: folder.database).integer("PRAGMA user_version")
                == Int64(StoreSchema.version))
        #expect(!folder.names.contains { $0.contains("damaged") })
    }

    @Test(
        "a copy of an earlier version is as good as any when the database is damaged or missing",
        arguments: 1...4)
    func migratedCopy(version: Int) throws {
        for isMissing in [true, false] {
            let fabric = StoreFixtures.fabric()
            _ = try fill(version: version, fabric)
            if isMissing {
                try FileManager.default.removeItem(atPath: folder.database)
            } else {
                try Data("rubbish".utf8).write(to: URL(fileURLWithPath: folder.database))
            }
            let store = try StoreFixtures.open(folder)
            #expect(store.notice != nil)
            try check(store, fabric)
            for number in 1...3 { try store.removeNode(NodeID(UInt64(number))) }
            try store.endRun(NodeID(9))
        }
    }

    @Test("a version that is none, or that its tables contradict, is damage")
    func wrongVersion() throws {
        for version in [0, -1, 1, 2, 3, 4] {
            do { _ = try StoreFixtures.open(folder) }
            do {
                try Database(path: folder.database).execute("PRAGMA user_version = \(version)")
            }
            let store = try StoreFixtures.open(folder)
            #expect(store.notice?.contains("was damaged") == true, "version \(version)")
        }
    }
}

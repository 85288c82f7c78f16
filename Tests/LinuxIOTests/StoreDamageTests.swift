import Base
import Crypto
import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

@Suite("SQLiteStore: damage and crashes")
struct StoreDamageTests {
    private let folder = TemporaryFolder()
    private let fabric = StoreFixtures.fabric()

    private func fill(_ nodes: Int = 3) throws {
        let store = try StoreFixtures.open(folder)
        try store.save(fabric)
        for number in 1...nodes { try store.save(StoreFixtures.node(UInt64(number))) }
    }

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private func write(_ data: Data, _ path: String) throws {
        try data.write(to: URL(fileURLWithPath: path))
    }

    @Test("a missing file with a copy is recovered, with a notice and an event")
    func missing() throws {
        try fill()
        try FileManager.default.removeItem(atPath: folder.database)
        let store = try StoreFixtures.open(folder)
        #expect(StoreFixtures.isEqual(try store.fabric(), fabric))
        #expect(try store.nodes().count == 3)
        let notice = try #require(store.notice)
        #expect(notice.hasPrefix("The database was missing. Its last good copy of 2"))
        let event = try #require(try store.events(limit: 1).first)
        #expect(event.kind == .storeRecovered && event.text == notice)
    }

    @Test("without a copy damage is an error, and the file stays")
    func noCopy() throws {
        try fill()
        try FileManager.default.removeItem(atPath: folder.copy)
        try write(Data("not a database".utf8), folder.database)
        #expect(throws: StoreError.damaged) { _ = try StoreFixtures.open(folder) }
        #expect(try bytes(folder.database) == Data("not a database".utf8))
        try write(Data(), folder.database)
        #expect(throws: StoreError.damaged) { _ = try StoreFixtures.open(folder) }
    }

    @Test("a log whose database is gone is damage, not a new store")
    func logAlone() throws {
        do { _ = try StoreFixtures.open(folder) }
        try FileManager.default.removeItem(atPath: folder.copy)
        try FileManager.default.moveItem(
            atPath: folder.database, toPath: folder.database + "-wal")
        #expect(throws: StoreError.damaged) { _ = try StoreFixtures.open(folder) }
    }

    @Test("a good store whose copy is damaged or missing gets a new one")
    func copyDamaged() throws {
        try fill()
        let good = try bytes(folder.copy)
        for damaged in [Data("rubbish".utf8), Data(), good.prefix(good.count / 2)] {
            try write(damaged, folder.copy)
            do {
                let store = try StoreFixtures.open(folder)
                #expect(store.notice == nil)
            }
            try FileManager.default.removeItem(atPath: folder.database)
            let store = try StoreFixtures.open(folder)
            #expect(try store.nodes().count == 3)
        }
    }

    /// Every damage of the file ends in the right content: harmless, or recovered from the copy.
    @Test("overwritten octets anywhere never change what is read", arguments: [1, 300])
    func overwritten(length: Int) throws {
        try fill()
        let good = try bytes(folder.database)
        let copy = try bytes(folder.copy)
        var recovered = 0
        var offset = 0
        while offset < good.count {
            var damaged = good
            for index in offset..<min(offset + length, good.count) { damaged[index] ^= 0xA5 }
            try write(damaged, folder.database)
            try write(copy, folder.copy)
            do {
                let store = try StoreFixtures.open(folder)
                #expect(StoreFixtures.isEqual(try store.fabric(), fabric), "at \(offset)")
                #expect(
                    try store.nodes() == (1...3).map { StoreFixtures.node($0) }, "at \(offset)")
                if store.notice != nil { recovered += 1 }
            }
            // Every octet of the header, then here and there.
            offset += offset < 100 ? 1 : 211
        }
        #expect(recovered > 10)
    }

    @Test("a truncated file is recovered", arguments: [1, 99, 100, 4096, 5000, 8192])
    func truncated(count: Int) throws {
        try fill()
        try write(try bytes(folder.database).prefix(count), folder.database)
        let store = try StoreFixtures.open(folder)
        #expect(store.notice != nil)
        #expect(try store.nodes().count == 3)
        #expect(folder.names.contains("gateway.db.damaged-1"))
    }

    @Test("a log that has lost changes which the copy knows is damage")
    func lostLog() throws {
        let crashed: TemporaryFolder
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(fabric)
            crashed = folder.snapshot()
        }
        #expect(crashed.names.contains("gateway.db-wal"))
        try write(Data(), crashed.database + "-wal")
        let store = try StoreFixtures.open(crashed)
        #expect(StoreFixtures.isEqual(try store.fabric(), fabric))
        #expect(store.notice?.contains("had lost its last changes") == true)
        #expect(crashed.names.contains("gateway.db.damaged-1"))
    }

    @Test("damaged files get numbers, up to a bound")
    func numbers() throws {
        try fill(1)
        for _ in 1...10 {
            try write(Data("rubbish".utf8), folder.database)
            _ = try StoreFixtures.open(folder)
        }
        let damaged = folder.names.filter { $0.contains("damaged") && !$0.hasSuffix("-wal") }
        #expect(damaged.count == 8)
    }

    /// The files are copied at every step, as a process that is killed leaves them.
    @Test("a kill at any step of saving leaves the old or the new content")
    func killedWhileSaving() throws {
        var snapshots: [TemporaryFolder] = []
        var isRecording = false
        let store = try StoreFixtures.open(folder) { [folder] _ in
            if isRecording { snapshots.append(folder.snapshot()) }
        }
        try store.save(fabric)
        let run = RunRecord(nodeID: NodeID(1), step: 1, startedAt: 0)
        try store.save(run)
        isRecording = true
        try store.complete(run, with: StoreFixtures.node(1))
        isRecording = false
        #expect(snapshots.count >= 4)
        for snapshot in snapshots {
            let store = try StoreFixtures.open(snapshot)
            #expect(store.notice == nil)
            #expect(StoreFixtures.isEqual(try store.fabric(), fabric))
            // The commit is the first step that is told.
            #expect(try store.nodes() == [StoreFixtures.node(1)])
            #expect(try store.runs().isEmpty)
        }
    }

    @Test("a kill at any step of making a store leaves none or an empty one")
    func killedWhileMaking() throws {
        var snapshots: [TemporaryFolder] = []
        _ = try StoreFixtures.open(folder) { [folder] _ in snapshots.append(folder.snapshot()) }
        #expect(snapshots.count >= 4)
        for snapshot in snapshots {
            let store = try StoreFixtures.open(snapshot)
            #expect(store.notice == nil)
            #expect(try store.fabric() == nil)
        }
    }

    @Test("a kill at any step of a recovery is recovered from again")
    func killedWhileRecovering() throws {
        try fill()
        let database = try bytes(folder.database)
        try write(database.prefix(5000), folder.database)
        try write(Data(repeating: 1, count: 100), folder.database + "-wal")
        var snapshots: [TemporaryFolder] = []
        do {
            let store = try StoreFixtures.open(folder) { [folder] _ in
                snapshots.append(folder.snapshot())
            }
            #expect(store.notice != nil)
        }
        #expect(snapshots.count >= 4)
        for snapshot in snapshots {
            let store = try StoreFixtures.open(snapshot)
            #expect(StoreFixtures.isEqual(try store.fabric(), fabric))
            #expect(try store.nodes() == (1...3).map { StoreFixtures.node($0) })
        }
    }

    @Test("an erased store is gone with everything that came of it, and a new one is empty")
    func erased() throws {
        try fill()
        try write(Data("rubbish".utf8), folder.database)
        do {
            let store = try StoreFixtures.open(folder)
            #expect(store.notice != nil)
        }
        try SQLiteStore.erase(path: folder.database)
        #expect(folder.names == ["gateway.db.lock"])
        let store = try StoreFixtures.open(folder)
        #expect(try store.fabric() == nil)
        #expect(store.notice == nil)
    }
}

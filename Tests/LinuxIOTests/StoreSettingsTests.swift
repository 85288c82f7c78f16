import Base
import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

@Suite("SQLiteStore: settings, authorities, replacing and erasing")
struct StoreSettingsTests {
    private let folder = TemporaryFolder()

    private func authority(_ number: UInt8) -> AuthorityRecord {
        var keyID = FixedBytes<20>()
        keyID[0] = number
        return AuthorityRecord(keyID: keyID, certificate: [number, 2, 3])
    }

    private func content(_ nodes: [NodeRecord]) -> StoreContent {
        var content = StoreContent(fabric: StoreFixtures.fabric())
        content.nodes = nodes
        content.settings = [SettingRecord(key: "other", value: "")]
        content.authorities = [authority(9)]
        content.alerts = [AlertRecord(id: 7, historyID: NodeID(1), seconds: 60)]
        return content
    }

    @Test("a setting is kept until it is replaced or taken away")
    func settings() throws {
        do {
            let store = try StoreFixtures.open(folder)
            #expect(try store.settings().isEmpty)
            try store.save(SettingRecord(key: "site-name", value: "Küche"))
            try store.save(SettingRecord(key: "b", value: "1"))
            try store.save(SettingRecord(key: "b", value: "2"))
            try store.removeSetting("none")
        }
        let store = try StoreFixtures.open(folder)
        #expect(
            try store.settings() == [
                SettingRecord(key: "b", value: "2"),
                SettingRecord(key: "site-name", value: "Küche"),
            ])
        try store.removeSetting("b")
        #expect(try store.settings().map(\.key) == ["site-name"])
    }

    @Test("authorities keep their order, and one of a known key id replaces that")
    func authorities() throws {
        do {
            let store = try StoreFixtures.open(folder)
            try store.save([authority(3), authority(1)])
            try store.save([authority(2)])
        }
        let store = try StoreFixtures.open(folder)
        #expect(try store.authorities() == [authority(3), authority(1), authority(2)])
        var renewed = authority(1)
        renewed.certificate = []
        try store.save([renewed])
        #expect(try store.authorities() == [authority(3), authority(2), renewed])
        try store.removeAuthority(authority(3).keyID)
        #expect(try store.authorities() == [authority(2), renewed])
    }

    @Test("both are in the last good copy")
    func copied() throws {
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(SettingRecord(key: "k", value: "v"))
            try store.save([authority(1)])
        }
        try FileManager.default.removeItem(atPath: folder.database)
        let store = try StoreFixtures.open(folder)
        #expect(store.notice != nil)
        #expect(try store.settings() == [SettingRecord(key: "k", value: "v")])
        #expect(try store.authorities() == [authority(1)])
    }

    @Test("a bit that fell over in either is seen at the opening")
    func damaged() throws {
        for change in [
            "UPDATE setting SET value = 'w'", "UPDATE authority SET certificate = x'00'",
        ] {
            let folder = TemporaryFolder()
            do {
                let store = try StoreFixtures.open(folder)
                try store.save(SettingRecord(key: "k", value: "v"))
                try store.save([authority(1)])
            }
            do { try Database(path: folder.database).execute(change) }
            let store = try StoreFixtures.open(folder)
            #expect(store.notice?.contains("was damaged") == true, "\(change)")
            #expect(try store.settings() == [SettingRecord(key: "k", value: "v")])
        }
    }

    @Test("content takes the place of what was kept, which is left aside as a store of its own")
    func replaced() throws {
        let before = StoreFixtures.fabric()
        let after = content([StoreFixtures.node(7), StoreFixtures.node(2, endpoints: 0)])
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(before)
            try store.save(StoreFixtures.node(1))
            try store.save(StoreFixtures.resumption(1))
            try store.save(RunRecord(nodeID: NodeID(5), step: 1, startedAt: 100))
            try store.save(SettingRecord(key: "site-name", value: "x"))
            try store.save([authority(1)])
            try store.save(AlertRecord(id: 1, historyID: NodeID(1), seconds: 600))
            #expect(try store.replaceContent(with: after) == "gateway.db.replaced-1")
            #expect(try store.replaceContent(with: after) == "gateway.db.replaced-2")
        }
        #expect(folder.mode("store/gateway.db.replaced-1") == 0o600)
        let store = try StoreFixtures.open(folder)
        #expect(store.notice == nil)
        #expect(StoreFixtures.isEqual(try store.fabric(), after.fabric))
        #expect(try store.nodes() == after.nodes)
        #expect(try store.settings() == after.settings)
        #expect(try store.authorities() == after.authorities)
        #expect(try store.alerts() == after.alerts)
        #expect(try store.runs().isEmpty)
        #expect(try store.resumption(of: NodeID(1)) == nil)
        let aside = try SQLiteStore(path: folder.database + ".replaced-1")
        #expect(StoreFixtures.isEqual(try aside.fabric(), before))
        #expect(try aside.nodes() == [StoreFixtures.node(1)])
        #expect(try aside.settings().map(\.key) == ["site-name"])
    }

    @Test("nothing is left aside of a store that had no fabric, nor changed when it is full")
    func replacedEmpty() throws {
        let store = try StoreFixtures.open(folder)
        #expect(try store.replaceContent(with: content([])) == nil)
        #expect(!folder.names.contains { $0.contains("replaced") })
        let before = try store.fabric()
        try store.database.execute("PRAGMA max_page_count = 1")
        #expect(throws: StoreError.full) {
            _ = try store.replaceContent(
                with: content((1...200).map { StoreFixtures.node($0, endpoints: 20) }))
        }
        #expect(StoreFixtures.isEqual(try store.fabric(), before))
        #expect(try store.nodes().isEmpty)
    }

    @Test("after every step of replacing, a crash leaves the old content or the new, whole")
    func replacedWithCrashes() throws {
        var snapshots: [TemporaryFolder] = []
        let before = StoreFixtures.fabric()
        let after = content([StoreFixtures.node(7)])
        var isReplacing = false
        do {
            let store = try StoreFixtures.open(folder) { [folder] _ in
                if isReplacing { snapshots.append(folder.snapshot()) }
            }
            try store.save(before)
            try store.save(StoreFixtures.node(1))
            isReplacing = true
            _ = try store.replaceContent(with: after)
        }
        #expect(snapshots.count >= 5)
        var kinds: Set<Bool> = []
        for snapshot in snapshots {
            let store = try StoreFixtures.open(snapshot)
            let isOld = StoreFixtures.isEqual(try store.fabric(), before)
            kinds.insert(isOld)
            let isNew = StoreFixtures.isEqual(try store.fabric(), after.fabric)
            #expect(isOld != isNew)
            #expect(try store.nodes() == (isOld ? [StoreFixtures.node(1)] : after.nodes))
            #expect(try store.settings().isEmpty == isOld)
        }
        #expect(kinds == [true, false])
    }

    @Test("a damaged store without a good copy is moved away, and a new one can be made")
    func setAside() throws {
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(StoreFixtures.fabric())
        }
        for path in [folder.database, folder.copy] {
            try Data("not a database".utf8).write(to: URL(fileURLWithPath: path))
        }
        #expect(throws: StoreError.damaged) { _ = try StoreFixtures.open(folder) }
        #expect(try SQLiteStore.setAside(path: folder.database) == "gateway.db.damaged-1")
        let store = try StoreFixtures.open(folder)
        #expect(try store.fabric() == nil)
        #expect(folder.names.contains("gateway.db.damaged-1"))
        #expect(folder.names.contains("gateway.db.damaged-1-copy"))
    }

    @Test("erasing leaves the lock alone: no store, no copy, nothing that was set aside")
    func erased() throws {
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(StoreFixtures.fabric())
            _ = try store.replaceContent(with: content([]))
        }
        for path in [folder.database, folder.copy] {
            try Data("not a database".utf8).write(to: URL(fileURLWithPath: path))
        }
        _ = try SQLiteStore.setAside(path: folder.database)
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(StoreFixtures.fabric())
            #expect(throws: StoreError.inUse) { try SQLiteStore.erase(path: folder.database) }
            withExtendedLifetime(store) {}
        }
        try SQLiteStore.erase(path: folder.database)
        #expect(folder.names == ["gateway.db.lock"])
    }
}

@Suite("PrivateFile")
struct PrivateFileTests {
    private let folder = TemporaryFolder()

    @Test("a file is its owner's alone, replaces one that is there, and leaves nothing beside it")
    func write() throws {
        let path = folder.path + "/x.backup"
        #expect(!PrivateFile.exists(path))
        try Data("before".utf8).write(to: URL(fileURLWithPath: path))
        try PrivateFile.write([1, 2, 3], to: path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
        #expect(folder.mode("x.backup") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.backup"])
    }

    @Test("a folder or a device is not replaced")
    func others() throws {
        #expect(throws: Errno(21)) { try PrivateFile.write([1], to: folder.path) }
        #expect(throws: Errno(17)) { try PrivateFile.write([1], to: "/dev/null") }
        #expect(throws: Errno(2)) { try PrivateFile.write([1], to: folder.path + "/a/b") }
    }
}

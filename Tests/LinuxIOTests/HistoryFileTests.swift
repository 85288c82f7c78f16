import Base
import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

private func make(_ path: String, _ content: Data?) {
    _ = FileManager.default.createFile(atPath: path, contents: content)
}

@Suite("HistoryFile")
struct HistoryFileTests {
    @Test("an hour of readings is written in a flush every 30 seconds, and read back in order")
    func batches() throws {
        let life = HistoryLife()
        life.record(3600, every: .seconds(1))
        #expect((110...121).contains(life.file.flushes))
        let rows = try life.file.readings(after: 0, limit: 10)
        #expect(rows.map(\.sequence) == Array(1...10))
        #expect(rows.map(\.value) == (0...9).map { Int64($0) })
        #expect(rows.first?.unixMilliseconds == 1_700_000_001_000)
        #expect(life.file.lastSequence == 3600)
        // Those that are not flushed yet are there as well.
        life.append(77)
        #expect(try life.file.readings(after: 3599, limit: 10).map(\.value) == [3599, 77])
        #expect(try life.points().count == 3601)
        let attributes = try FileManager.default.attributesOfItem(atPath: life.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("nothing is written while a handshake is in flight, and all of it afterwards")
    func waits() throws {
        let life = HistoryLife()
        life.mayWrite = false
        life.record(60)
        #expect(life.file.flushes == 0)
        life.mayWrite = true
        life.run(for: .milliseconds(100))
        #expect(life.file.flushes == 1)
    }

    @Test("a power cut costs what was not flushed, and numbers go on")
    func powerCut() throws {
        let life = HistoryLife()
        life.record(100)
        life.append(1000)
        let other = HistoryLife()
        other.file.flush(at: other.now)
        let copies = ["", "-wal"].map { ($0, FileManager.default.contents(atPath: life.path + $0)) }
        let path = other.folder.database + ".cut"
        for (suffix, content) in copies {
            make(path + suffix, content)
        }
        other.now = life.now
        other.open(at: path)
        #expect(other.notices.isEmpty)
        let stored = try #require(try other.file.readings(after: 0, limit: 1000).last).sequence
        #expect(stored == 99 || stored == 100)
        #expect(try other.points().count == Int(stored))
        // A broker may know 101 and more, which nobody else does.
        other.append(5)
        #expect(other.file.lastSequence == stored + Int64(HistoryLimits.pending) + 1)
        #expect(try other.file.readings(after: stored, limit: 2).map(\.value) == [5])
        // What was written torn is as if it had not been.
        let log = try #require(copies[1].1)
        for length in stride(from: 0, to: log.count, by: max(1, log.count / 7)) {
            make(path + "-wal", log.prefix(length))
            make(path, copies[0].1)
            other.open(at: path)
            #expect(other.file.trouble == nil)
            let rows = try other.file.readings(after: 0, limit: 1000)
            #expect(rows.map(\.sequence) == Array(1..<Int64(rows.count + 1)))
            #expect(try other.points().count == rows.count)
        }
    }

    @Test("a full disk is told once, the newest readings wait, and recording resumes")
    func full() throws {
        let life = HistoryLife()
        life.bounds.megabytes = 1
        life.open(pending: 4096)
        let start = life.file.lastSequence
        for _ in 0..<40 {
            for index in 0..<3000 { life.append(Int64.max - Int64(index)) }
            life.run(for: .seconds(31))
        }
        #expect(life.file.trouble == .full)
        #expect(life.notices == [.trouble(.full)])
        life.bounds.megabytes = 200
        life.run(for: .seconds(70))
        #expect(life.file.trouble == nil)
        guard case .resumed(let lost)? = life.notices.last else {
            Issue.record("not resumed")
            return
        }
        #expect(lost > 0)
        let last = start + 120_000
        #expect(life.file.lastSequence == last)
        life.append(1)
        #expect(try life.file.readings(after: last, limit: 2).map(\.value) == [1])
    }

    @Test("a file that cannot be written is told once, and recording resumes by itself")
    func readOnly() throws {
        let life = HistoryLife()
        life.record(10)
        try life.file.content?.database.execute("PRAGMA query_only = 1")
        life.record(10)
        #expect(life.notices.first == .trouble(.readOnly))
        life.run(for: .seconds(40))
        #expect(life.notices == [.trouble(.readOnly), .resumed(lost: 0)])
        #expect(try life.points().count == 20)
    }

    @Test("a folder that is not there is told once, and used when it is there")
    func noFolder() throws {
        let life = HistoryLife()
        let folder = life.folder.database + ".d"
        life.open(at: folder + "/history.db")
        life.record(10)
        #expect(life.notices == [.trouble(.cannotOpen(errno: 2))])
        #expect(throws: HistoryError.self) { try life.file.readings(after: 0, limit: 1) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        life.run(for: .seconds(31))
        #expect(life.file.trouble == nil)
        #expect(try life.points().count == 10)
    }

    @Test("garbage is set aside and a new file begun")
    func garbage() throws {
        let life = HistoryLife()
        life.file.flush(at: life.now)
        life.open(at: life.folder.database + ".other")
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: life.path + suffix)
        }
        let garbage = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
        make(life.path, garbage)
        life.open()
        #expect(life.notices.count == 1)
        life.record(10)
        #expect(try life.points().count == 10)
        #expect(FileManager.default.contents(atPath: life.path + ".damaged") == garbage)
    }

    @Test("damage that shows later is set aside, what waits is kept, and numbers go on")
    func lateDamage() throws {
        let life = HistoryLife()
        life.record(4000, every: .seconds(1))
        life.open(at: life.folder.database + ".other")
        let handle = try #require(FileHandle(forWritingAtPath: life.path))
        let size = try handle.seekToEnd()
        for page in 2..<(size / 4096) {
            try handle.seek(toOffset: page * 4096)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try handle.close()
        life.open()
        let last = life.file.lastSequence
        life.record(100)
        #expect(life.notices.contains { if case .setAside = $0 { true } else { false } })
        #expect(life.file.trouble == nil)
        #expect(try life.points().count >= 90)
        #expect(life.file.lastSequence >= last)
    }

    @Test("a newer version's file is kept beside and never written")
    func newer() throws {
        let life = HistoryLife()
        life.record(10)
        try life.file.content?.database.execute("PRAGMA user_version = 9")
        life.open()
        guard case .newer? = life.notices.first else {
            Issue.record("not told")
            return
        }
        life.record(5)
        #expect(try life.points().count == 5)
    }

    @Test("a factory reset leaves nothing of the history")
    func erased() throws {
        let life = HistoryLife()
        _ = try SQLiteStore(path: life.folder.database)
        life.record(10)
        make(life.path + ".damaged", Data([1]))
        life.open(at: life.folder.database + ".other")
        try SQLiteStore.erase(path: life.folder.database)
        for suffix in ["", "-wal", "-shm", ".damaged"] {
            #expect(!FileManager.default.fileExists(atPath: life.path + suffix))
        }
    }

    @Test("up to where readings were handed on outlives a restart")
    func forwarded() {
        let life = HistoryLife()
        life.record(10)
        #expect(life.file.forwarded == nil)
        // Nothing yet is a place as well: what waits is handed on from the first on.
        life.file.forwarded = 0
        life.run(for: .seconds(31))
        life.open()
        #expect(life.file.forwarded == 0)
        life.file.forwarded = 7
        life.run(for: .seconds(31))
        life.open()
        #expect(life.file.forwarded == 7)
    }
}

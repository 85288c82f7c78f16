import Base
import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

@Suite("HistoryUpkeep")
struct HistoryUpkeepTests {
    @Test("summaries of a day ago equal those computed directly", arguments: 1...6)
    func equalsDirect(seed: UInt64) throws {
        var random = Draws(seed: seed)
        let life = HistoryLife()
        life.offset = 1_700_000_000_000 + Int64(random.next() % 10_000_000)
        life.open()
        var expected: [UInt64: [Int64: Direct]] = [:]
        for _ in 0..<1500 {
            let source = random.next() % 3 + 1
            let magnitude = Int64(truncatingIfNeeded: random.next() >> (random.next() % 64))
            let value = random.next() % 10 == 0 ? nil : magnitude
            life.append(value, to: HistoryLife.source(source))
            if let value {
                let date = life.offset! + ReadingDating.milliseconds(life.now)
                expected[source, default: [:]][date / 300_000, default: Direct()].add(value)
            }
            life.run(for: .milliseconds(Int64(random.next() % 20_000)))
            // A process that is killed loses nothing that is flushed.
            if random.next() % 400 == 0 {
                life.file.flush(at: life.now)
                life.open()
            }
        }
        life.run(for: .seconds(27 * 3600))
        #expect(try life.file.content?.database.integer("SELECT count(*) FROM reading") == 0)
        for source in expected.keys {
            let points = try life.points(of: HistoryLife.source(source))
            let slots = expected[source]!.sorted { $0.key < $1.key }
            #expect(points.map(\.start) == slots.map { $0.key * 300_000 })
            #expect(points.map(\.low) == slots.map(\.value.low))
            #expect(points.map(\.high) == slots.map(\.value.high))
            #expect(points.map(\.count) == slots.map(\.value.values.count))
            for (point, slot) in zip(points, slots) { #expect(point.mean == slot.value.mean) }
        }
    }

    @Test("a kill in the middle of summing up loses nothing and counts nothing twice")
    func killed() throws {
        let life = HistoryLife()
        for index in 0..<900 {
            for source in 1...30 {
                life.append(Int64(index), to: HistoryLife.source(UInt64(source)))
            }
            life.run(for: .seconds(4))
        }
        let day = Duration.seconds(86_400)
        life.run(for: day)
        var kills = 0
        while try readings(life) > 0 {
            life.now = life.now + .milliseconds(50 + kills % 7)
            for _ in 0..<(kills % 9 + 8) {
                life.now = life.now + .milliseconds(60)
                _ = try life.file.takeStep(at: life.now)
            }
            kills += 1
            life.open()
            guard kills < 400 else { break }
            life.now = life.now + .seconds(60)
        }
        let counts = try (1...30).map { source in
            try life.points(of: HistoryLife.source(UInt64(source))).reduce(0) { $0 + $1.count }
        }
        #expect(counts == Array(repeating: 900, count: 30))
        #expect(kills > 2)
    }

    private func readings(_ life: HistoryLife) throws -> Int64 {
        let database = try #require(life.file.content?.database)
        return try #require(try database.integer("SELECT count(*) FROM reading"))
    }

    @Test("what was not handed on stays as it was read for a week")
    func unforwarded() throws {
        let life = HistoryLife()
        life.file.forwarded = 0
        life.record(100)
        life.run(for: .seconds(2 * 86_400))
        #expect(try life.file.readings(after: 0, limit: 1000).count == 100)
        life.file.forwarded = 100
        life.run(for: .seconds(7200))
        #expect(try life.file.readings(after: 0, limit: 1000).isEmpty)
        #expect(try life.points().reduce(0) { $0 + $1.count } == 100)
        #expect(life.file.lastSequence == 100)
        life.open()
        #expect(life.file.lastSequence > 100)
        // Nothing is left to be handed on.
        #expect(life.file.forwarded == life.file.lastSequence)
    }

    @Test("what is older than its age is forgotten, and nothing younger")
    func age() throws {
        let life = HistoryLife()
        life.bounds.days = 3
        life.record(8 * 24 * 4, every: .seconds(900))
        life.run(for: .seconds(7200))
        let points = try life.points()
        let first = try #require(points.first)
        let end = life.offset! + ReadingDating.milliseconds(life.now)
        let age = Double(end - first.start) / 86_400_000
        #expect(age > 2.9 && age < 3.2)
        #expect(points.reduce(0) { $0 + $1.count } >= 3 * 24 * 4 - 10)
    }

    @Test("the file does not outgrow its size: the oldest goes, the newest stays")
    func size() throws {
        let life = HistoryLife()
        life.bounds.megabytes = 1
        life.open()
        for day in 0..<30 {
            for _ in 0..<144 {
                for source in 1...25 {
                    life.append(Int64(day) << 40, to: HistoryLife.source(UInt64(source)))
                }
                life.run(for: .seconds(600))
            }
        }
        let size = try FileManager.default.attributesOfItem(atPath: life.path)[.size] as? Int
        #expect(try #require(size) <= 1_000_000)
        #expect(life.notices.isEmpty)
        let points = try life.points()
        #expect(points.last?.low == 29 << 40)
        #expect(points.first!.low > 0)
    }

    @Test("readings from before the date was known get theirs when it is")
    func datedAfterwards() throws {
        let life = HistoryLife()
        life.offset = nil
        life.open()
        life.record(10, every: .seconds(60))
        #expect(try life.points().isEmpty)
        #expect(try life.file.readings(after: 0, limit: 1).first?.unixMilliseconds == nil)
        life.offset = 1_750_000_000_000
        life.run(for: .seconds(60))
        #expect(try life.points().map(\.start).first == 1_750_000_001_000)
        #expect(try life.points().count == 10)
        // After a restart in the same boot the date is known from the file.
        life.offset = nil
        life.open()
        life.append(5)
        #expect(try life.points().count == 11)
    }

    @Test("of a boot that never knew the date, readings go to who fetches them and nowhere else")
    func neverDated() throws {
        let life = HistoryLife()
        life.offset = nil
        life.open()
        life.record(10, every: .seconds(60))
        life.boot = "second"
        life.now = Instant(nanoseconds: 5)
        life.offset = 1_750_000_000_000
        life.open()
        #expect(try life.file.readings(after: 0, limit: 100).count >= 9)
        life.record(10, every: .seconds(60))
        life.run(for: .seconds(120))
        #expect(try life.points().count == 10)
        #expect(life.notices.isEmpty)
    }

    @Test("a clock that is set moves a series and reorders none")
    func jump() throws {
        let life = HistoryLife()
        life.record(10, every: .seconds(60))
        life.offset! -= 3_600_000
        life.record(10, every: .seconds(60))
        let points = try life.points()
        #expect(points.map(\.low) == (0...9).map { Int64($0) } + (0...9).map { Int64($0) })
        #expect(points.map(\.start) == points.map(\.start).sorted())
        #expect(points.first?.start == 1_699_996_401_000)
    }

    @Test("bins hold what falls into them, and what is not there leaves a gap")
    func bins() throws {
        let life = HistoryLife()
        life.record(6, every: .seconds(10))
        life.run(for: .seconds(3600))
        life.record(6, every: .seconds(10))
        let points = try life.points(width: 60_000)
        #expect(points.map(\.count) == [6, 6])
        #expect(points.map(\.mean) == [3, 3])
        #expect(points[1].start - points[0].start == 61 * 60_000)
    }
}

private struct Direct {
    var low = Int64.max
    var high = Int64.min
    var values: [Int64] = []

    mutating func add(_ value: Int64) {
        low = min(low, value)
        high = max(high, value)
        values.append(value)
    }

    var mean: Int64 {
        let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
        let doubled = 2 * sum
        let count = Int128(values.count)
        let sign: Int128 = sum < 0 ? -1 : 1
        return Int64((doubled + sign * count) / (2 * count))
    }
}

/// SplitMix64.
private struct Draws {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

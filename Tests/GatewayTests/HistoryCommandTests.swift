import Base
import Matter
import MatterNode
import Simulation
import Testing

@testable import Gateway

@Suite("history")
struct HistoryCommandTests {
    private static let now: Int64 = 1_777_000_000

    private static func source(
        _ cluster: UInt32 = 0x402, _ attribute: UInt32 = 0, endpoint: UInt16 = 1
    ) -> ReadingSource {
        ReadingSource(
            historyID: NodeID(5), endpoint: EndpointID(endpoint), cluster: ClusterID(cluster),
            attribute: AttributeID(attribute))
    }

    private func building() throws -> Building {
        let building = try Building()
        _ = try building.device(5, name: "Hall sensor")
        return building
    }

    /// - Parameter ago: seconds.
    private func append(
        _ value: Int64?, ago: Int64, to source: ReadingSource, _ building: Building
    ) {
        building.kept.append(
            Reading(
                source: source, value: value,
                at: Instant(nanoseconds: (Self.now - ago) * 1_000_000_000)))
    }

    /// A day of temperatures, once a minute, with five hours missing.
    private func day(_ building: Building) {
        for minute in 0..<1440 where !(600..<900).contains(minute) {
            let phase = Int64(minute % 720)
            let value = 2000 + (phase < 360 ? phase : 720 - phase)
            append(value, ago: 86_400 - Int64(minute) * 60, to: Self.source(), building)
        }
    }

    @Test("a day is drawn in 80 columns, with its gap, in blocks and in ASCII")
    func plot() throws {
        let building = try building()
        day(building)
        let ascii = try building.run("history hall temperature").lines
        #expect(ascii == Self.expected)
        building.pictures = true
        let blocks = try building.run("history hall").lines
        #expect(blocks.count == ascii.count)
        #expect(blocks.dropFirst(1).prefix(13).allSatisfy { $0.count <= 80 })
        let drawn = blocks.prefix(13).dropFirst().joined()
        #expect(drawn.contains("▄") && drawn.contains("│"))
        #expect(blocks[1].hasPrefix("23.60 °C │"))
        #expect(ascii.dropFirst().dropLast().allSatisfy { $0.utf8.allSatisfy { $0 < 0x7F } })
    }

    @Test("what does not change is a line through the middle; one of on and off says how often")
    func straight() throws {
        let building = try building()
        for minute in Int64(0)..<60 {
            append(minute < 15 ? 1 : 0, ago: 3600 - minute * 60, to: Self.source(6), building)
        }
        let lines = try building.run("history hall on --since 1h").lines
        #expect(lines.last == "on in 25 % of the readings; 60 readings, latest off")
    }

    @Test("several quantities are listed with their least, mean and greatest")
    func several() throws {
        let building = try building()
        append(2100, ago: 60, to: Self.source(), building)
        append(2200, ago: 30, to: Self.source(), building)
        append(5500, ago: 30, to: Self.source(0x405), building)
        let output = try building.run("history hall")
        #expect(output.lines.contains { $0.contains("QUANTITY") })
        #expect(
            output.lines.contains {
                $0.hasPrefix("temperature") && $0.contains("21.00 °C") && $0.contains("21.50 °C")
            })
        #expect(output.document["series"] != nil)
        // A part of the word is enough, and so is the endpoint.
        #expect(try building.run("history hall hum").lines.count > 10)
        #expect(try building.run("history hall/2").exitCode == .noHost)
    }

    @Test("rows for programs have a header, the number alone, and one row for each reading")
    func csv() throws {
        let building = try building()
        append(-50, ago: 60, to: Self.source(), building)
        append(nil, ago: 45, to: Self.source(), building)
        append(2200, ago: 30, to: Self.source(), building)
        #expect(
            try building.run("history hall --csv").lines == [
                "time,node_id,endpoint,quantity,unit,low,mean,high,readings,seconds",
                "2026-04-24T03:05:40Z,0x0000000000000005,1,temperature,°C,-0.50,-0.50,-0.50,1,0",
                "2026-04-24T03:06:10Z,0x0000000000000005,1,temperature,°C,22.00,22.00,22.00,1,0",
            ])
    }

    @Test("a field of a row that could be taken for several stands in quotes, RFC 4180")
    func quoting() {
        #expect(HistoryOutput.quoted("temperature") == "temperature")
        #expect(HistoryOutput.quoted("a,b") == "\"a,b\"")
        #expect(HistoryOutput.quoted("a\"b") == "\"a\"\"b\"")
        #expect(HistoryOutput.quoted("a\nb") == "\"a\nb\"")
    }

    @Test("the document names what it holds")
    func document() throws {
        let building = try building()
        append(2200, ago: 30, to: Self.source(), building)
        let document = try building.run("history hall --since 1h").document.text
        #expect(
            document == "{\"node_id\":\"0x0000000000000005\",\"name\":\"Hall sensor\","
                + "\"series\":[{\"quantity\":\"temperature\",\"endpoint\":1,\"cluster\":1026,"
                + "\"attribute\":0,\"unit\":\"°C\",\"since\":\"2026-04-24T02:06:40Z\","
                + "\"until\":\"2026-04-24T03:06:40Z\",\"points\":[{"
                + "\"time\":\"2026-04-24T03:06:10Z\",\"low\":22.0,\"mean\":22.0,\"high\":22.0,"
                + "\"readings\":1,\"seconds\":0}]}]}")
    }

    @Test("more rows than one answer takes are summed up, and that is said")
    func summedUp() throws {
        let building = try building()
        for second in 0..<5000 {
            append(Int64(second), ago: Int64(5000 - second), to: Self.source(), building)
        }
        let output = try building.run("history hall --csv")
        #expect(output.lines.count > 80 && output.lines.count <= HistoryLimits.points)
        #expect(output.notices.count == 1)
    }

    @Test("what is not there is named, with what is")
    func errors() throws {
        let building = try building()
        #expect(try building.run("history hall").exitCode == .unavailable)
        append(2200, ago: 100_000, to: Self.source(), building)
        #expect(try building.run("history hall").exitCode == .unavailable)
        let unknown = try building.run("history hall pressure")
        #expect(unknown.exitCode == .noHost)
        #expect(unknown.notices.first?.contains("temperature (endpoint 1)") ?? false)
        let wrong = "history hall --since 2026-01-02 --until 2026-01-01"
        #expect(try building.run(wrong).exitCode == .usage)
        building.kept.trouble = .full
        #expect(try building.run("history hall").exitCode == .inputOutput)
    }

    @Test("times are so long ago, or a date; what is neither is refused")
    func times() {
        #expect(HistoryTime("30m") == .ago(seconds: 1800))
        #expect(HistoryTime("7d") == .ago(seconds: 604_800))
        #expect(HistoryTime("2w") == .ago(seconds: 1_209_600))
        #expect(HistoryTime.ago(seconds: 60).seconds(at: 1000) == 940)
        #expect(HistoryTime("1970-01-01") == .date(0))
        #expect(HistoryTime("2000-02-29") == .date(951_782_400))
        #expect(HistoryTime("2026-11-01T14:05") == .date(1_793_541_900))
        for text in ["", "d", "0h", "-1d", "2026-02-29", "2026-13-01", "2026-11-01T24:00", "1y"] {
            #expect(HistoryTime(text) == nil)
        }
    }

    @Test("rows and a document exclude each other")
    func excluded() {
        #expect(throws: UsageError.optionsExclude(.csv, .json)) {
            try CommandParser.parse(["history", "x", "--csv", "--json"].map { Array($0.utf8) })
        }
        #expect(throws: UsageError.self) {
            try CommandParser.parse(["history", "x", "--since", "soon"].map { Array($0.utf8) })
        }
    }

    private static let expected = [
        "Hall sensor, temperature (endpoint 1): 2026-04-23 03:06 to 2026-04-24 03:06 UTC",
        "23.60 C |                .##                                 ##.",
        "        |               #' '#.                             .#' '#",
        "        |             .#'    '#                           #'    '#.",
        "        |           .#'        #.                       .#        '#.",
        "        |          .#           '#.                   .#'           #.",
        "        |        .#'              #.                 .#              '#.",
        "21.80 C |       .#                 '#.                                 #.",
        "        |     .#'                    #.                                 '#.",
        "        |    .'                                                           '.",
        "        |  .#'                                                             '#.",
        "        | #'                                                                 '#",
        "20.00 C |#'                                                                   '#",
        "        +-----------------------------------------------------------------------",
        "         03:06                            15:06                            03:06",
        "least 20.00 °C, mean 22.07 °C, greatest 23.60 °C; 1140 readings, latest 20.01 °C",
    ]
}

@Suite("HistoryRecorder")
struct HistoryRecorderTests {
    private func reading(_ value: Int64?, _ second: Int64) -> Reading {
        Reading(
            source: ReadingSource(
                historyID: NodeID(1), endpoint: EndpointID(1), cluster: ClusterID(0x402),
                attribute: AttributeID(0)),
            value: value, at: Instant(nanoseconds: second * 1_000_000_000))
    }

    @Test("every change is kept, and of what stays the same one reading in a minute")
    func repeats() throws {
        let sim = SimulatedLoop()
        let history = MemoryHistory()
        let recorder = HistoryRecorder(history, loop: sim.loop)
        for second in 0..<600 { recorder.record(reading(21, Int64(second))) }
        #expect((10...11).contains(history.lastSequence))
        let before = history.lastSequence
        for second in 600..<610 { recorder.record(reading(Int64(second), Int64(second))) }
        recorder.record(reading(nil, 610))
        recorder.record(reading(nil, 611))
        #expect(history.lastSequence == before + 11)
    }

    @Test("the end flushes")
    func stops() {
        let sim = SimulatedLoop()
        let history = MemoryHistory()
        let recorder = HistoryRecorder(history, loop: sim.loop)
        recorder.start()
        recorder.record(reading(1, 0))
        recorder.stop()
        #expect(history.flushes == 1)
    }
}

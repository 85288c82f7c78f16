import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("EventReports")
struct EventReportsTests {
    private func walk(_ payload: [UInt8]) throws -> [String] {
        var lines: [String] = []
        var reader = try ReportDataReader(payload.span)
        while let event = try reader.nextEvent() {
            let path = event.path
            var line = "\(path.endpoint.rawValue)/\(path.cluster.rawValue)/\(path.event.rawValue)"
            switch event.value {
            case .data(let occurrence, let data):
                line += " #\(occurrence.number) \(occurrence.priority.name)"
                switch occurrence.timestamp {
                case .epoch(let time)?: line += " epoch \(time)"
                case .system(let time)?: line += " system \(time)"
                case nil: line += " never"
                }
                line += " " + Hex.lower(data)
            case .status(let status, let code): line += " \(status.name) \(code ?? 0)"
            }
            lines.append(line)
        }
        return lines
    }

    private func event(
        _ number: UInt64, _ change: (inout EventDataIB) -> Void = { _ in }
    ) -> EventReportIB {
        EventReportIB {
            var data = EventDataIB()
            data.path.endpoint = EndpointID(1)
            data.path.cluster = ClusterID(0x28)
            data.path.event = EventID(0)
            data.eventNumber = number
            change(&data)
            $0.eventData = data
        }
    }

    private func report(_ events: [EventReportIB], more: Bool? = nil) throws -> [UInt8] {
        try ReportData {
            $0.eventReports = events
            $0.moreChunkedMessages = more
        }.encoded()
    }

    /// StartUp of Basic Information, written by hand from §10.6.9, and a status.
    private static let written =
        "15 3602 "
        + "15 3501 3700 240100 240228 240300 18 2601 05000000 240202 "
        + "2604 10270000 3507 240001 18 18 18 "
        + "15 3500 3700 240109 240228 240300 18 3501 24007f 18 18 18 "
        + "18 24ff0c 18"

    @Test("§10.6.9 an event's number, priority, time and data, and a status in its place")
    func kinds() throws {
        let payload = try #require(Hex.decode(Self.written))
        #expect(
            try walk(payload) == [
                "0/40/0 #5 critical system 10000 350724000118",
                "9/40/0 UNSUPPORTED_ENDPOINT 0",
            ])
    }

    @Test("§10.6.9 a time may count from the event before it in the message")
    func differences() throws {
        let payload = try report([
            event(1) { $0.deltaSystemTimestamp = 4 }, event(2) { $0.systemTimestamp = 1_000 },
            event(3) { $0.deltaSystemTimestamp = 20 }, event(4) { $0.deltaSystemTimestamp = 3 },
            event(5) { $0.deltaEpochTimestamp = 3 }, event(6) { $0.epochTimestamp = 9 },
            event(7) { $0.deltaEpochTimestamp = 1 },
        ])
        let times = try walk(payload).map { line in
            line.split(separator: " ").dropFirst(3).dropLast().joined(separator: " ")
        }
        #expect(
            times == [
                "never", "system 1000", "system 1020", "system 1023", "never", "epoch 9",
                "epoch 10",
            ])
        let endless = try report([
            event(1) { $0.epochTimestamp = .max }, event(2) { $0.deltaEpochTimestamp = 1 },
        ])
        #expect(throws: InteractionError.malformed(.outOfRange(tag: 5))) { try walk(endless) }
    }

    @Test("what is missing is told", arguments: [(UInt8(0), 0), (1, 1), (2, 2), (7, 7)])
    func missing(tag: UInt8, place: Int) throws {
        let members = [
            0: "3700 240101 240228 240300 18", 1: "240105", 2: "240202", 4: "24040a", 7: "3507 18",
        ]
        let rest = members.keys.sorted().filter { $0 != place }.compactMap { members[$0] }
        let hex = "15 3602 15 3501 \(rest.joined()) 18 18 18 18"
        let payload = try #require(Hex.decode(hex))
        #expect(throws: InteractionError.malformed(.missing(tag: tag))) { try walk(payload) }
    }

    @Test("a message cut off or changed anywhere is read or throws, and never traps")
    func corruption() throws {
        let payload = try #require(Hex.decode(Self.written))
        for index in payload.indices {
            #expect(throws: InteractionError.self) { try walk(Array(payload.prefix(index))) }
            for value in UInt8.min...UInt8.max {
                var changed = payload
                changed[index] = value
                _ = try? walk(changed)
            }
        }
    }

    @Test("§8.4 a read of events asks from a number on and gathers them from all messages")
    func read() throws {
        let path = EventPath { $0.endpoint = EndpointID(1) }
        var client = ReadClient(events: [path], eventMin: 41)
        let request = try ReadRequest(octets: client.request.octets)
        #expect(request.attributeRequests == nil && request.eventRequests == [path])
        #expect(request.eventFilters?.map(\.eventMin) == [41])
        _ = try client.receive(
            .reportData, octets: report([event(41), event(43)], more: true))
        _ = try client.receive(.reportData, octets: report([event(42)]))
        let numbers = client.events.all.map { report -> UInt64 in
            if case .data(let occurrence, _) = report.value { occurrence.number } else { 0 }
        }
        #expect(numbers == [41, 43, 42])
        #expect(client.events.lastNumber == 43)
        #expect(client.reports.all.isEmpty)
    }

    @Test("clusters whose version is known are left out by request, as many as there may be")
    func versions() throws {
        let known = (0..<Limits.dataVersionFilters).map { number in
            DataVersionFilterIB {
                $0.path.endpoint = EndpointID(UInt16.max)
                $0.path.cluster = ClusterID(UInt32.max)
                $0.dataVersion = UInt32.max - UInt32(number)
            }
        }
        let paths = [AttributePath](
            repeating: AttributePath(
                endpoint: EndpointID(UInt16.max), cluster: ClusterID(UInt32.max),
                attribute: AttributeID(UInt32.max)), count: Limits.pathsPerRead)
        let client = ReadClient(paths: paths, known: known)
        #expect(try ReadRequest(octets: client.request.octets).dataVersionFilters == known)
    }

    @Test("a peer that never ends is cut off by its events")
    func bound() throws {
        let many = try report([EventReportIB](repeating: event(1), count: 40), more: true)
        var client = ReadClient(events: [EventPath()])
        #expect(throws: InteractionError.tooMuch) {
            for _ in 0...Limits.eventsPerRead / 40 {
                _ = try client.receive(.reportData, octets: many)
            }
        }
    }
}

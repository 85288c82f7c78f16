import Base
import Matter
import TestVectors
import Testing

@Suite("ReportDataReader")
struct ReportDataReaderTests {
    /// Path, data version and value of each report, as text.
    private func walk(_ payload: [UInt8]) throws -> [String] {
        var lines: [String] = []
        var reader = try ReportDataReader(payload.span)
        while let report = try reader.next() {
            var line = "\(report.path)\(report.isListItem ? "[]" : "")"
            line += " \(report.dataVersion.map(String.init) ?? "-") "
            switch report.value {
            case .data(let octets): line += Hex.lower(octets)
            case .status(let status, let code): line += "\(status.name) \(code ?? 0)"
            }
            lines.append(line)
        }
        return lines
    }

    @Test("§10.7.3 a report of another implementation is walked where it stands")
    func captured() throws {
        let payload = InteractionVectors.message("reportMeasuredValue")
        let lines = try walk(payload)
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("2/temperature-measurement/measured-value "))
        #expect(lines[0].hasSuffix(" 21026808"))
        let reader = try ReportDataReader(payload.span)
        let (id, more, suppress) = (
            reader.subscriptionID, reader.hasMoreChunks, reader.suppressesResponse
        )
        #expect(id == nil && !more && suppress)
    }

    @Test("values, statuses and list items are told apart, subscription ids are given")
    func kinds() throws {
        let hex =
            "15 2600 78563412 3601 "
            + "15 3500 3700 240201 250302 04 240400 18 3501 240086 240103 18 18 18 "
            + "15 3501 240007 3701 240200 24031d 240400 3405 18 3502 18 18 18 "
            + "18 2903 24ff0c 18"
        let payload = try #require(Hex.decode(hex))
        #expect(
            try walk(payload) == [
                "1/temperature-measurement/measured-value - UNSUPPORTED_ATTRIBUTE 3",
                "0/descriptor/device-type-list[] 7 350218",
            ])
        let reader = try ReportDataReader(payload.span)
        let (id, more, suppress) = (
            reader.subscriptionID, reader.hasMoreChunks, reader.suppressesResponse
        )
        #expect(id == 0x1234_5678 && more && !suppress)
    }

    @Test("a keep-alive has no reports")
    func keepAlive() throws {
        let payload = try #require(Hex.decode("15 260001000000 24ff0c 18"))
        #expect(try walk(payload).isEmpty)
    }

    @Test("a message cut off anywhere throws and never traps")
    func truncation() {
        for payload in InteractionVectors.wildcardRead {
            for count in 0..<payload.count {
                #expect(throws: InteractionError.self) {
                    _ = try walk(Array(payload.prefix(count)))
                }
            }
        }
    }

    @Test("a changed octet anywhere is read or throws, and never traps")
    func corruption() {
        let payload = InteractionVectors.message("reportMeasuredValue")
        for index in payload.indices {
            for value in UInt8.min...UInt8.max {
                var changed = payload
                changed[index] = value
                _ = try? walk(changed)
            }
        }
    }

    @Test(
        "§10.6.2 paths that leave out an id, and list indices other than null, are refused",
        arguments: [
            ("240201 240306", InteractionError.malformed(.missing(tag: 4))),
            ("2800 240201 240400", .malformed(.missing(tag: 3))),
            ("240201 240306 240400 240501", .malformed(.wrongType(tag: 5))),
            ("260201000100 240306 240400", .malformed(.outOfRange(tag: 2))),
        ])
    func paths(path: String, error: InteractionError) throws {
        let hex = "15 3601 15 3501 240007 3701 \(path) 18 2902 18 18 18 18"
        let payload = try #require(Hex.decode(hex))
        #expect(throws: error) { _ = try walk(payload) }
    }
}

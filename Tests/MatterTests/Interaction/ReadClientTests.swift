import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("ReadClient")
struct ReadClientTests {
    private static let parts = Descriptor.partsList.path(.root)

    private func chunk(
        _ reports: [AttributeReportIB], more: Bool = false, suppress: Bool? = nil
    ) throws -> [UInt8] {
        try ReportData {
            $0.attributeReports = reports
            $0.moreChunkedMessages = more
            $0.suppressResponse = suppress
        }.encoded()
    }

    private func data(
        _ value: some TLVCodable, _ path: ConcreteAttributePath, item: Bool = false
    ) throws -> AttributeReportIB {
        var path = AttributePath(path)
        if item { path.listIndex = .null }
        let data = try EncodedElement(value)
        return AttributeReportIB {
            $0.attributeData = AttributeDataIB(dataVersion: 1, path: path, data: data)
        }
    }

    @Test("§8.4.2 the request is what the CHIP controller writes")
    func request() throws {
        let one = ReadClient(
            paths: [AttributePath(TemperatureMeasurement.measuredValue, endpoint: EndpointID(2))])
        #expect(one.request.opcode == .readRequest)
        #expect(one.request.octets == InteractionVectors.message("readMeasuredValue"))
        let all = ReadClient(
            paths: [
                AttributePath(NetworkCommissioning.connectMaxTimeSeconds, endpoint: .root),
                AttributePath(NetworkCommissioning.scanMaxTimeSeconds, endpoint: .root),
            ], isFabricFiltered: false)
        let decoded = try ReadRequest(octets: all.request.octets)
        #expect(decoded.attributeRequests?.count == 2)
        #expect(!decoded.fabricFiltered)
    }

    @Test("one report ends the read and gives the typed value")
    func single() throws {
        var client = ReadClient(paths: [AttributePath()])
        let payload = InteractionVectors.message("reportMeasuredValue")
        #expect(try client.receive(.reportData, octets: payload) == .done(nil))
        let value = try client.reports.value(TemperatureMeasurement.measuredValue, EndpointID(2))
        #expect(value == .value(2152))
        #expect(throws: InteractionError.unexpectedOpcode(.reportData)) {
            try client.receive(.reportData, octets: payload)
        }
    }

    @Test("§8.4.3 a wildcard read in seven chunks is acknowledged and gathered whole")
    func wildcard() throws {
        var client = ReadClient(paths: [AttributePath()])
        let chunks = InteractionVectors.wildcardRead
        #expect(chunks.count == 7)
        for payload in chunks.dropLast() {
            let step = try client.receive(.reportData, octets: payload)
            guard case .acknowledge(let message) = step else {
                Issue.record("chunk not acknowledged")
                return
            }
            #expect(message.opcode == .statusResponse)
            #expect(message.octets == InteractionVectors.message("acknowledge"))
        }
        #expect(try client.receive(.reportData, octets: chunks[6]) == .done(nil))
        let reports = client.reports
        // As many as the CHIP controller counted.
        #expect(reports.all.count == 191)
        #expect(
            try reports.value(Descriptor.partsList, .root) == [EndpointID(1), EndpointID(2)])
        #expect(reports.endpoints(with: OnOff.onOff) == [EndpointID(1)])
        #expect(try reports.value(BasicInformation.vendorID, .root) == VendorID(0xFFF4))
        #expect(try reports.value(OnOff.onOff, EndpointID(7)) == nil)
    }

    @Test("§8.4.3.3 lists that were cut into chunks are joined")
    func joins() throws {
        var client = ReadClient(paths: [AttributePath()])
        let other = Descriptor.serverList.path(.root)
        let first = try chunk(
            [data([ClusterID(6)], other), data([EndpointID](), Self.parts)], more: true)
        guard case .acknowledge = try client.receive(.reportData, octets: first) else {
            Issue.record("not acknowledged")
            return
        }
        let second = try chunk(
            [data(UInt16(1), Self.parts, item: true), data(UInt16(2), Self.parts, item: true)],
            more: true)
        _ = try client.receive(.reportData, octets: second)
        let third = try chunk([
            data(UInt32(8), other, item: true), data(UInt16(300), Self.parts, item: true),
        ])
        let step = try client.receive(.reportData, octets: third)
        guard case .done(.some(let message)) = step else {
            Issue.record("the last chunk wants an acknowledgement")
            return
        }
        #expect(message.opcode == .statusResponse)
        #expect(
            try client.reports.value(Descriptor.partsList, .root)
                == [EndpointID(1), EndpointID(2), EndpointID(300)])
        #expect(
            try client.reports.value(Descriptor.serverList, .root)
                == [ClusterID(6), ClusterID(8)])
        #expect(client.reports.all.count == 2)
    }

    @Test("an item without its list, or for what is no list, ends the read")
    func strayItems() throws {
        let stray = try chunk([data(UInt16(1), Self.parts, item: true)])
        var client = ReadClient(paths: [AttributePath()])
        #expect(throws: InteractionError.strayListItem(Self.parts)) {
            try client.receive(.reportData, octets: stray)
        }
        let number = try chunk([
            data(UInt16(1), Self.parts), data(UInt16(1), Self.parts, item: true),
        ])
        client = ReadClient(paths: [AttributePath()])
        #expect(throws: InteractionError.malformed(.wrongType(tag: nil))) {
            try client.receive(.reportData, octets: number)
        }
    }

    @Test("what does not exist reads as nothing, what is refused throws")
    func statuses() throws {
        let report = { (status: InteractionStatus) in
            AttributeReportIB {
                $0.attributeStatus = AttributeStatusIB {
                    $0.path = AttributePath(Self.parts)
                    $0.status = StatusIB(status)
                }
            }
        }
        var client = ReadClient(paths: [AttributePath()])
        let absent = try chunk([report(.unsupportedCluster)], suppress: true)
        #expect(try client.receive(.reportData, octets: absent) == .done(nil))
        #expect(try client.reports.value(Descriptor.partsList, .root) == nil)
        client = ReadClient(paths: [AttributePath()])
        let refused = try chunk([report(.unsupportedAccess)], suppress: true)
        _ = try client.receive(.reportData, octets: refused)
        #expect(throws: InteractionError.status(.unsupportedAccess, clusterStatus: nil)) {
            try client.reports.value(Descriptor.partsList, .root)
        }
    }

    @Test("a status in place of the report, or another message, ends the read")
    func refusals() throws {
        var client = ReadClient(paths: [AttributePath()])
        let busy = try StatusResponse { $0.status = .busy }.encoded()
        #expect(throws: InteractionError.status(.busy, clusterStatus: nil)) {
            try client.receive(.statusResponse, octets: busy)
        }
        let success = try StatusResponse().encoded()
        #expect(throws: InteractionError.unexpectedOpcode(.statusResponse)) {
            try client.receive(.statusResponse, octets: success)
        }
        #expect(throws: InteractionError.unexpectedOpcode(.invokeResponse)) {
            try client.receive(.invokeResponse, octets: success)
        }
    }

    @Test("a peer that never ends is cut off by octets, reports and chunks")
    func bounds() throws {
        let empty = try chunk([], more: true)
        var client = ReadClient(paths: [AttributePath()])
        for _ in 0..<Limits.chunksPerRead { _ = try client.receive(.reportData, octets: empty) }
        #expect(throws: InteractionError.tooMuch) {
            try client.receive(.reportData, octets: empty)
        }

        let large = try chunk(
            [data(Octets([UInt8](repeating: 0, count: 1_000)), Self.parts)], more: true)
        client = ReadClient(paths: [AttributePath()])
        #expect(throws: InteractionError.tooMuch) {
            for _ in 0..<Limits.octetsPerRead / 1_000 {
                _ = try client.receive(.reportData, octets: large)
            }
        }

        let fifty = [AttributeReportIB](repeating: try data(true, Self.parts), count: 50)
        let many = try chunk(fifty, more: true)
        client = ReadClient(paths: [AttributePath()])
        #expect(throws: InteractionError.tooMuch) {
            for _ in 0...Limits.reportsPerRead / 50 {
                _ = try client.receive(.reportData, octets: many)
            }
        }
    }
}

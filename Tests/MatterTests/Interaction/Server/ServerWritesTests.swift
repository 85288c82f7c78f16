import Base
import Testing

@testable import Matter

@Suite("InteractionServer: writes")
struct ServerWritesTests {
    private let light = ServerBench.light

    private func label(_ text: String) throws -> AttributeDataIB {
        try AttributeDataIB(BasicInformation.nodeLabel, text, endpoint: .root)
    }

    @Test("§8.6.3 the owner is asked path by path, and the table takes what it accepts")
    func writes() throws {
        let bench = ServerBench()
        bench.onWrite = { $0.path.cluster == OnOff.id ? .constraintError : .success }
        let time = try AttributeDataIB(OnOff.onTime, 300, endpoint: light)
        #expect(try bench.write([time, try label("hall")]) == [.constraintError, .success])
        #expect(bench.writes.map(\.path.cluster) == [OnOff.id, BasicInformation.id])
        #expect(bench.writes[1].accessor == .administrator)
        #expect(try bench.read(BasicInformation.nodeLabel) == "hall")
        #expect(try bench.read(OnOff.onTime, on: light) == 0)
    }

    @Test("what the CHIP controller writes is understood")
    func vectors() throws {
        let bench = ServerBench()
        let message = InteractionVectors.message("write")
        let answer = try #require(
            bench.send(.writeRequest, message, on: bench.open(), isNew: true).first)
        let statuses = try WriteResponse(octets: answer.octets).writeResponses
        #expect(statuses.map(\.status.status) == [.success, .success])
        #expect(try bench.read(BasicInformation.nodeLabel) == "hall")
        #expect(try bench.read(OnOff.onTime, on: light) == 300)
    }

    @Test("§8.6.3 what may not be written is refused before the owner is asked")
    func refusals() throws {
        let bench = ServerBench()
        func status(
            _ path: ConcreteAttributePath, _ value: some TLVCodable = true,
            from accessor: Accessor = .administrator
        ) throws -> InteractionStatus? {
            let data = AttributeDataIB(
                path: AttributePath(path), data: try EncodedElement(value))
            return try bench.write([data], from: accessor).first
        }
        let onTime = OnOff.onTime.path(light)
        #expect(try status(OnOff.onOff.path(light)) == .unsupportedWrite)
        #expect(try status(OnOff.featureMap.path(light), UInt32(1)) == .unsupportedWrite)
        #expect(try status(OnOff.offWaitTime.path(light)) == .unsupportedAttribute)
        #expect(try status(OnOff.onTime.path(.root)) == .unsupportedCluster)
        #expect(try status(OnOff.onTime.path(EndpointID(7))) == .unsupportedEndpoint)
        #expect(try status(onTime, UInt16(3), from: .stranger) == .unsupportedAccess)
        #expect(try status(onTime, UInt16(3), from: .viewer) == .unsupportedAccess)
        #expect(try status(onTime, "no") == .invalidDataType)
        #expect(try status(onTime, UInt32(70_000)) == .constraintError)
        #expect(bench.writes.isEmpty)
        #expect(try status(onTime, UInt16(3), from: .anOperator) == .success)
        let startUp = OnOff.startUpOnOff.path(light)
        #expect(try status(startUp, UInt8(1), from: .anOperator) == .unsupportedAccess)
        #expect(try status(startUp, UInt8(1)) == .success)
    }

    @Test("§8.6.3 a write for one version of the data is not made on another")
    func dataVersions() throws {
        let bench = ServerBench()
        let version = try #require(
            bench.server.attributes.dataVersion(of: BasicInformation.id, on: .root))
        var first = try label("first")
        first.dataVersion = version
        var second = try AttributeDataIB(BasicInformation.location, "CH", endpoint: .root)
        second.dataVersion = version
        // Both are for the data as they were when the message came.
        #expect(try bench.write([first, second]) == [.success, .success])
        #expect(try bench.write([first]) == [.dataVersionMismatch])
    }

    @Test("§8.7 a timed write is taken in time, once, and not without its announcement")
    func timed() throws {
        let bench = ServerBench()
        #expect(try bench.write([label("a")], timeoutMilliseconds: 500) == [.success])
        let timed = try WriteRequest {
            $0.timedRequest = true
            $0.writeRequests = [try! label("b")]  // A label fits any message.
        }.encoded()
        let untimed = try WriteRequest { $0.writeRequests = [try! label("c")] }.encoded()
        #expect(try bench.refusal(.writeRequest, timed) == .timedRequestMismatch)
        for (octets, delay, expected) in [
            (untimed, Duration.zero, InteractionStatus.timedRequestMismatch),
            (timed, .milliseconds(501), .timeout),
        ] {
            let exchange = bench.open()
            let request = TimedRequest { $0.timeoutMilliseconds = 500 }
            let accepted = bench.send(
                .timedRequest, try request.encoded(), on: exchange, isNew: true)
            #expect(accepted == [.success])
            bench.advance(by: delay)
            let answer = try #require(bench.send(.writeRequest, octets, on: exchange).first)
            #expect(try StatusResponse(octets: answer.octets).status == expected)
            #expect(bench.over.contains(exchange))
        }
        let read = bench.open()
        let announced = try TimedRequest { $0.timeoutMilliseconds = 500 }.encoded()
        bench.send(.timedRequest, announced, on: read, isNew: true)
        let request = ReadClient(paths: [AttributePath()]).request
        let answer = try #require(bench.send(request, on: read).first)
        #expect(try StatusResponse(octets: answer.octets).status == .invalidAction)
        #expect(try bench.read(BasicInformation.nodeLabel) == "a")
    }

    @Test("§7.13.6 a fabric's list is replaced without touching the others'")
    func fabricScoped() throws {
        let bench = ServerBench()
        var entry = ServerBench.entry(.administer, 2, subjects: [5])
        let write = try AttributeDataIB(AccessControl.acl, [entry], endpoint: .root)
        #expect(try bench.write([write]) == [.success])
        // Whatever fabric it claims, it is the accessor's.
        entry.fabricIndex = FabricIndex(1)
        #expect(
            try bench.writes[0].value.decoded(
                as: [AccessControl.AccessControlEntryStruct].self) == [entry])
        let all = try #require(bench.server.attributes.get(AccessControl.acl))
        #expect(all == [ServerBench.accessEntries[3], entry])
        #expect(try bench.write([write], from: .commissioner) == [.unsupportedAccess])
    }

    @Test("§8.6.3 a list is written empty and then item by item, over several messages")
    func append() throws {
        let bench = ServerBench()
        // The list that lets the writer do this is emptied by its first message.
        bench.onWrite = { [unowned bench] write in
            let result = bench.server.result(write)
            bench.server.access.entries = (try? result.decoded()) ?? []
            return .success
        }
        let exchange = bench.open()
        let entries = [
            ServerBench.entry(.administer, 1, subjects: [112_233]),
            ServerBench.entry(.view, 1, subjects: []),
        ]
        let path = AttributePath(AccessControl.acl, endpoint: .root)
        var item = path
        item.listIndex = .null
        var messages = [AttributeDataIB(path: path, data: .emptyArray)]
        messages += try entries.map {
            AttributeDataIB(path: item, data: try EncodedElement($0))
        }
        for (index, data) in messages.enumerated() {
            let request = WriteRequest {
                $0.writeRequests = [data]
                $0.moreChunkedMessages = index < messages.count - 1
            }
            let answers = bench.send(
                .writeRequest, try request.encoded(), on: exchange, isNew: index == 0)
            let answer = try #require(answers.first)
            let statuses = try WriteResponse(octets: answer.octets).writeResponses
            #expect(statuses.map(\.status.status) == [.success])
            #expect(bench.over.contains(exchange) == (index == messages.count - 1))
        }
        #expect(bench.writes.map(\.operation) == [.replace, .append, .append])
        #expect(try bench.read(AccessControl.acl) == entries)
        #expect(try bench.read(AccessControl.acl, from: .otherAdministrator)?.count == 1)
    }

    @Test("items are put at the end of lists alone, and a list has an end")
    func appendRefusals() throws {
        let bench = ServerBench()
        func status(_ attribute: AttributePath, _ data: EncodedElement) throws -> InteractionStatus?
        {
            var path = attribute
            path.listIndex = .null
            return try bench.write([AttributeDataIB(path: path, data: data)]).first
        }
        let label = AttributePath(BasicInformation.nodeLabel, endpoint: .root)
        #expect(try status(label, EncodedElement("x")) == .unsupportedWrite)
        let list = AttributePath(AccessControl.extension, endpoint: .root)
        #expect(try status(list, EncodedElement("x")) == .invalidDataType)
        var indexed = list
        indexed.listIndex = .value(0)
        let data = AttributeDataIB(path: indexed, data: .emptyArray)
        #expect(try bench.write([data]) == [.unsupportedWrite])
        let item = AccessControl.AccessControlExtensionStruct {
            $0.data = Octets([UInt8](repeating: 0, count: 1_000))
        }
        var statuses: [InteractionStatus?] = []
        for _ in 0..<20 { statuses.append(try status(list, EncodedElement(item))) }
        #expect(statuses.first == .success && statuses.last == .resourceExhausted)
    }

    @Test("an owner that answers later is waited for, and one that answers nobody is harmless")
    func later() throws {
        let bench = ServerBench()
        bench.onWrite = { _ in nil }
        let client = try WriteClient([label("later"), label("latest")])
        let exchange = bench.open()
        #expect(bench.send(client.request, on: exchange, isNew: true).isEmpty)
        bench.advance(by: .seconds(600))
        #expect(bench.writes.count == 1)
        bench.server.answer(bench.writes[0].id, .success, at: bench.now)
        bench.drain()
        #expect(bench.writes.count == 2)
        bench.server.answer(bench.writes[0].id, .success, at: bench.now)
        bench.server.answer(bench.writes[1].id, .busy, at: bench.now)
        bench.drain()
        let answer = try #require(bench.take(exchange).first)
        let statuses = try WriteResponse(octets: answer.octets).writeResponses
        #expect(statuses.map(\.status.status) == [.success, .busy])
        #expect(try bench.read(BasicInformation.nodeLabel) == "later")
        let gone = bench.open()
        bench.send(client.request, on: gone, isNew: true)
        bench.server.lost(gone)
        bench.server.answer(bench.writes[2].id, .success, at: bench.now)
        bench.drain()
        #expect(bench.take(gone).isEmpty)
    }

    @Test("wildcards are not written, nor nothing, nor more than can be answered")
    func invalid() throws {
        let bench = ServerBench(messageOctets: 200)
        let everywhere = WriteRequest {
            $0.writeRequests = [
                AttributeDataIB(
                    path: AttributePath(OnOff.onTime, endpoint: nil), data: .emptyArray)
            ]
        }
        #expect(try bench.refusal(.writeRequest, everywhere.encoded()) == .invalidAction)
        #expect(try bench.refusal(.writeRequest, WriteRequest().encoded()) == .invalidAction)
        let data = try label("a")
        let many = WriteRequest { $0.writeRequests = Array(repeating: data, count: 20) }
        #expect(try bench.refusal(.writeRequest, many.encoded()) == .resourceExhausted)
        #expect(bench.writes.isEmpty)
        let quiet = WriteRequest {
            $0.writeRequests = [data]
            $0.suppressResponse = true
        }
        let exchange = bench.open()
        #expect(
            bench.send(.writeRequest, try quiet.encoded(), on: exchange, isNew: true).isEmpty)
        #expect(bench.over.contains(exchange) && bench.writes.count == 1)
    }
}

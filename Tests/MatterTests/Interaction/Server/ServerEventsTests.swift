import Base
import Testing

@testable import Matter

@Suite("InteractionServer: events")
struct ServerEventsTests {
    private let light = ServerBench.light

    /// A state change of a switch.
    private struct Occurrence: TLVStructure {
        var state = true

        mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "state", &state)
        }
    }

    private var anything: EventPath { EventPath() }

    private func record(
        _ bench: ServerBench, _ cluster: ClusterID = OnOff.id, on endpoint: EndpointID? = nil,
        id: UInt32 = 0, fabric: FabricIndex? = nil
    ) {
        bench.server.record(
            Occurrence(), cluster: cluster, id: EventID(id), priority: .critical,
            on: endpoint ?? light, fabricIndex: fabric, at: .system(17))
    }

    @Test("§7.14 events are read in their order, from a number on")
    func reads() throws {
        let bench = ServerBench()
        for id in 0..<4 { record(bench, id: UInt32(id)) }
        let all = try bench.read(events: [anything]).events
        #expect(all.all.map(\.path.event.rawValue) == [0, 1, 2, 3])
        guard case .data(let occurrence, let data) = all.all[2].value else {
            Issue.record("no data")
            return
        }
        #expect(occurrence.number == 2 && occurrence.priority == .critical)
        #expect(occurrence.timestamp == .system(17))
        #expect(try data.decoded(as: Occurrence.self).state)
        let late = try bench.read(events: [anything], eventMin: 3).events
        #expect(late.all == Array(all.all[3...]))
        #expect(try bench.read(events: [anything], eventMin: 99).events.all.isEmpty)
        let path = EventPath(
            ConcreteEventPath(endpoint: light, cluster: OnOff.id, event: EventID(1)))
        #expect(try bench.read(events: [path]).events.all == [all.all[1]])
        #expect(bench.server.nextEventNumber == 4)
    }

    @Test("only the last are kept, and their numbers go on")
    func bound() throws {
        let bench = ServerBench()
        for _ in 0..<(Limits.serverEvents + 5) { record(bench) }
        let events = try bench.read(events: [anything]).events
        #expect(events.all.count == Limits.serverEvents)
        #expect(events.lastNumber == UInt64(Limits.serverEvents + 4))
    }

    @Test("§8.4.3.2 an event path that gives nothing says why, and others' events are not shown")
    func access() throws {
        let bench = ServerBench()
        func status(
            _ endpoint: EndpointID, _ cluster: ClusterID, from accessor: Accessor
        ) throws -> InteractionStatus? {
            let path = EventPath(
                ConcreteEventPath(endpoint: endpoint, cluster: cluster, event: EventID(0)))
            let reports = try bench.read(events: [path], from: accessor).events.all
            guard case .status(let status, _) = reports.first?.value else { return nil }
            return status
        }
        #expect(try status(EndpointID(9), OnOff.id, from: .administrator) == .unsupportedEndpoint)
        #expect(try status(.root, OnOff.id, from: .administrator) == .unsupportedCluster)
        #expect(try status(.root, OnOff.id, from: .anOperator) == .unsupportedAccess)
        #expect(try status(light, OnOff.id, from: .anOperator) == nil)
        record(bench, AccessControl.id, on: .root, fabric: FabricIndex(1))
        record(bench, AccessControl.id, on: .root, fabric: FabricIndex(2))
        record(bench)
        func count(_ accessor: Accessor) throws -> Int {
            try bench.read(events: [anything], isFabricFiltered: false, from: accessor)
                .events.all.count
        }
        #expect(try count(.administrator) == 2)
        #expect(try count(.anOperator) == 1)
        #expect(try count(.stranger) == 0)
        bench.server.removed(fabric: FabricIndex(2))
        #expect(try count(.otherAdministrator) == 1)
        let crowd = EventPath { $0.event = EventID(1) }
        let octets = try ReadRequest { $0.eventRequests = [crowd] }.encoded()
        #expect(try bench.refusal(.readRequest, octets) == .invalidAction)
    }

    @Test("events go into as many messages as they need, after the attributes")
    func chunks() throws {
        for octets in stride(from: Limits.smallestServerMessage, through: 600, by: 7) {
            let bench = ServerBench(messageOctets: octets)
            for id in 0..<30 { record(bench, id: UInt32(id)) }
            let client = try bench.read(
                [AttributePath(OnOff.onOff, endpoint: light)], events: [anything])
            #expect(client.events.all.map(\.path.event.rawValue) == Array(0..<30))
            #expect(try client.reports.value(OnOff.onOff, light) == false)
        }
    }

    @Test("§8.5.3 an urgent event is reported at the floor, another with the next report")
    func subscriptions() throws {
        let bench = ServerBench()
        record(bench)
        let request = SubscribeRequest {
            $0.minIntervalFloorSeconds = 2
            $0.maxIntervalCeilingSeconds = 60
            $0.eventRequests = [
                EventPath { $0.cluster = OnOff.id },
                EventPath {
                    $0.cluster = Identify.id
                    $0.isUrgent = true
                },
            ]
        }
        let made = try bench.subscribe(request)
        #expect(made.events.all.count == 1)
        record(bench)
        bench.run(for: .seconds(59))
        #expect(bench.asked.isEmpty)
        bench.run(for: .seconds(1))
        #expect(try bench.takeReport().events.lastNumber == 1)
        record(bench)
        record(bench, Identify.id)
        bench.run(for: .seconds(1))
        #expect(bench.asked.isEmpty)
        bench.run(for: .seconds(1))
        let numbers = try bench.takeReport().events.all.map(\.path.cluster)
        #expect(numbers == [OnOff.id, Identify.id])
        bench.run(for: .seconds(59))
        #expect(bench.asked.isEmpty)
    }
}

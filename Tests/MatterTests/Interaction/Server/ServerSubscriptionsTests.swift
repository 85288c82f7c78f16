import Base
import Crypto
import Testing

@testable import Matter

@Suite("InteractionServer: subscriptions")
struct ServerSubscriptionsTests {
    private let light = ServerBench.light

    private func request(
        _ paths: [AttributePath], events: [EventPath] = [], min floor: UInt16 = 5,
        max ceiling: UInt16 = 60, keep: Bool = false
    ) -> SubscribeRequest {
        SubscribeRequest {
            $0.keepSubscriptions = keep
            $0.minIntervalFloorSeconds = floor
            $0.maxIntervalCeilingSeconds = ceiling
            $0.attributeRequests = paths.isEmpty ? nil : paths
            $0.eventRequests = events.isEmpty ? nil : events
        }
    }

    private var onOff: AttributePath { AttributePath(OnOff.onOff, endpoint: light) }

    @Test("§8.5.3 the first report says all, later ones what changed, not before the floor")
    func changes() throws {
        let bench = ServerBench()
        let path = AttributePath(endpoint: light, cluster: OnOff.id)
        let made = try bench.subscribe(request([path]))
        #expect(made.response.maxIntervalSeconds == 60)
        let all = try bench.read([path]).reports
        #expect(made.reports == all)
        bench.server.attributes.set(OnOff.onOff, true, on: light)
        bench.server.attributes.set(Identify.identifyTime, 7, on: light)
        bench.run(for: .seconds(4))
        #expect(bench.asked.isEmpty)
        bench.run(for: .seconds(1))
        let report = try bench.takeReport()
        #expect(report.id == made.response.subscriptionID)
        #expect(report.reports.all.map(\.path) == [OnOff.onOff.path(light)])
        #expect(try report.reports.value(OnOff.onOff, light) == true)
        bench.server.attributes.set(OnOff.onOff, true, on: light)
        bench.server.attributes.set(OnOff.onTime, 4, on: light, isReported: false)
        bench.run(for: .seconds(59))
        #expect(bench.asked.isEmpty)
    }

    @Test("§8.5.3 an empty report at the ceiling says that the node is there")
    func keepAlive() throws {
        let bench = ServerBench()
        let id = try bench.subscribe(request([onOff])).response.subscriptionID
        for _ in 0..<5 {
            bench.run(for: .seconds(59))
            #expect(bench.asked.isEmpty)
            bench.run(for: .seconds(1))
            let report = try bench.takeReport()
            #expect(report.id == id && report.reports.all.isEmpty && report.events.all.isEmpty)
        }
    }

    @Test("what changes while a report is under way is told by the next one")
    func changeDuringReport() throws {
        let bench = ServerBench()
        _ = try bench.subscribe(request([onOff], min: 0))
        bench.server.attributes.set(OnOff.onOff, true, on: light)
        bench.run(for: .zero)
        #expect(bench.asked.count == 1)
        bench.server.attributes.set(OnOff.onOff, false, on: light)
        bench.run(for: .seconds(10))
        #expect(bench.asked.count == 1)
        #expect(try bench.takeReport().reports.value(OnOff.onOff, light) == true)
        bench.run(for: .zero)
        #expect(try bench.takeReport().reports.value(OnOff.onOff, light) == false)
        bench.run(for: .seconds(10))
        #expect(bench.asked.isEmpty)
    }

    @Test("a change during the first report is not lost")
    func changeDuringPriming() throws {
        let bench = ServerBench(messageOctets: 200)
        var client = try SubscribeClient(request([AttributePath()], min: 0))
        let exchange = bench.open()
        var answers = bench.send(client.request, on: exchange, isNew: true)
        bench.server.attributes.set(BasicInformation.nodeLabel, "hall")
        while let answer = answers.first,
            case .report(_, let message?) = try client.receive(
                answer.opcode, answer.payload.span)
        {
            answers = bench.send(message, on: exchange)
        }
        bench.run(for: .zero)
        #expect(try bench.takeReport().reports.value(BasicInformation.nodeLabel, .root) == "hall")
    }

    @Test("every size of message brings a subscriber the same")
    func chunks() throws {
        let whole = try ServerBench().subscribe(request([AttributePath()])).reports
        for octets in stride(from: 700, through: Limits.interactionPayload, by: 40) {
            let bench = ServerBench(messageOctets: octets)
            #expect(try bench.subscribe(request([AttributePath()])).reports.all == whole.all)
            let parts = (1...900).map { EndpointID($0) }
            bench.server.attributes.set(Descriptor.partsList, parts)
            bench.run(for: .seconds(5))
            #expect(
                try bench.takeReport().reports.value(Descriptor.partsList, .root) == parts)
            #expect(bench.server.subscriptionCount == 1)
        }
    }

    @Test("a subscriber that refuses a report, does not answer or cannot be asked is dropped")
    func drops() throws {
        let bench = ServerBench()
        let failure = try StatusResponse { $0.status = .invalidSubscription }.encoded()
        let ends: [(ServerBench) -> Void] = [
            { $0.send(.statusResponse, failure, on: $0.asked[0].exchange) },
            { $0.run(for: Limits.serverPatience) },
            { $0.server.lost($0.asked[0].exchange) },
            { $0.send(.readRequest, failure, on: $0.asked[0].exchange) },
            { $0.server.ended(Accessor.administrator.session) },
            { $0.server.removed(fabric: FabricIndex(1)) },
        ]
        for end in ends {
            _ = try bench.subscribe(request([onOff]))
            bench.run(for: .seconds(60))
            #expect(bench.asked.count == 1 && bench.server.subscriptionCount == 1)
            end(bench)
            bench.drain()
            #expect(bench.server.subscriptionCount == 0 && bench.server.nextDeadline == nil)
            bench.asked = []
        }
        _ = try bench.subscribe(request([onOff]))
        bench.canOpen = false
        bench.run(for: .seconds(600))
        #expect(bench.asked.isEmpty && bench.server.subscriptionCount == 0)
    }

    @Test("a subscriber that does not take its first report has no subscription")
    func abandonedPriming() throws {
        let bench = ServerBench()
        let client = try SubscribeClient(request([onOff]))
        let silent = bench.open()
        bench.send(client.request, on: silent, isNew: true)
        bench.run(for: .seconds(600))
        let refused = bench.open()
        bench.send(client.request, on: refused, isNew: true)
        let failure = try StatusResponse { $0.status = .failure }.encoded()
        #expect(bench.send(.statusResponse, failure, on: refused).isEmpty)
        #expect(bench.over == [silent, refused] && bench.server.subscriptionCount == 0)
    }

    @Test("§8.5.3 a new subscription ends the subscriber's others unless it keeps them")
    func keepSubscriptions() throws {
        let bench = ServerBench()
        _ = try bench.subscribe(request([onOff], keep: true))
        _ = try bench.subscribe(request([onOff], keep: true))
        _ = try bench.subscribe(request([onOff]), from: .otherAdministrator)
        _ = try bench.subscribe(request([onOff]), from: .anOperator)
        #expect(bench.server.subscriptionCount == 4)
        bench.run(for: .seconds(60))
        #expect(bench.asked.count == 4)
        _ = try bench.subscribe(request([onOff]))
        #expect(bench.server.subscriptionCount == 3)
        #expect(bench.asked[..<2].allSatisfy { bench.over.contains($0.exchange) })
    }

    @Test("§2.11.2.2 a fabric has its share of subscriptions and no more")
    func bound() throws {
        let bench = ServerBench()
        let unfinished = try SubscribeClient(request([onOff], keep: true))
        for _ in 0..<2 { _ = try bench.subscribe(request([onOff], keep: true)) }
        bench.send(unfinished.request, on: bench.open(), isNew: true)
        let octets = unfinished.request.octets
        #expect(try bench.refusal(.subscribeRequest, octets) == .resourceExhausted)
        #expect(
            try bench.refusal(.subscribeRequest, octets, from: .anOperator)
                == .resourceExhausted)
        _ = try bench.subscribe(request([onOff]), from: .otherAdministrator)
        _ = try bench.subscribe(request([onOff]))
        #expect(bench.server.subscriptionCount == 2)
    }

    @Test("§8.5.3 what cannot be subscribed to is refused")
    func refusals() throws {
        let bench = ServerBench()
        func refusal(
            _ request: SubscribeRequest, from accessor: Accessor = .administrator
        ) throws -> InteractionStatus {
            try bench.refusal(.subscribeRequest, request.encoded(), from: accessor)
        }
        #expect(try refusal(request([])) == .invalidAction)
        #expect(try refusal(request([onOff], min: 61)) == .invalidAction)
        #expect(try refusal(request([onOff]), from: .stranger) == .invalidAction)
        let absent = AttributePath(OnOff.onOff, endpoint: .root)
        #expect(try refusal(request([absent])) == .invalidAction)
        #expect(try refusal(request([AttributePath(cluster: DoorLock.id)])) == .invalidAction)
        let many = Array(repeating: onOff, count: Limits.pathsPerSubscription + 1)
        #expect(try refusal(request(many)) == .pathsExhausted)
        #expect(bench.server.nextDeadline == nil)
        let some = try bench.subscribe(request([absent, onOff]))
        #expect(some.reports.all.count == 2)
        let restless = try bench.subscribe(request([onOff], min: 0, max: 0))
        #expect(restless.response.maxIntervalSeconds == Limits.serverMaxIntervalSeconds)
        let patient = try bench.subscribe(request([onOff], min: 0, max: .max))
        #expect(patient.response.maxIntervalSeconds == 3_600)
    }

    @Test("what an accessor may no longer see is no longer reported")
    func access() throws {
        let bench = ServerBench()
        _ = try bench.subscribe(request([AttributePath()], min: 0), from: .anOperator)
        bench.server.access.entries = []
        bench.server.attributes.set(OnOff.onOff, true, on: light)
        bench.run(for: .seconds(59))
        #expect(bench.asked.isEmpty)
    }
}

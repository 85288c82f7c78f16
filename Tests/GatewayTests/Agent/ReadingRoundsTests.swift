import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Reading rounds")
struct ReadingRoundsTests {
    let building: Building

    init() throws { building = try Building() }

    private func lamp(_ number: UInt8, _ name: String) throws -> ScriptedDevice {
        let endpoint = EndpointRecord(
            endpoint: EndpointID(1), deviceTypes: [], clusters: [OnOff.id])
        let device = try building.device(number, name: name, endpoints: [endpoint])
        device.put(OnOff.onOff, number == 1, on: EndpointID(1))
        return device
    }

    private func start(pause: Duration? = .seconds(5)) -> Agent {
        building.startAgent(on: ScriptedBoard(on: building.sim.loop), readingPause: pause)
    }

    /// What is told since it was asked last; a round's beginning as "-".
    private func told() -> [String] {
        let lines = building.events.flatMap { event -> [String] in
            if case .roundBegan = event { return ["-"] }
            return AgentOutput.event(event).map { $0.lines + $0.notices } ?? []
        }
        building.events = []
        return lines
    }

    private static let on = "Lamp: 1/on-off/on-off true"
    private static let off = "Porch: 1/on-off/on-off false"

    @Test("each round reads each device once, and the pause lies between them")
    func rounds() throws {
        _ = try lamp(1, "Lamp")
        _ = try lamp(2, "Porch")
        let agent = start()
        building.sim.run(for: .seconds(4))
        #expect(told() == ["-", Self.on, Self.off])
        building.sim.run(for: .seconds(3))
        #expect(told() == ["-", Self.on, Self.off])
        withExtendedLifetime(agent) {}
    }

    @Test("without a pause nothing is read")
    func never() throws {
        _ = try lamp(1, "Lamp")
        let agent = start(pause: nil)
        building.sim.run(for: .seconds(120))
        #expect(told().isEmpty)
        withExtendedLifetime(agent) {}
    }

    @Test("one that never answers is told after 10 s, and the others are read all the same")
    func away() throws {
        let device = try lamp(1, "Lamp")
        device.react = { $0 == .read ? .mute : .proceed }
        _ = try lamp(2, "Porch")
        let agent = start()
        building.sim.run(for: .milliseconds(9999))
        #expect(told() == ["-"])
        building.sim.run(for: .seconds(1))
        #expect(told() == ["Lamp: it does not answer", Self.off])
        device.react = { _ in .proceed }
        building.sim.run(for: .seconds(6))
        #expect(told() == ["-", Self.on, Self.off])
        withExtendedLifetime(agent) {}
    }

    @Test("a removed device is in no further round")
    func removed() throws {
        _ = try lamp(1, "Lamp")
        let agent = start()
        building.sim.run(for: .seconds(4))
        try building.records.removeNode(NodeID(1))
        building.events = []
        building.sim.run(for: .seconds(3))
        guard case .roundBegan(let nodes) = building.events.first else {
            Issue.record("no round began")
            return
        }
        #expect(nodes.isEmpty && building.events.count == 1)
        withExtendedLifetime(agent) {}
    }

    @Test("a round waits while a device is being added")
    func waits() throws {
        _ = try lamp(1, "Lamp")
        let stranger = building.newDevice(3)
        stranger.react = {
            $0 == .invoke(OperationalCredentials.CSRRequest.self) ? .late(.seconds(8)) : .proceed
        }
        let agent = start()
        building.sim.run(for: .seconds(1))
        _ = told()
        let pairing = building.sim.start { [building] () async throws(Never) -> Output in
            let code = PairRequest.Code.typed(Secret(Array("3497-011-2332".utf8).span))
            return await CommandRunner(building).run(.pair(PairRequest(code: code)))
        }
        building.sim.run(for: .seconds(7))
        #expect(told() == ["-"])
        building.sim.finish(pairing)
        building.sim.run(for: .seconds(1))
        #expect(told().contains(Self.on))
        withExtendedLifetime(agent) {}
    }

    @Test("stopped, it reads no more")
    func stop() throws {
        _ = try lamp(1, "Lamp")
        let agent = start()
        building.sim.run(for: .seconds(1))
        building.sim.finish(
            building.sim.start { () async throws(Never) -> Void in await agent.stop() })
        _ = told()
        building.sim.run(for: .seconds(60))
        #expect(told().isEmpty)
    }

    @Test("in a line that all share, a lamp is on or off, and nothing escapes")
    func brief() throws {
        _ = try lamp(1, "La\u{1B}mp")
        let agent = start()
        building.sim.run(for: .seconds(1))
        for case .readings(let reports, let node) in building.events {
            #expect(AgentOutput.brief(node, reports) == "La\\u{1B}mp on")
            #expect(AgentOutput.brief(node, nil) == "La\\u{1B}mp is away")
            #expect(AgentOutput.brief(node, []) == nil)
        }
        #expect(building.events.count == 2)
        withExtendedLifetime(agent) {}
    }
}

import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Keeping many devices for long")
struct KeepingScaleTests {
    let building: Building

    init() throws { building = try Building() }

    private func sensors(_ count: Int) throws -> [ScriptedDevice] {
        try (1...count).map { number in
            let device = try building.device(
                UInt8(number), name: "Sensor \(number)",
                endpoints: [
                    EndpointRecord(
                        endpoint: EndpointID(1), deviceTypes: [],
                        clusters: [TemperatureMeasurement.id])
                ])
            device.put(
                TemperatureMeasurement.measuredValue, .value(Int16(number)), on: EndpointID(1))
            return device
        }
    }

    private func start() throws -> Keeping {
        let agent = building.startAgent(on: ScriptedBoard(on: building.sim.loop), keeps: true)
        return try #require(agent.keeping)
    }

    private func states(_ keeping: Keeping) throws -> [NodeState] {
        let result = building.sim.run { () async throws(Never) -> [NodeState] in
            await keeping.states()
        }
        return try #require(result?.get())
    }

    private final class Readings: @unchecked Sendable {
        var count = 0
    }

    private struct Counts: Equatable {
        var sessions = 0
        var exchanges = 0
        var inboxes = 0
        var subscriptions = 0
        var timers = 0
    }

    private func counts() throws -> Counts {
        let node = building.node
        let timers = building.sim.loop.timerCount
        let result = building.sim.run { () async throws(Never) -> Counts in
            await Counts(
                sessions: node.sessionCount, exchanges: node.exchangeCount,
                inboxes: node.inboxCount, subscriptions: node.subscriptionCount, timers: timers)
        }
        return try #require(result?.get())
    }

    @Test("a hundred devices: few handshakes at once, all subscribed soon, one timer for each")
    func hundred() throws {
        let devices = try sensors(100)
        let keeping = try start()
        building.sim.run(for: .seconds(15))
        let states = try states(keeping)
        #expect(states.allSatisfy { $0.isSubscribed })
        #expect(states.map { $0.readings.first?.value } == (1...100).map { Int64($0) })
        let most = building.sim.run { () async throws(Never) -> Int in
            await keeping.mostConnecting
        }
        #expect(most?.get() == KeepingLimits.connectingAtOnce)
        let counts = try counts()
        #expect(counts.sessions == 100 && counts.subscriptions == 100)
        #expect(counts.exchanges == 0 && counts.inboxes == 0)
        // One of each keeper and one of each device's own; a few of lamps and machines.
        #expect(counts.timers <= 2 * 100 + 8, "\(counts.timers)")
        // A power cut takes half of them away.
        for device in devices.prefix(50) { device.vanish() }
        building.sim.run(for: .seconds(300))
        let away = try self.states(keeping)
        let offline = away.count { state in
            if case .offline = state.link { true } else { false }
        }
        #expect(offline == 50)
        for device in devices.prefix(50) { device.appear() }
        building.sim.run(for: .seconds(30))
        let back = try self.states(keeping)
        #expect(back.allSatisfy { $0.isSubscribed })
    }

    @Test("over a day nothing grows: one that reports, one that restarts, one that is away")
    func day() throws {
        let devices = try sensors(3)
        let keeping = try start()
        let readings = Readings()
        _ = building.sim.run { () async throws(Never) -> Void in
            await keeping.observe { event in
                if case .reading = event { readings.count += 1 }
            }
        }
        devices[2].vanish()
        building.sim.run(for: .seconds(3600))
        let before = try counts()
        for hour in 1...23 {
            devices[0].put(
                TemperatureMeasurement.measuredValue, .value(Int16(hour)), on: EndpointID(1))
            devices[0].reportAll()
            devices[1].vanish()
            building.sim.run(for: .seconds(1200))
            devices[1].appear()
            building.sim.run(for: .seconds(2400))
        }
        let after = try counts()
        #expect(after.sessions <= before.sessions + 1)
        #expect(after.exchanges == before.exchanges && after.inboxes == before.inboxes)
        #expect(after.subscriptions == before.subscriptions)
        #expect(after.timers <= before.timers + 2)
        let states = try states(keeping)
        #expect(states.map(\.isSubscribed) == [true, true, false])
        #expect(states[0].readings.map(\.value) == [23])
        #expect(readings.count >= 46)
    }
}

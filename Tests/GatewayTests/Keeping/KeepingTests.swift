import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Keeping")
struct KeepingTests {
    let building: Building
    private static let one = EndpointID(1)

    init() throws { building = try Building() }

    private func sensor(
        _ number: UInt8, _ name: String = "Cellar", others: [ClusterID] = []
    ) throws -> ScriptedDevice {
        let device = try building.device(
            number, name: name,
            endpoints: [
                EndpointRecord(
                    endpoint: Self.one, deviceTypes: [],
                    clusters: [TemperatureMeasurement.id] + others)
            ])
        device.put(TemperatureMeasurement.measuredValue, .value(2150), on: Self.one)
        return device
    }

    @discardableResult
    private func start() -> Agent {
        building.startAgent(on: ScriptedBoard(on: building.sim.loop), keeps: true)
    }

    private func states() throws -> [NodeState] {
        let keeping = try #require(building.agent?.keeping)
        let result = building.sim.run { () async throws(Never) -> [NodeState] in
            await keeping.states()
        }
        return try #require(result?.get())
    }

    private func state() throws -> NodeState { try #require(try states().first) }

    private func isOffline(_ state: NodeState) -> Bool {
        if case .offline = state.link { true } else { false }
    }

    private func isOnline(_ state: NodeState) -> Bool {
        if case .online = state.link { true } else { false }
    }

    @Test("a device is subscribed within a second, and what it reports is known at once")
    func reports() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(1))
        #expect(try state().isSubscribed && isOnline(state()))
        #expect(try state().readings.map(\.value) == [2150])
        device.put(TemperatureMeasurement.measuredValue, .value(-1800), on: Self.one)
        building.sim.run(for: .seconds(9))
        device.reportAll()
        building.sim.run(for: .milliseconds(100))
        let reading = try #require(try state().readings.first)
        #expect(reading.value == -1800)
        #expect(building.sim.now - reading.at < .seconds(1))
        #expect(device.count(.subscribe) == 1 && device.count(.read) == 0)
    }

    @Test("a report that does not tell a value confirms it, for people and for the history")
    func confirmations() throws {
        let device = try sensor(1, others: [RelativeHumidityMeasurement.id])
        device.put(RelativeHumidityMeasurement.measuredValue, .value(5000), on: Self.one)
        start()
        building.sim.run(for: .seconds(600))
        // Empty reports, one in a minute, and no question after the first announcement.
        let now = building.sim.now
        #expect(device.count(.read) <= 1)
        #expect(try state().readings.map(\.value) == [2150, 5000])
        #expect(try state().readings.allSatisfy { now - $0.at < .seconds(61) })
        device.vanish()
        building.sim.run(for: .seconds(600))
        #expect(try state().readings.allSatisfy { $0.at <= now + .seconds(1) })
    }

    @Test("what another subscription of the node reports confirms nothing")
    func confirmationsOfSome() throws {
        let device = try sensor(
            1, others: [RelativeHumidityMeasurement.id, OccupancySensing.id, BooleanState.id])
        device.maxPathsPerSubscription = 3
        device.put(RelativeHumidityMeasurement.measuredValue, .value(5000), on: Self.one)
        device.put(BooleanState.stateValue, true, on: Self.one)
        start()
        building.sim.run(for: .seconds(1))
        #expect(device.subscriptions.count == 2)
        building.sim.run(for: .seconds(99))
        let first = try #require(device.subscriptions.first)
        device.report(asSubscription: first.id)
        building.sim.run(for: .seconds(1))
        let ages = try state().readings.map { building.sim.now - $0.at > .seconds(30) }
        // Contact is of the second one.
        #expect(ages == [false, false, true])
    }

    @Test("null, what cannot be and what is of another type are no values, and clear the last")
    func noValues() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(1))
        for value in [
            Nullable<Int16>.null, .value(-27_316), .value(.min),
        ] {
            device.put(TemperatureMeasurement.measuredValue, .value(2000), on: Self.one)
            device.reportAll()
            building.sim.run(for: .milliseconds(100))
            #expect(try state().readings.map(\.value) == [2000])
            device.put(TemperatureMeasurement.measuredValue, value, on: Self.one)
            device.reportAll()
            building.sim.run(for: .milliseconds(100))
            #expect(try state().readings.map(\.value) == [nil])
        }
    }

    @Test("without power it is offline after its deadline, and back at once when it announces")
    func powerCut() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(100))
        device.vanish()
        building.sim.run(for: .seconds(20))
        #expect(try isOnline(state()))
        building.sim.run(for: .seconds(60))
        #expect(try isOffline(state()) && !state().isSubscribed)
        // Far in its pauses.
        building.sim.run(for: .seconds(3600))
        device.appear()
        building.sim.run(for: .seconds(20))
        #expect(try isOnline(state()) && state().isSubscribed)
    }

    @Test("a device that is away for hours costs few datagrams")
    func away() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(10))
        device.vanish()
        building.sim.run(for: .seconds(3600))
        let before = building.network.sent
        building.sim.run(for: .seconds(3 * 3600))
        let sent = building.network.sent - before
        #expect(sent > 30 && sent < 3 * 12 * 15, "\(sent)")
    }

    @Test("a subscription that the device forgets is found out and made anew")
    func forgotten() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(10))
        device.endSubscriptions()
        building.sim.run(for: .seconds(90))
        #expect(device.count(.subscribe) == 2)
        #expect(try state().isSubscribed && isOnline(state()))
    }

    @Test("a session that the device ends is followed by a new one at once")
    func closed() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(10))
        device.closeSessions()
        building.sim.run(for: .seconds(2))
        #expect(device.count(.subscribe) == 2)
        #expect(try state().isSubscribed)
    }

    @Test("a device that has moved is found at its new address, which is kept")
    func moved() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(10))
        #expect(building.records.storedNodes[0].lastAddress == device.address)
        let address = IPAddress.simulated(0x181)
        building.move(device, to: address)
        building.sim.run(for: .seconds(120))
        #expect(try state().isSubscribed && isOnline(state()))
        #expect(building.records.storedNodes[0].lastAddress?.address == address)
    }

    @Test("one that leaves by itself is marked, recorded and left alone")
    func leave() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(10))
        device.tellLeave(FabricIndex(1))
        building.sim.run(for: .seconds(1))
        guard case .left = try state().link else {
            Issue.record("\(try state().link)")
            return
        }
        #expect(try building.records.events(limit: 1).first?.kind == .left)
        let heard = device.heard.count
        building.sim.run(for: .seconds(1800))
        #expect(device.heard.count == heard)
    }

    @Test("one that says twice that it does not know us has left")
    func stranger() throws {
        let device = try sensor(1)
        start()
        building.sim.run(for: .seconds(10))
        device.fabricsForgotten()
        building.sim.run(for: .seconds(40))
        guard case .left = try state().link else {
            Issue.record("\(try state().link)")
            return
        }
        let sigmas = device.count(.handshake(.sigma1))
        building.sim.run(for: .seconds(1800))
        #expect(device.count(.handshake(.sigma1)) == sigmas)
    }

    @Test("one that takes no subscription is polled every minute")
    func polled() throws {
        let device = try sensor(1)
        var reads: [Int64] = []
        device.react = { [building] request in
            if request == .read { reads.append(building.sim.now.nanoseconds / 1_000_000_000) }
            return request == .subscribe ? .status(.busy) : .proceed
        }
        start()
        building.sim.run(for: .seconds(200))
        #expect(try isOnline(state()) && !state().isSubscribed)
        // The second because it announced itself, as one that was restarted does.
        #expect(reads == [0, 30, 90, 150])
        #expect(try state().readings.map(\.value) == [2150])
    }

    @Test("one that takes three paths alone gets several subscriptions")
    func fewPaths() throws {
        let device = try sensor(
            1, others: [RelativeHumidityMeasurement.id, PowerSource.id, OnOff.id])
        device.maxPathsPerSubscription = 3
        start()
        building.sim.run(for: .seconds(1))
        #expect(try state().isSubscribed)
        #expect(device.subscriptions.count == 2)
        #expect(try state().readings.count == 2)
    }

    @Test("what a device has no room to tell is asked for at once and at the interval")
    func noRoom() throws {
        let device = try sensor(1, others: [RelativeHumidityMeasurement.id, BooleanState.id])
        device.put(RelativeHumidityMeasurement.measuredValue, .value(5000), on: Self.one)
        device.put(BooleanState.stateValue, true, on: Self.one)
        device.maxPathsPerSubscription = 3
        // One subscription and no more.
        device.react = { [unowned device] request in
            let isMore = request == .subscribe && !device.subscriptions.isEmpty
            return isMore ? .status(.resourceExhausted) : .proceed
        }
        start()
        building.sim.run(for: .seconds(2))
        #expect(try state().isSubscribed && device.subscriptions.count == 1)
        #expect(try state().readings.map(\.value) == [2150, 5000, 1])
        let reads = device.count(.read)
        device.put(BooleanState.stateValue, false, on: Self.one)
        // However often it says something else.
        for _ in 0..<13 {
            building.sim.run(for: .seconds(5))
            device.reportAll()
        }
        #expect(try state().readings.last?.value == 0)
        #expect((1...3).contains(device.count(.read) - reads))
    }

    @Test("a device that is being added has the network to itself")
    func runs() throws {
        let device = try sensor(1)
        let stranger = building.newDevice(3)
        stranger.react = {
            $0 == .invoke(OperationalCredentials.CSRRequest.self) ? .late(.seconds(8)) : .proceed
        }
        start()
        building.sim.run(for: .seconds(1))
        let pairing = building.sim.start { [building] () async throws(Never) -> Output in
            let code = PairRequest.Code.typed(Secret(Array("3497-011-2332".utf8).span))
            return await CommandRunner(building).run(.pair(PairRequest(code: code)))
        }
        building.sim.run(for: .seconds(1))
        device.closeSessions()
        building.sim.run(for: .seconds(5))
        #expect(device.count(.subscribe) == 1)
        building.sim.finish(pairing)
        building.sim.run(for: .seconds(2))
        #expect(device.count(.subscribe) == 2)
        // The new one is kept read as well.
        #expect(try states().map(\.isSubscribed) == [true, true])
    }

    @Test("a removed device is left alone, a named one is known by its name")
    func changes() throws {
        let device = try sensor(1)
        _ = try sensor(2, "Attic")
        start()
        building.sim.run(for: .seconds(2))
        building.confirms = true
        #expect(try building.run("remove Cellar").exitCode == .ok)
        #expect(try building.run("name Attic Roof").exitCode == .ok)
        building.sim.run(for: .seconds(1))
        #expect(try states().map(\.node.name) == ["Roof"])
        let heard = device.heard.count
        building.sim.run(for: .seconds(600))
        #expect(device.heard.count == heard)
    }

    @Test("stopped, nothing goes on")
    func stop() throws {
        let device = try sensor(1)
        let agent = start()
        building.sim.run(for: .seconds(2))
        building.sim.finish(
            building.sim.start { [building] () async throws(Never) -> Void in
                await agent.stop()
                await building.operations.close()
            })
        building.sim.run(for: .seconds(1))
        let heard = device.heard.count
        building.sim.run(for: .seconds(600))
        #expect(device.heard.count == heard)
    }
}

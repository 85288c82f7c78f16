import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

/// What one device does to the gateway, while another one is a good device.
private enum Lie: String, CaseIterable, Sendable {
    case endlessReports, hugeReports, deepNesting, wrongTypes, wrongMessages, garbage
    case foreignProtocol, silence, slowHandshakes, slowAnswers, alwaysBusy, endedSessions
    case unaskedMessages, foreignSubscriptions, restarts, announcements, handshakesOfStrangers

    /// Milliseconds between two of what it does by itself.
    var pace: Int64 {
        switch self {
        case .unaskedMessages, .foreignSubscriptions, .announcements: 50
        case .handshakesOfStrangers: 100
        default: 5000
        }
    }

    func reaction(to request: DeviceRequest) -> DeviceReaction {
        let isQuestion = request == .read || request == .subscribe
        switch self {
        case .endlessReports where isQuestion:
            return .say(.reportData, Self.report(values: 1, more: true), endlessly: true)
        case .hugeReports where isQuestion:
            return .say(.reportData, Self.report(values: 40, more: true), endlessly: true)
        case .deepNesting where isQuestion:
            return .say(.reportData, [UInt8](repeating: 0x15, count: 1100))
        case .wrongTypes where isQuestion:
            return .say(.reportData, Self.report(values: 1, more: false, text: "warm"))
        case .wrongMessages where isQuestion:
            return .say(.writeResponse, WriteResponse { _ in }.octets())
        case .garbage: return .garbage
        case .foreignProtocol: return .foreignProtocol
        case .silence: return .mute
        case .slowHandshakes:
            if case .handshake = request { return .late(.seconds(25)) }
        case .slowAnswers where isQuestion: return .late(.seconds(50))
        case .alwaysBusy where isQuestion: return .status(.busy)
        case .endedSessions where isQuestion: return .closeSession
        default: break
        }
        return .proceed
    }

    /// - Parameter text: in the place of a temperature.
    private static func report(values: Int, more: Bool, text: String? = nil) -> [UInt8] {
        let path = ConcreteAttributePath(
            endpoint: EndpointID(1), cluster: TemperatureMeasurement.id,
            attribute: TemperatureMeasurement.measuredValue.id)
        let value = text.map { EncodedElement(own: $0) } ?? EncodedElement(own: Int16(2150))
        return ReportData {
            $0.attributeReports = (0..<values).map { _ in AttributeReportIB(path, value) }
            $0.moreChunkedMessages = more ? true : nil
            $0.suppressResponse = more ? nil : true
        }.octets()
    }
}

@Suite("Devices that lie, beside one that does not")
struct HostileDeviceTests {
    let building: Building
    private static let one = EndpointID(1)
    /// How long each is at it.
    private static let minutes = 8
    /// What such a device may hear in that time: all chunks that a report may have, at a poll in
    /// each minute and at some attempts to subscribe; and an answer to each of its own messages.
    private static let questions = (minutes + 6) * Limits.chunksPerRead + minutes * 60 * 20

    init() throws { building = try Building() }

    private func sensor(_ number: UInt8, _ name: String) throws -> ScriptedDevice {
        let device = try building.device(
            number, name: name,
            endpoints: [
                EndpointRecord(
                    endpoint: Self.one, deviceTypes: [], clusters: [TemperatureMeasurement.id])
            ])
        device.put(TemperatureMeasurement.measuredValue, .value(2150), on: Self.one)
        return device
    }

    private func states() throws -> [NodeState] {
        let keeping = try #require(building.agent?.keeping)
        let result = building.sim.run { () async throws(Never) -> [NodeState] in
            await keeping.states()
        }
        return try #require(result?.get())
    }

    private func begin(_ lie: Lie, _ liar: ScriptedDevice) {
        liar.react = { lie.reaction(to: $0) }
        let stranger = building.network.link(
            at: SocketAddress(.simulated(0x300), port: ScriptedDevice.port))
        let gateway = SocketAddress(.simulated(1), port: 41_000)
        var sent: UInt64 = 0
        let loop = building.sim.loop
        func act() {
            sent += 1
            switch lie {
            case .unaskedMessages: liar.sendUnasked()
            case .foreignSubscriptions:
                liar.report(asSubscription: UInt32(truncatingIfNeeded: sent))
            case .restarts: liar.endSubscriptions()
            case .announcements: liar.answerer.addresses = liar.answerer.addresses
            case .handshakesOfStrangers:
                let opening = Self.opening(sent)
                _ = stranger.send(opening.span, to: gateway)
            default: break
            }
            _ = loop.schedule(at: loop.now + .milliseconds(lie.pace)) { act() }
        }
        act()
    }

    /// An unsecured message of somebody else each time, as one that begins a handshake.
    private static func opening(_ number: UInt64) -> [UInt8] {
        var octets: [UInt8] = [0x04, 0, 0, 0]
        octets += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        octets += (0..<8).map { UInt8(truncatingIfNeeded: (number + 1) >> (8 * $0)) }
        return octets + [0x05, 0x30, UInt8(truncatingIfNeeded: number), 0, 0, 0, 0x15, 0x18]
    }

    @Test(
        "the other is read as ever, and tables and questions stay bounded", arguments: Lie.allCases)
    fileprivate func lies(lie: Lie) throws {
        let good = try sensor(1, "Good")
        let liar = try sensor(2, "Liar")
        begin(lie, liar)
        _ = building.startAgent(on: ScriptedBoard(on: building.sim.loop), keeps: true)
        building.sim.run(for: .seconds(5))
        for minute in 1...Self.minutes {
            good.put(TemperatureMeasurement.measuredValue, .value(Int16(minute)), on: Self.one)
            good.reportAll()
            building.sim.run(for: .seconds(60))
            let state = try #require(try states().first)
            let reading = try #require(state.readings.first)
            #expect(reading.value == Int64(minute), "minute \(minute)")
            #expect(building.sim.now - reading.at < .seconds(62), "minute \(minute)")
            #expect(state.isSubscribed)
        }
        #expect(good.count(.subscribe) == 1)
        #expect(liar.heard.count < Self.questions, "\(liar.heard.count)")
        let node = building.node
        let counts = building.sim.run { () async throws(Never) -> [Int] in
            await [
                node.sessionCount, node.exchangeCount, node.inboxCount, node.subscriptionCount,
            ]
        }
        let most = try #require(counts?.get())
        // Strangers take what is free, and no more; what has keys stays.
        let isFlooded = lie == .handshakesOfStrangers
        #expect(most[0] <= (isFlooded ? Limits.sessions : 8), "\(most)")
        #expect(most[1] <= (isFlooded ? Limits.exchanges : 8), "\(most)")
        #expect(most[2] <= (isFlooded ? Limits.exchanges : 4) && most[3] <= 2, "\(most)")
        #expect(building.sim.loop.timerCount < 40, "\(building.sim.loop.timerCount)")
    }
}

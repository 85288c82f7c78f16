import Base
import Matter
import Simulation
import Testing

@testable import MatterNode

@Suite("Bluetooth")
struct BluetoothTests {
    private let sim = SimulatedLoop()
    private let radio: ScriptedRadio
    private let bluetooth: Bluetooth

    init() {
        let loop = sim.loop
        radio = ScriptedRadio { EchoingPeer(on: loop) }
        bluetooth = Bluetooth(radio, on: loop)
        _ = sim.run { [bluetooth] () async throws(Never) in await bluetooth.start() }
    }

    private func listen() -> Bluetooth.Listener? {
        let result = sim.run { [bluetooth] () async throws(Never) in await bluetooth.listen() }
        guard case .success(let listener)? = result else { return nil }
        return listener
    }

    private func stop(_ listener: Bluetooth.Listener) {
        _ = sim.run { [bluetooth] () async throws(Never) in await bluetooth.stop(listener) }
    }

    private final class Notices: @unchecked Sendable { var all: [BluetoothNotice] = [] }

    private func connect(
        _ notices: Notices = Notices()
    ) -> SimulatedLoop.Flow<BTPLink, BluetoothFailure> {
        sim.start { [bluetooth] () async throws(BluetoothFailure) in
            try await bluetooth.connect(to: .number(1)) { notices.all.append($0) }
        }
    }

    @Test("The radio looks while anyone listens, and all of them are told")
    func listeners() throws {
        let first = try #require(listen())
        let second = try #require(listen())
        sim.run(for: .seconds(1))
        #expect(radio.isDiscovering)
        radio.hear(1)
        for listener in [first, second] {
            let heard = sim.run { () async throws(CancellationError) in
                try await listener.next(until: .distantFuture)
            }
            #expect(try heard?.get()?.address == .number(1))
        }
        stop(first)
        sim.run(for: .seconds(1))
        #expect(radio.isDiscovering)
        stop(second)
        sim.run(for: .seconds(1))
        #expect(!radio.isDiscovering)
        #expect(sim.isQuiet)
    }

    @Test("What was heard is told to a later listener, until it is old")
    func remembered() throws {
        let first = try #require(listen())
        radio.hear(1)
        let second = try #require(listen())
        let heard = sim.run { [sim] () async throws(CancellationError) in
            try await second.next(until: sim.now)
        }
        #expect(try heard?.get() != nil)
        sim.run(for: .seconds(31))
        let third = try #require(listen())
        let old = sim.run { [sim] () async throws(CancellationError) in
            try await third.next(until: sim.now)
        }
        #expect(try old?.get() == nil)
        for listener in [first, second, third] { stop(listener) }
    }

    @Test("A radio that does not look is asked again, ever more seldom")
    func retries() throws {
        radio.discovering = .inUse
        let listener = try #require(listen())
        sim.run(for: .seconds(20))
        #expect(radio.calls.count == 5)
        radio.discovering = nil
        radio.onChange?()
        sim.run(for: .seconds(2))
        #expect(radio.isDiscovering)
        stop(listener)
        sim.run(for: .seconds(1))
        #expect(sim.isQuiet)
    }

    @Test("Looking stops for a connection, and goes on after it")
    func connecting() throws {
        let listener = try #require(listen())
        sim.run(for: .seconds(1))
        let flow = connect()
        let link = try #require(try sim.finish(flow)?.get())
        sim.run(for: .seconds(1))
        #expect(radio.calls == ["look", "rest", "connect", "look"])
        link.close()
        stop(listener)
    }

    @Test("Three failures in a row switch the adapter off and on, once")
    func powerCycle() throws {
        radio.connecting = [.connectionFailed(reason: 0x3E)]
        let notices = Notices()
        let flow = connect(notices)
        _ = sim.finish(flow)
        #expect(flow.error == .radio(.connectionFailed(reason: 0x3E)))
        #expect(notices.all == [.powerCycled(failures: 3)])
        #expect(radio.calls.count { $0 == "connect" } == 5)
        #expect(radio.calls.count { $0 == "cycle" } == 1)
        sim.run(for: .seconds(20))
        #expect(!radio.isDiscovering)
        #expect(sim.isQuiet)
    }

    @Test("A try that fails is made again once the device is heard anew")
    func freshLook() throws {
        radio.connecting = [.timedOut, nil]
        let flow = connect()
        sim.run(for: .seconds(3))
        #expect(flow.result == nil)
        #expect(radio.isDiscovering)
        radio.hear(2)
        sim.run(for: .milliseconds(100))
        #expect(flow.result == nil)
        radio.hear(1)
        sim.run(for: .seconds(1))
        #expect(flow.value != nil)
        flow.value?.close()
    }

    @Test(
        "What no other try would mend is told at once",
        arguments: [
            BluetoothError.noAdapter, .notPermitted, .blocked, .noLowEnergy,
        ])
    func hopeless(error: BluetoothError) {
        radio.preparing = error
        let flow = connect()
        sim.run(for: .milliseconds(1))
        #expect(flow.error == .radio(error))
    }

    @Test("A connection that was cancelled leaves the radio to others")
    func cancelled() throws {
        radio.connecting = [.timedOut]
        let flow = connect()
        sim.run(for: .milliseconds(500))
        flow.cancel()
        sim.run(for: .seconds(1))
        #expect(flow.error == .radio(.cancelled))
        radio.connecting = [nil]
        let next = connect()
        #expect(try sim.finish(next)?.get() != nil)
        next.value?.close()
    }
}

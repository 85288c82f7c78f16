import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commissioner: the fail-safe")
struct CommissionerFailSafeTests {
    private static let arm = DeviceRequest.invoke(GeneralCommissioning.ArmFailSafe.self)

    @Test(
        "§11.10.7.2 however slow the device, it gets no command when less than half is left",
        arguments: [5, 12, 20, 28])
    func slow(seconds: Int) throws {
        let world = World()
        let device = world.device()
        var left: [Duration] = []
        device.react = { [unowned device] request in
            guard case .command = request else { return .proceed }
            if request != Self.arm, let now = device.failSafeLeft { left.append(now) }
            return request == Self.arm ? .proceed : .late(.seconds(seconds))
        }
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.value != nil, "\(String(describing: flow.error))")
        #expect(device.failSafeExpiries == 0)
        #expect(try #require(left.min()) >= .milliseconds(29_900))
        #expect(device.armings.allSatisfy { $0 == 60 })
        // Ten commands: it is armed anew as often as needed, and not more often.
        #expect(device.armings.count <= 2 + 10 * seconds / 30)
        if seconds > 5 { #expect(device.armings.count > 1) }
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test(
        "§11.10.6.2 it is never armed beyond what the device allows in all",
        arguments: [61, 70, 100, 130])
    func cumulative(seconds: UInt16) {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.cumulativeSeconds = seconds
        let device = world.device(1, settings)
        device.react = { request in
            guard case .command = request, request != Self.arm else { return .proceed }
            return .late(.seconds(25))
        }
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.error != nil)
        #expect(device.excessiveArmings == 0)
        #expect(device.armings.contains { $0 > 0 && $0 < 60 })
        #expect(world.leftovers(within: .seconds(600)) == .init())
        #expect(device.isUntouched)
        #expect(world.store.storedNodes.isEmpty && world.store.storedRuns.isEmpty)
    }

    @Test("it is armed for as long as the device recommends, and a quick device needs no more")
    func recommended() {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.failSafeSeconds = 120
        let device = world.device(1, settings)
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.value != nil)
        #expect(device.armings == [120])
    }

    @Test("a device that recommends little is armed anew before it is looked for")
    func short() {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.failSafeSeconds = 15
        let device = world.device(1, settings)
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.value != nil)
        #expect(device.armings == [15, 15])
    }

    @Test("§5.5 a device that takes its time to appear stays armed meanwhile", arguments: [20, 75])
    func appearsLate(seconds: Int) {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesIdentity = false
        let device = world.device(1, settings)
        device.react = { [unowned device] request in
            if request == .invoke(OperationalCredentials.AddNOC.self) {
                _ = world.sim.loop.schedule(at: world.sim.now + .seconds(seconds)) {
                    for fabric in device.fabrics { device.announce(fabric) }
                }
            }
            return .proceed
        }
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.value != nil, "\(String(describing: flow.error))")
        #expect(device.failSafeExpiries == 0)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("a device that refuses to be armed anew holds nothing of ours, and is left alone")
    func refused() {
        let world = World()
        let device = world.device()
        var count = 0
        device.react = { request in
            guard case .command = request else { return .proceed }
            guard request == Self.arm else { return .late(.seconds(28)) }
            count += 1
            return count == 2 ? .code(4) : .proceed
        }
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(
            flow.error?.cause == .refused(OpenEnum(.busyWithOtherAdmin), detail: ""))
        #expect(device.armings == [60])
        #expect(world.leftovers() == .init())
    }
}

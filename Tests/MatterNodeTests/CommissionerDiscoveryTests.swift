import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commissioner: which device")
struct CommissionerDiscoveryTests {
    private static let begin = DeviceRequest.handshake(.pbkdfParamRequest)

    private func settings(_ passcode: UInt32) -> ScriptedDevice.Settings {
        var settings = ScriptedDevice.Settings()
        settings.passcode = passcode
        return settings
    }

    @Test("§4.14.1 a wrong passcode is tried once, however often the device is heard again")
    func wrongPasscode() {
        let world = World()
        let device = world.device()
        for tenths in 1...50 {
            _ = world.sim.loop.schedule(at: world.sim.now + .milliseconds(100 * tenths)) {
                // Each time with one more address, so that its record has changed.
                device.answerer.addresses.append(.simulated(0x4000 + UInt16(tenths)))
                device.openWindow()
            }
        }
        let start = world.sim.now
        let flow = world.commission(World.request(12_345_679))
        world.sim.finish(flow)
        #expect(flow.error == CommissioningError(.establishPASE, .wrongPasscode(devices: 1)))
        #expect(device.wrongPasscodes == 1)
        #expect(device.count(Self.begin) == 1)
        #expect(world.sim.now - start < .seconds(10))
        #expect(world.leftovers() == .init())
        #expect(device.isUntouched)
    }

    @Test("a device whose first addresses are dead is found a second later for each")
    func deadAddresses() throws {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesWindow = false
        let device = world.device(1, settings)
        for number in UInt16(1)...2 {
            device.answerer.addresses.insert(.simulated(0x4000 + number), at: 0)
        }
        device.openWindow()
        let start = world.sim.now
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.value != nil)
        #expect(try #require(flow.endedAt) - start < .seconds(8))
        #expect(device.count(Self.begin) == 1)
    }

    @Test("§4.14.1 a wrong passcode is tried once, however many addresses the device has")
    func wrongPasscodeAtAddresses() {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesWindow = false
        let device = world.device(1, settings)
        for number in UInt16(1)...4 {
            let address = IPAddress.simulated(0x4000 + number)
            device.answerer.addresses.append(address)
            world.network.alias(
                SocketAddress(address, port: ScriptedDevice.port), of: device.link)
        }
        device.openWindow()
        let flow = world.commission(World.request(12_345_679))
        world.sim.finish(flow)
        #expect(flow.error == CommissioningError(.establishPASE, .wrongPasscode(devices: 1)))
        #expect(device.count(Self.begin) == 1)
        #expect(world.leftovers() == .init())
    }

    @Test(
        "devices of one discriminator are tried once each, until one knows the passcode",
        arguments: 1...4)
    func several(right: UInt8) throws {
        for seed in 1...10 {
            let world = World(
                seed: UInt64(seed),
                faults: FaultProfile(delay: .milliseconds(1)...(.milliseconds(80))))
            let devices = (UInt8(1)...4).map { number in
                world.device(
                    number, settings(number == right ? 20_202_021 : 30_000_000 + UInt32(number)))
            }
            let flow = world.commission()
            world.sim.finish(flow)
            let node = try #require(flow.value, "seed \(seed)").node
            for (number, device) in zip(UInt8(1)..., devices) {
                #expect(device.count(Self.begin) <= 1, "seed \(seed)")
                #expect(device.fabrics.map(\.nodeID) == (number == right ? [node.nodeID] : []))
            }
            #expect(world.leftovers() == .init(sessions: 1))
        }
    }

    @Test("when no device of the discriminator knows the passcode, their number is told")
    func noneRight() {
        let world = World()
        let devices = (UInt8(1)...3).map { world.device($0, settings(30_000_000 + UInt32($0))) }
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.error == CommissioningError(.establishPASE, .wrongPasscode(devices: 3)))
        #expect(devices.map { $0.count(Self.begin) } == [1, 1, 1])
        #expect(world.leftovers() == .init())
    }

    @Test("a dead device of the same discriminator delays the right one and no more")
    func oneDead() {
        let world = World()
        world.device(1, settings(30_000_001)).link.isOff = true
        let device = world.device(2)
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(30))
        #expect(flow.value?.node.nodeID == device.fabrics.first?.nodeID)
        #expect(flow.value != nil)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test("§4.11.1.5 a busy device is asked again after the time that it names")
    func busy() throws {
        let world = World()
        let device = world.device()
        var asked: [Instant] = []
        device.react = { request in
            guard request == Self.begin else { return .proceed }
            asked.append(world.sim.now)
            return asked.count < 3 ? .report(.busy(wait: .seconds(2))) : .proceed
        }
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.value != nil)
        #expect(asked.count == 3)
        for (earlier, later) in zip(asked, asked.dropFirst()) {
            #expect(later - earlier >= .seconds(2))
            #expect(later - earlier < .seconds(3))
        }
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test(
        "a device that is always busy is asked three times, and another one gets its turn",
        arguments: [false, true])
    func alwaysBusy(hasOther: Bool) {
        let world = World()
        let device = world.device()
        device.react = { $0 == Self.begin ? .report(.busy(wait: .seconds(60))) : .proceed }
        let other = hasOther ? world.device(2) : nil
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(60))
        if let other {
            #expect(flow.value?.node.nodeID == other.fabrics.first?.nodeID)
            #expect(world.leftovers() == .init(sessions: 1))
        } else {
            #expect(device.count(Self.begin) == 3)
            // Two waits of ten seconds, and the time for others.
            #expect(world.sim.now < Instant(nanoseconds: 24_000_000_000))
            #expect(
                flow.error
                    == CommissioningError(
                        .establishPASE, .handshake(.pase(.busy(wait: .seconds(60))))))
            #expect(world.leftovers() == .init())
        }
    }

    @Test("a device whose first address is dead is reached at the next")
    func addresses() {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesWindow = false
        let device = world.device(1, settings)
        device.answerer.addresses.insert(.simulated(0x4000), at: 0)
        device.openWindow()
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(60))
        #expect(flow.value?.node.lastAddress == device.address)
    }

    @Test("a device that is heard again with an address that works is reached there")
    func laterAddress() {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesWindow = false
        let device = world.device(1, settings)
        let own = device.answerer.addresses
        device.answerer.addresses = [.simulated(0x4000)]
        device.openWindow()
        _ = world.sim.loop.schedule(at: world.sim.now + .seconds(2)) {
            device.answerer.addresses += own
            device.openWindow()
        }
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(60))
        #expect(flow.value?.node.lastAddress == device.address)
        #expect(world.leftovers() == .init(sessions: 1))
    }

    @Test(
        "a device is found when it appears while it is looked for, and not after that",
        arguments: [0, 5, 29, 31])
    func appears(seconds: Int) {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.announcesWindow = false
        let device = world.device(1, settings)
        _ = world.sim.loop.schedule(at: world.sim.now + .seconds(seconds)) {
            device.openWindow()
        }
        let flow = world.commission()
        world.sim.finish(flow)
        #expect((flow.value != nil) == (seconds < 30))
        if seconds > 30 {
            #expect(flow.error == CommissioningError(.discover, .notFound))
        }
    }

    @Test("a device that says that it is not the one, or that its window is closed, is not tried")
    func others() {
        let world = World()
        var closed = ScriptedDevice.Settings()
        closed.commissioningMode = 0
        var otherLong = ScriptedDevice.Settings()
        // The same short discriminator.
        otherLong.discriminator = 3841
        let devices = [world.device(1, closed), world.device(2, otherLong)]
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.error == CommissioningError(.discover, .notFound))
        #expect(devices.allSatisfy { $0.heard.isEmpty })

        let vendor = World()
        let device = vendor.device()
        let payload = SetupPayload(
            vendorID: VendorID(0x4321), productID: ProductID(1), flow: .standard,
            discoveryCapabilities: .onNetwork, discriminator: .long(3840),
            passcode: .passcode(20_202_021))
        let unfitting = vendor.commission(CommissioningRequest(payload: payload))
        vendor.sim.finish(unfitting)
        #expect(unfitting.error == CommissioningError(.discover, .notFound))
        #expect(device.heard.isEmpty)
    }
}

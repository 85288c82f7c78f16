import Base
import Crypto
import Matter
import MatterNode
import Simulation
import Testing
import VirtualDevice

@Suite("VirtualDevice")
struct VirtualDeviceTests {
    private func joined(_ administrator: Administrator) throws -> Administrator.Joined {
        try #require(try administrator.commission()?.get())
    }

    @Test("§5.5 our own commissioner makes it a node of our fabric, attested")
    func commission() throws {
        let house = House()
        let administrator = house.administrator()
        let made = try joined(administrator)
        #expect(made.record.isAttested)
        #expect(made.record.vendorID == VendorID(0xFFF1))
        #expect(made.record.productID == ProductID(0x8001))
        #expect(made.record.endpoints.map(\.endpoint) == [.root, EndpointID(1)])
        #expect(house.device.fabrics.map(\.nodeID) == [made.record.nodeID])
        #expect(house.device.failSafeLeft == nil)
        #expect(!house.device.isWindowOpen)
        #expect(house.notes.contains(.commissioned(FabricIndex(1))))
        house.sim.run(for: .seconds(60))
        #expect(house.device.sessionCount == 1)
    }

    @Test("a wildcard read brings every attribute and no status")
    func wildcard() throws {
        let house = House()
        let administrator = house.administrator()
        let made = try joined(administrator)
        let reports = try #require(try administrator.read([AttributePath()], at: made.peer)?.get())
        #expect(reports.all.count > 130)
        let refused = reports.all.filter { if case .status = $0.value { true } else { false } }
        #expect(refused.isEmpty)
        let index = try reports.value(OperationalCredentials.currentFabricIndex, .root)
        #expect(index == FabricIndex(1))
    }

    @Test("a light does what it is told, and tells it")
    func light() throws {
        let house = House()
        let administrator = house.administrator()
        let made = try joined(administrator)
        _ = try administrator.invoke(OnOff.On(), at: made.peer, on: EndpointID(1))?.get()
        #expect(house.device.attribute(OnOff.onOff, on: EndpointID(1)) == true)
        #expect(house.notes.contains(.model(EndpointID(1), .power(.light, true))))
    }

    @Test("§4.14.2 after a loss of power it is found again under its name")
    func powerLoss() throws {
        let house = House()
        let administrator = house.administrator()
        let made = try joined(administrator)
        house.device.stop()
        house.sim.run(for: .seconds(30))
        house.device.start()
        #expect(house.device.fabrics.map(\.nodeID) == [made.record.nodeID])
        #expect(house.device.attribute(GeneralDiagnostics.rebootCount) == 1)
        let peer = try #require(try administrator.connect(made.record.nodeID)?.get())
        _ = try administrator.invoke(OnOff.Toggle(), at: peer, on: EndpointID(1))?.get()
    }

    @Test("§11.10.7.2 what a fail-safe covers is undone by a loss of power")
    func powerLossUnderFailSafe() throws {
        let house = House()
        let administrator = house.administrator()
        let peer = try #require(try administrator.pase()?.get())
        #expect(house.device.failSafeLeft != nil)
        var network = NetworkCommissioning.AddOrUpdateWiFiNetwork()
        network.ssid = Octets([UInt8]("virtual-home".utf8))
        network.credentials = Secret([UInt8](repeating: 0x61, count: 8).span)
        let added = try administrator.invoke(network, at: peer)?.get()
        #expect(added?.networkingStatus.known == .success)
        #expect(house.device.attribute(NetworkCommissioning.networks)?.count == 1)
        house.device.reboot()
        #expect(house.device.attribute(NetworkCommissioning.networks) == [])
        #expect(house.device.failSafeLeft == nil)
        #expect(house.device.isWindowOpen)
    }

    @Test("§11.10.7.2 the fail-safe that PASE arms ends by itself, and the window stays")
    func failSafeExpires() throws {
        let house = House()
        _ = try #require(try house.administrator().pase()?.get())
        house.sim.run(for: .seconds(61))
        #expect(house.device.failSafeLeft == nil)
        #expect(house.notes.contains(.failSafeExpired))
        #expect(house.device.sessionCount == 0)
        #expect(house.device.isWindowOpen)
    }

    @Test("§11.9.7 ConnectNetwork is answered when the try has ended")
    func connectNetwork() throws {
        let house = House()
        let administrator = house.administrator()
        let peer = try #require(try administrator.pase()?.get())
        for (name, status) in [
            ("virtual-home", NetworkCommissioning.NetworkingStatus.success),
            ("wrong-password", .authFailure), ("not-found", .networkNotFound),
        ] {
            var add = NetworkCommissioning.AddOrUpdateWiFiNetwork()
            add.ssid = Octets([UInt8](name.utf8))
            add.credentials = Secret([UInt8](repeating: 0x61, count: 8).span)
            _ = try administrator.invoke(add, at: peer)?.get()
            var connect = NetworkCommissioning.ConnectNetwork()
            connect.networkID = add.ssid
            let before = house.sim.now
            let answer = try administrator.invoke(connect, at: peer)?.get()
            #expect(answer?.networkingStatus.known == status)
            #expect(house.sim.now - before >= .seconds(3))
        }
    }

    @Test("§11.19 a second administrator comes through an enhanced window and leaves again")
    func secondFabric() throws {
        let house = House()
        let first = house.administrator()
        let made = try joined(first)
        var open = AdministratorCommissioning.OpenCommissioningWindow()
        open.commissioningTimeout = 180
        open.discriminator = 1234
        open.iterations = 2000
        let salt = [UInt8](repeating: 7, count: 16)
        open.salt = Octets(salt)
        let verifier = SPAKE2PlusVerifier(
            SPAKE2PlusSecrets(passcode: .passcode(34_567_890), salt: salt.span, iterations: 2000))
        open.pakePasscodeVerifier = verifier.serialized
        _ = try first.invoke(open, at: made.peer)?.get()
        #expect(
            house.device.attribute(AdministratorCommissioning.windowStatus)
                == .init(
                    .enhancedWindowOpen))
        let second = house.administrator()
        let other = try #require(
            try second.commission(passcode: 34_567_890, discriminator: 1234)?.get())
        #expect(house.device.fabrics.map(\.index) == [FabricIndex(1), FabricIndex(2)])
        var remove = OperationalCredentials.RemoveFabric()
        remove.fabricIndex = FabricIndex(2)
        let answer = try second.invoke(remove, at: other.peer)?.get()
        #expect(answer?.statusCode.known == .ok)
        house.sim.run(for: .seconds(30))
        #expect(house.device.fabrics.map(\.index) == [FabricIndex(1)])
        #expect(house.notes.contains(.left(FabricIndex(2))))
    }

    @Test("§11.18.6.12 without its last fabric it can be commissioned again")
    func lastFabric() throws {
        let house = House()
        let administrator = house.administrator()
        let made = try joined(administrator)
        var remove = OperationalCredentials.RemoveFabric()
        remove.fabricIndex = FabricIndex(1)
        _ = try administrator.invoke(remove, at: made.peer)?.get()
        house.sim.run(for: .seconds(30))
        #expect(house.device.fabrics.isEmpty)
        #expect(house.device.sessionCount == 0)
        let again = house.administrator()
        #expect(try again.commission()?.get().record.fabricIndex == FabricIndex(2))
    }

    @Test("§11.19.8.4 the window closes after twenty wrong passcodes")
    func wrongPasscodes() throws {
        let house = House()
        let administrator = house.administrator()
        for _ in 0..<19 { _ = administrator.pase(20_202_022) }
        house.sim.run(for: .seconds(1))
        #expect(house.device.isWindowOpen)
        _ = administrator.pase(20_202_022)
        house.sim.run(for: .seconds(1))
        #expect(!house.device.isWindowOpen)
        #expect(house.notes.count { $0 == .wrongPasscode } == 20)
        house.device.openWindow()
        #expect(try administrator.pase()?.get() != nil)
    }

    @Test("§9.10 an access control list is written item by item, and ours stays in force")
    func accessControl() throws {
        let house = House()
        let administrator = house.administrator()
        let made = try joined(administrator)
        var entries = try #require(house.device.attribute(AccessControl.acl))
        #expect(entries.count == 1)
        var viewer = AccessControl.AccessControlEntryStruct()
        viewer.subjects = .value([0x1234])
        entries.append(viewer)
        let write = [
            AttributeDataIB(
                path: AttributePath(AccessControl.acl, endpoint: .root),
                data: try EncodedElement(entries))
        ]
        let peer = made.peer
        _ = try house.sim.run { () async throws(PeerError) in try await peer.write(write) }?.get()
        #expect(house.device.attribute(AccessControl.acl)?.count == 2)
        let reports = try administrator.read(
            [AttributePath(AccessControl.acl, endpoint: .root)], at: peer)?.get()
        #expect(try reports?.value(AccessControl.acl, .root)?.count == 2)
    }

    @Test("a factory reset forgets the owners and keeps the device's own keys")
    func factoryReset() throws {
        let house = House()
        _ = try joined(house.administrator())
        let paa = house.device.paaCertificateDER
        house.device.factoryReset()
        #expect(house.device.fabrics.isEmpty)
        #expect(house.device.paaCertificateDER == paa)
        #expect(house.device.isWindowOpen)
    }

    @Test("§11.10.7.2 while a window is open, or for another's fail-safe, arming has to wait")
    func busy() throws {
        let house = House()
        let administrator = house.administrator()
        let made = try joined(administrator)
        var arm = GeneralCommissioning.ArmFailSafe()
        arm.expiryLengthSeconds = 60
        house.device.openWindow()
        let first = try administrator.invoke(arm, at: made.peer)?.get()
        #expect(first?.errorCode.known == .busyWithOtherAdmin)
        _ = try #require(try house.administrator().pase()?.get())
        let second = try administrator.invoke(arm, at: made.peer)?.get()
        #expect(second?.errorCode.known == .busyWithOtherAdmin)
        house.sim.run(for: .seconds(61))
        house.device.closeWindow()
        let third = try administrator.invoke(arm, at: made.peer)?.get()
        #expect(third?.errorCode.known == .ok)
        arm.expiryLengthSeconds = 901
        let fourth = try administrator.invoke(arm, at: made.peer)?.get()
        #expect(fourth?.errorCode.known == .valueOutsideRange)
    }

    @Test("§11.18.6.11 a fabric's label is its own")
    func labels() throws {
        let house = House()
        let administrator = house.administrator()
        let made = try joined(administrator)
        var label = OperationalCredentials.UpdateFabricLabel()
        label.label = "Home"
        let answer = try administrator.invoke(label, at: made.peer)?.get()
        #expect(answer?.statusCode.known == .ok)
        house.device.reboot()
        #expect(house.device.fabrics.map(\.label) == ["Home"])
    }

    @Test("§11.2.7 a key set is written, listed without its keys, and removed")
    func groupKeys() throws {
        let house = House()
        let administrator = house.administrator()
        let peer = try joined(administrator).peer
        var write = GroupKeyManagement.KeySetWrite()
        write.groupKeySet.groupKeySetID = 42
        write.groupKeySet.epochKey0 = .value(Secret([UInt8](repeating: 1, count: 16).span))
        write.groupKeySet.epochStartTime0 = .value(1)
        _ = try administrator.invoke(write, at: peer)?.get()
        var read = GroupKeyManagement.KeySetRead()
        read.groupKeySetID = 42
        let found = try administrator.invoke(read, at: peer)?.get()
        #expect(found?.groupKeySet.epochKey0.value == nil)
        #expect(found?.groupKeySet.epochStartTime0 == .value(1))
        let list = GroupKeyManagement.KeySetReadAllIndices()
        let ids = try administrator.invoke(list, at: peer)?.get()
        #expect(ids?.groupKeySetIDs == [0, 42])
        var remove = GroupKeyManagement.KeySetRemove()
        remove.groupKeySetID = 42
        _ = try administrator.invoke(remove, at: peer)?.get()
        #expect(try administrator.invoke(list, at: peer)?.get().groupKeySetIDs == [0])
    }
}

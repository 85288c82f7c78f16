import Base
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commissioner")
struct CommissionerTests {
    @Test("§5.5 a device becomes a node that is stored, and no run is left over")
    func whole() throws {
        let world = World()
        let device = world.device()
        var request = World.request()
        request.name = "Lamp"
        request.room = "Hall"
        let flow = world.commission(request)
        let made = try #require(try world.sim.finish(flow)?.get())
        let node = made.node
        #expect(world.store.storedNodes == [node])
        #expect(world.store.storedRuns.isEmpty)
        #expect(node.name == "Lamp" && node.room == "Hall")
        #expect(node.vendorID == DeviceAttestation.vendorID)
        #expect(node.productID == DeviceAttestation.productID)
        #expect(node.vendorName == "Vendor" && node.productName == "Lamp")
        #expect(node.serialNumber == "SN-1")
        #expect(node.endpoints.map(\.endpoint) == [.root, EndpointID(1)])
        #expect(node.endpoints.last?.deviceTypes == [DeviceTypeID(0x100)])
        #expect(node.endpoints.last?.clusters == [OnOff.id, Descriptor.id])
        #expect(node.lastAddress == device.address)
        #expect(node.isAttested)
        #expect(node.commissionedAt == World.unixSeconds)
        #expect(device.fabrics.map(\.nodeID) == [node.nodeID])
        #expect(device.fabrics.map(\.index) == [node.fabricIndex])
        #expect(device.fabrics.map(\.isPending) == [false])
        #expect(device.armings == [60])
        #expect(device.sessionCount == 1)
        #expect(world.leftovers() == .init(sessions: 1))
        let read = world.sim.run { () async throws(PeerError) -> Int in
            try await made.peer.read([AttributePath(OnOff.onOff, endpoint: nil)]).count
        }
        #expect(try read?.get() == 1)
    }

    @Test("each step is told once, at its beginning, in the order of the steps")
    func progress() throws {
        let world = World()
        _ = world.device()
        let flow = world.commission(with: world.commissioner(fabricLabel: "Site"))
        world.sim.finish(flow)
        #expect(flow.error == nil)
        let others: Set<CommissioningStep> = [
            .prepare, .scanNetworks, .addNetwork, .connectNetwork,
        ]
        #expect(world.steps == CommissioningStep.allCases.filter { !others.contains($0) })
    }

    @Test("§11.18.6.11 the device has our label on our fabric, where there is one")
    func fabricLabel() {
        for label in ["", "Mill Lane 5"] {
            let world = World()
            let device = world.device()
            let flow = world.commission(with: world.commissioner(fabricLabel: label))
            world.sim.finish(flow)
            #expect(flow.value != nil)
            #expect(device.fabrics.map(\.label) == [label])
            let told = device.count(.invoke(OperationalCredentials.UpdateFabricLabel.self))
            #expect(told == (label.isEmpty ? 0 : 1))
            #expect(world.steps.contains(.updateFabricLabel) != label.isEmpty)
            #expect(world.warnings.isEmpty)
        }
    }

    @Test(
        "a label that is refused, or a device that does not know the command, is a warning",
        arguments: [true, false])
    func labelConflict(knowsCommand: Bool) {
        let world = World()
        let device = world.device()
        device.react = {
            guard $0 == .invoke(OperationalCredentials.UpdateFabricLabel.self) else {
                return .proceed
            }
            return knowsCommand ? .code(10) : .status(.unsupportedCommand)
        }
        let flow = world.commission(with: world.commissioner(fabricLabel: "Site"))
        world.sim.finish(flow)
        #expect(flow.value != nil)
        #expect(world.store.storedNodes.count == 1)
        #expect(device.fabrics.map(\.label) == [""])
        if knowsCommand {
            #expect(world.warnings == [.fabricLabelRefused(OpenEnum(.labelConflict))])
        } else {
            #expect(
                world.warnings == [
                    .fabricLabelFailed(
                        .interaction(.status(.unsupportedCommand, clusterStatus: nil)))
                ])
        }
    }

    @Test("a manual code's short discriminator finds the device too")
    func shortDiscriminator() {
        let world = World()
        _ = world.device()
        let flow = world.commission(World.request(20_202_021, .short(15)))
        world.sim.finish(flow)
        #expect(flow.value != nil)
    }

    @Test(
        "a device without a clock to set, or that wants none of ours, is commissioned",
        arguments: [true, false])
    func time(hasCluster: Bool) {
        let world = World()
        var settings = ScriptedDevice.Settings()
        settings.hasTimeSynchronization = hasCluster
        let device = world.device(1, settings)
        device.react = {
            $0 == .invoke(TimeSynchronization.SetUTCTime.self) ? .code(2) : .proceed
        }
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.value != nil)
        let told = device.count(.invoke(TimeSynchronization.SetUTCTime.self))
        #expect(told == (hasCluster ? 1 : 0))
    }

    @Test("§11.18.6.10 a device that does not tell its fabric index is asked for it")
    func fabricIndex() {
        let world = World()
        let device = world.device()
        device.tellsFabricIndex = false
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(flow.value?.node.fabricIndex == device.fabrics.first?.index)
        #expect(device.count(.read) == 2)
    }

    @Test("a device that is in our fabric already is named, and nothing is armed")
    func alreadyCommissioned() throws {
        let world = World()
        let device = world.member(0x77)
        try world.store.save(
            NodeRecord(
                nodeID: NodeID(0x77), fabricIndex: FabricIndex(1), vendorID: VendorID(1),
                productID: ProductID(1)))
        let flow = world.commission()
        world.sim.finish(flow)
        #expect(
            flow.error
                == CommissioningError(
                    .readCommissioningInfo, .alreadyCommissioned(NodeID(0x77))))
        #expect(device.armings.isEmpty)
        #expect(device.fabrics.count == 1)
        #expect(world.store.writes == 1)
        #expect(world.leftovers() == .init())
    }

    @Test("a device of our fabric that the store has lost is kept as the node that it is")
    func adopted() throws {
        let world = World()
        let device = world.member(0x77)
        let flow = world.commission()
        world.sim.finish(flow)
        let node = try #require(flow.value).node
        #expect(node.nodeID == NodeID(0x77) && world.store.storedNodes == [node])
        #expect(node.serialNumber == "SN-1" && !node.isAttested)
        #expect(device.armings.isEmpty && device.fabrics.count == 1)
        #expect(world.store.storedRuns.isEmpty)
    }

    @Test(
        "§6.2.3 a device that nobody vouches for is refused, unless the request accepts it",
        arguments: [false, true])
    func unattested(accepts: Bool) throws {
        let world = World()
        let device = world.device()
        var request = World.request()
        request.acceptsUnattested = accepts
        let stranger = AttestationVerifier(anchors: TrustAnchors(), allowTestDevices: false)
        let flow = world.commission(request, with: world.commissioner(verifier: stranger))
        world.sim.finish(flow)
        if accepts {
            #expect(flow.value?.node.isAttested == false)
            #expect(world.store.storedNodes.first?.isAttested == false)
            #expect(world.leftovers() == .init(sessions: 1))
        } else {
            #expect(flow.error?.step == .verifyAttestation)
            guard case .attestation(.unknownAuthority)? = flow.error?.cause else {
                Issue.record("\(String(describing: flow.error))")
                return
            }
            #expect(device.wasDisarmed && device.isUntouched)
            #expect(world.store.storedNodes.isEmpty)
            #expect(world.leftovers() == .init())
        }
    }

    @Test(
        "a device that was gone after AddNOC undoes it by itself, and we find out in bounded time")
    func disappears() {
        let world = World()
        let device = world.device()
        device.react = {
            $0 == .invoke(OperationalCredentials.AddNOC.self) ? .proceedThenVanish : .proceed
        }
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(180))
        #expect(flow.error?.step == .findOperational)
        #expect(world.store.storedNodes.isEmpty && world.store.storedRuns.isEmpty)
        #expect(world.leftovers() == .init())
        #expect(device.isUntouched)
        #expect(device.failSafeExpiries == 1)
    }

    @Test("a device that announces itself and answers nothing is told apart from none at all")
    func noAnswer() {
        let world = World()
        let device = world.device()
        device.link.isOff = true
        let flow = world.commission()
        world.sim.finish(flow, within: .seconds(60))
        #expect(flow.error == CommissioningError(.establishPASE, .noAnswer))
        #expect(world.leftovers() == .init())

        let empty = World()
        let nothing = empty.commission()
        empty.sim.finish(nothing, within: .seconds(31))
        #expect(nothing.error == CommissioningError(.discover, .notFound))
        #expect(empty.leftovers() == .init())
    }
}

@Suite("Commissioner: the network")
struct CommissionerNetworkTests {
    /// Virtual time within which every device is commissioned once it is there.
    private static let bound = Duration.seconds(60)

    @Test(
        "over a bad network every device is commissioned in bounded time",
        arguments: [1...100, 101...200])
    func lossy(seeds: ClosedRange<Int>) throws {
        for seed in seeds {
            let world = World(seed: UInt64(seed), faults: .lossy)
            let device = world.device()
            let flow = world.commission()
            world.sim.finish(flow, within: Self.bound)
            let error = String(describing: flow.error)
            let made = try #require(flow.value, "seed \(seed): \(error)")
            #expect(world.store.storedNodes == [made.node], "seed \(seed)")
            #expect(device.fabrics.map(\.isPending) == [false], "seed \(seed)")
            #expect(world.leftovers() == .init(sessions: 1), "seed \(seed)")
        }
    }

    @Test("whichever single datagram is lost, the device is commissioned")
    func eachDatagram() throws {
        var lost = 0
        for number in 1... {
            let world = World()
            let device = world.device()
            world.sim.run(for: .seconds(1))
            let first = world.network.sent
            var isLost = false
            world.network.carries = { datagram in
                guard datagram.number == first + number else { return true }
                isLost = true
                return false
            }
            let flow = world.commission()
            world.sim.finish(flow, within: Self.bound)
            #expect(flow.value != nil, "datagram \(number): \(String(describing: flow.error))")
            #expect(device.armings.count == 1, "datagram \(number)")
            #expect(world.leftovers() == .init(sessions: 1), "datagram \(number)")
            guard isLost else { break }
            lost += 1
        }
        #expect(lost > 40)
    }

    @Test("over a terrible network a run ends in bounded time, whole or not at all")
    func terrible() throws {
        var made = 0
        for seed in 1...60 {
            let world = World(
                seed: UInt64(seed),
                faults: FaultProfile(
                    drop: 0.4, duplicate: 0.3, delay: .milliseconds(1)...(.milliseconds(200))))
            let device = world.device()
            let flow = world.commission()
            world.sim.finish(flow, within: .seconds(180))
            #expect(flow.result != nil, "seed \(seed)")
            let left = world.leftovers(within: .seconds(300))
            #expect(world.store.storedRuns.isEmpty, "seed \(seed)")
            if let node = flow.value?.node {
                made += 1
                #expect(world.store.storedNodes == [node], "seed \(seed)")
                #expect(device.fabrics.map(\.nodeID) == [node.nodeID], "seed \(seed)")
                #expect(left == .init(sessions: 1), "seed \(seed)")
            } else {
                #expect(world.store.storedNodes.isEmpty, "seed \(seed)")
                #expect(device.isUntouched, "seed \(seed)")
                #expect(left == .init(), "seed \(seed)")
            }
        }
        // Both kinds of end were met.
        #expect(made > 10 && made < 60)
    }
}

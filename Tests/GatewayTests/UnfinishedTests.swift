import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("What is unfinished at devices")
struct UnfinishedTests {
    private let building: Building
    private static let id = NodeID(1)

    init() throws {
        building = try Building()
    }

    private func lamp() throws -> ScriptedDevice {
        let device = try building.device(1, name: "Lamp")
        var record = building.records.storedNodes[0]
        record.room = "Hall"
        record.serialNumber = "SN-1"
        record.vendorID = DeviceAttestation.vendorID
        record.productID = DeviceAttestation.productID
        record.lastAddress = device.address
        record.historyID = NodeID(0x77)
        try building.records.save(record)
        return device
    }

    private func power(_ device: ScriptedDevice, _ isOn: Bool) {
        device.link.isOff = !isOn
        device.answerer.link.isOff = !isOn
    }

    // MARK: Removing

    @Test("a device that is away is removed at once, and told when it is there again")
    func removeAway() throws {
        let device = try lamp()
        power(device, false)
        let output = try building.run("remove lamp --yes")
        #expect(output.exitCode == .ok)
        #expect(output.lines.first?.hasPrefix("Lamp: removed here; it is away") == true)
        #expect(
            output.document.text
                == #"{"node_id":"0x0000000000000001","removal":"pending"}"#)
        #expect(building.records.storedNodes.isEmpty)
        let listed = try building.run("devices")
        #expect(
            listed.document["pending_removals"]?.text
                == #"[{"node_id":"0x0000000000000001","name":"Lamp","#
                + #""address":"\#(device.address)","since":"2026-04-24T03:06:40Z"}]"#)
        #expect(
            listed.notices == [
                "Lamp (0x0000000000000001): it was removed here, and is told when it answers"
            ])
        let prepared = try building.run("prepare")
        #expect(prepared.lines.contains { $0.hasPrefix("warning  pending removal: Lamp") })
        power(device, true)
        #expect(try building.run("remove 1 --yes").document["removal"] == .string("told"))
        #expect(device.fabrics.isEmpty)
        #expect(building.records.storedRemovals.isEmpty)
        #expect(try building.run("devices").notices.isEmpty)
    }

    @Test("--force forgets a device that is away for good; without a word it refuses nothing")
    func removeForced() throws {
        let device = try lamp()
        power(device, false)
        let output = try building.run("remove lamp --force --yes")
        #expect(output.document["removal"] == .string("forgotten"))
        #expect(building.records.storedNodes.isEmpty && building.records.storedRemovals.isEmpty)
    }

    @Test("the id of a pending removal with --force ends the waiting")
    func forget() throws {
        let device = try lamp()
        power(device, false)
        _ = try building.run("remove lamp --yes")
        #expect(try building.run("remove 0x1").document["removal"] == .string("pending"))
        #expect(try building.run("remove 0x1 --force").document["removal"] == .string("forgotten"))
        #expect(building.records.storedRemovals.isEmpty)
    }

    @Test("a device that refuses stays, unless it is forced")
    func removeRefused() throws {
        let device = try lamp()
        device.react = {
            $0 == .invoke(OperationalCredentials.RemoveFabric.self) ? .status(.busy) : .proceed
        }
        let refused = try building.run("remove lamp --yes")
        #expect(refused.exitCode != .ok)
        #expect(refused.notices.first?.contains("--force") == true)
        #expect(building.records.storedNodes.count == 1)
        #expect(building.records.storedRemovals.isEmpty)
    }

    @Test("§4.14.2.3 a device that was reset does not know us, and is removed")
    func removeStranger() throws {
        let device = building.stranger(1)
        var record = NodeRecord(
            nodeID: Self.id, fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1),
            productID: ProductID(0x8000))
        record.name = "Lamp"
        record.lastAddress = device.address
        try building.records.save(record)
        let output = try building.run("remove lamp --yes")
        #expect(output.document["removal"] == .string("unknownToDevice"))
        #expect(building.records.storedRemovals.isEmpty)
    }

    // MARK: Replacing

    @Test("a new device takes name, room and history of the old one, which is told")
    func replace() throws {
        let old = try lamp()
        let new = building.stranger(2)
        let output = try building.run("replace lamp 3497 011 2332 --yes")
        #expect(output.exitCode == .ok)
        #expect(output.document["replaces"] == .string("0x0000000000000001"))
        #expect(output.document["removal"] == .string("told"))
        #expect(output.lines.last == "Lamp (0x0000000000000001): removed")
        let node = try #require(building.records.storedNodes.first)
        #expect(building.records.storedNodes.count == 1)
        #expect(node.name == "Lamp" && node.room == "Hall")
        #expect(node.historyID == NodeID(0x77) && node.nodeID != Self.id)
        #expect(new.fabrics.map(\.nodeID) == [node.nodeID])
        #expect(old.fabrics.isEmpty)
        #expect(building.records.storedRemovals.isEmpty && building.records.storedRuns.isEmpty)
    }

    @Test("an old device that is away is told later; one whose successor fails stays")
    func replaceAway() throws {
        let old = try lamp()
        power(old, false)
        let failed = try building.run("replace lamp 34970112332 --yes --timeout 10")
        #expect(failed.exitCode == .unavailable)
        #expect(building.records.storedNodes.map(\.nodeID) == [Self.id])
        _ = building.stranger(2)
        let output = try building.run("replace lamp 34970112332 --yes --room Attic")
        #expect(output.document["removal"] == .string("pending"))
        #expect(building.records.storedNodes.map(\.room) == ["Attic"])
        #expect(building.records.storedRemovals.map(\.nodeID) == [Self.id])
        #expect(try building.run("replace lamp 34970112332").exitCode == .usage)
    }

    @Test("a device that was reset and is paired again is known by its serial number")
    func reset() throws {
        let device = try lamp()
        power(device, false)
        // The same device after its reset: the same number, another key.
        _ = building.stranger(2)
        let output = try building.run("pair 34970112332")
        #expect(
            output.notices == [
                "Lamp was known as 0x0000000000000001 and has been reset since, as its serial"
                    + " number tells: it keeps its name, room and history, and that id is gone"
            ])
        let nodes = building.records.storedNodes
        #expect(nodes.map(\.name) == ["Lamp"] && nodes.map(\.historyID) == [NodeID(0x77)])
        #expect(nodes[0].nodeID != Self.id)
        // It has nothing of us that it would have to be told of.
        #expect(building.records.storedRemovals.isEmpty)
    }

    @Test("a device of the same serial number that answers is another one")
    func sameNumber() throws {
        let device = try lamp()
        _ = building.stranger(2)
        let output = try building.run("pair 34970112332 --name Second")
        #expect(output.exitCode == .ok && output.notices.isEmpty)
        #expect(building.records.storedNodes.map(\.name) == ["Lamp", "Second"])
        #expect(device.fabrics.count == 1)
    }
}

@Suite("Settlement")
struct SettlementTests {
    private let building: Building
    private let settled = SettledLines()

    init() throws {
        building = try Building()
    }

    /// A run of the device that was cut off before `step`.
    private func interrupt(_ step: CommissioningStep, of device: ScriptedDevice) throws {
        var run = RunRecord(
            nodeID: NodeID(0x55), step: step.rawValue, startedAt: 1_777_000_000 - 100)
        run.name = "Lamp"
        run.productName = "Bulb"
        run.lastAddress = device.address
        try building.records.save(run)
    }

    private func begin() {
        _ = building.sim.run { [building, settled] () async throws(Never) -> Void in
            await building.operations.beginSettling { settled.add(UnfinishedOutput.line($0)) }
        }
    }

    @Test("a run that was complete becomes a node in the background")
    func kept() throws {
        let device = building.stranger(1)
        device.join(building.fabric, as: NodeID(0x55))
        try interrupt(.commissioningComplete, of: device)
        #expect(
            try building.run("devices").document["interrupted_pairings"]?.text
                == #"[{"node_id":"0x0000000000000055","name":"Lamp","room":"","vendor_name":"","#
                + #""product_name":"Bulb","serial_number":"","step":"commissioningComplete","#
                + #""started_at":"2026-04-24T03:05:00Z"}]"#)
        begin()
        building.sim.run(for: .seconds(3))
        #expect(
            settled.lines == [
                "Lamp (0x0000000000000055): its pairing had been interrupted, and is complete now"
            ])
        #expect(building.records.storedNodes.map(\.name) == ["Lamp"])
        #expect(building.records.storedRuns.isEmpty)
        #expect(try building.run("devices").notices.isEmpty)
    }

    @Test("a run that had given the device nothing is rolled back at once")
    func rolledBack() throws {
        let device = building.stranger(1)
        try interrupt(.addTrustedRoot, of: device)
        begin()
        building.sim.run(for: .zero)
        #expect(
            settled.lines == [
                "Lamp (0x0000000000000055): its pairing had been interrupted, and is undone:"
                    + " it had got nothing of this gateway yet: pair it again"
            ])
        #expect(building.records.storedRuns.isEmpty)
    }

    @Test("a device that is away holds no command back, and the end for a few seconds")
    func held() throws {
        let device = building.stranger(1)
        try interrupt(.commissioningComplete, of: device)
        device.vanish()
        begin()
        let start = building.sim.now
        _ = try building.run("devices")
        #expect(building.sim.now == start)
        let prepared = try building.run("prepare")
        #expect(building.sim.now - start <= .seconds(6))
        let line = "warning  interrupted pairing: Lamp (0x0000000000000055): its pairing was"
        #expect(prepared.lines.contains { $0.hasPrefix(line) })
        close()
        #expect(building.sim.now - start <= .seconds(15))
        #expect(building.records.storedRuns.count == 1)
        #expect(building.sim.runUntilQuiet(within: .seconds(120)))
    }

    private func close() {
        _ = building.sim.run { [building] () async throws(Never) -> Void in
            await building.operations.close()
        }
    }

    @Test("while the gateway runs, a device that comes back is done with within the hour")
    func later() throws {
        let device = building.stranger(1)
        device.join(building.fabric, as: NodeID(0x55))
        try interrupt(.commissioningComplete, of: device)
        device.link.isOff = true
        device.answerer.link.isOff = true
        begin()
        building.sim.run(for: .seconds(4 * 3600))
        #expect(settled.lines.isEmpty)
        device.link.isOff = false
        device.answerer.link.isOff = false
        building.sim.run(for: .seconds(3700))
        #expect(settled.lines.count == 1)
        #expect(building.records.storedNodes.count == 1)
        #expect(building.sim.runUntilQuiet(within: .seconds(120)))
    }

    @Test("an interrupted pairing can be given up, and its device is told")
    func givenUp() throws {
        let device = building.stranger(1)
        device.join(building.fabric, as: NodeID(0x55))
        try interrupt(.commissioningComplete, of: device)
        let output = try building.run("remove 0x55 --yes")
        #expect(output.document["removal"] == .string("told"))
        #expect(device.fabrics.isEmpty)
        #expect(building.records.storedRuns.isEmpty && building.records.storedRemovals.isEmpty)
    }
}

private final class SettledLines: @unchecked Sendable {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
}

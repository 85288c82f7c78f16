import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Gateway: Bluetooth")
struct PrepareBluetoothTests {
    @Test("prepare warns where devices without a network cannot be added")
    func warnings() throws {
        let building = try Building()
        let prepared = try building.run("prepare")
        #expect(prepared.exitCode == .ok)
        #expect(prepared.lines.contains { $0.hasPrefix("warning  Bluetooth") })
        #expect(prepared.lines.contains { $0.hasPrefix("warning  networks for devices") })
    }

    @Test("A device that is reached over Bluetooth alone is not looked for without a radio")
    func needed() throws {
        let building = try Building()
        let request = CommissioningRequest(
            payload: SetupPayload(
                vendorID: nil, productID: nil, flow: .standard, discoveryCapabilities: .ble,
                discriminator: .long(3840), passcode: .passcode(20_202_021)))
        let gateway = building.operations
        let result = building.sim.run { () async throws(CommissioningError) -> NodeRecord in
            try await gateway.commission(request) { _ in }
        }
        guard case .failure(let error)? = result, case .notPrepared(let problems) = error.cause
        else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(error.step == .prepare)
        #expect(problems.count == 1 && problems[0].contains("adapter"))
    }
}

import Scenarios
import Simulation
import Testing

@Suite("Scenario")
struct ScenarioTests {
    @Test("gateway and devices come through the storm, whatever the seed", arguments: 0..<6)
    func smoke(group: UInt64) {
        for seed in (group * 10 + 1)...(group * 10 + 10) {
            let result = Scenario.run(seed: seed)
            #expect(result.faults.isEmpty, "scripts/sim --seed \(seed)")
        }
    }

    @Test("the same with devices that speak Bluetooth", arguments: 0..<4)
    func bluetooth(group: UInt64) {
        for seed in (group * 10 + 1)...(group * 10 + 10) {
            let result = Scenario.run(seed: seed, isBluetooth: true)
            #expect(result.faults.isEmpty, "scripts/sim --bluetooth --seed \(seed)")
        }
    }

    /// 14 and 18: a run whose end could not be stored. 39: a device that has moved. 569: a garbled
    /// request that a device answered as a stranger. 598 and 754: a run at a device that was
    /// commissioned anew. 6515: the same where the store failed. 8499: a device that came back
    /// before it was told that it had been given up.
    @Test(
        "seeds that found a fault once",
        arguments: [14, 18, 39, 569, 598, 754, 6515, 8499] as [UInt64])
    func found(seed: UInt64) {
        #expect(Scenario.run(seed: seed).faults.isEmpty, "scripts/sim --seed \(seed)")
    }

    @Test("one seed takes one course, and another seed another")
    func determinism() {
        let first = Scenario.run(seed: 3)
        #expect(first.trace == Scenario.run(seed: 3).trace && first.trace.count > 50)
        #expect(first.trace != Scenario.run(seed: 4).trace)
        let air = Scenario.run(seed: 3, isBluetooth: true)
        #expect(air.trace == Scenario.run(seed: 3, isBluetooth: true).trace)
        #expect(air.trace != first.trace)
    }

    @Test("each checker finds what was broken for it", arguments: Scenario.Canary.allCases)
    func canaries(canary: Scenario.Canary) {
        #expect(!Scenario.run(seed: 1, canary: canary).faults.isEmpty)
    }
}

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

    @Test("one seed takes one course, and another seed another")
    func determinism() {
        let first = Scenario.run(seed: 3)
        #expect(first.trace == Scenario.run(seed: 3).trace && first.trace.count > 50)
        #expect(first.trace != Scenario.run(seed: 4).trace)
    }

    @Test("each checker finds what was broken for it", arguments: Scenario.Canary.allCases)
    func canaries(canary: Scenario.Canary) {
        #expect(!Scenario.run(seed: 1, canary: canary).faults.isEmpty)
    }
}

package import Simulation

/// How a scenario ended.
package struct ScenarioResult: Sendable {
    package let seed: UInt64
    /// What was found to be wrong; empty when all is well.
    package internal(set) var faults: [String] = []
    /// What happened when, for people who look for a cause.
    package internal(set) var timeline: [String] = []
    package internal(set) var tally = FaultTally()
    package internal(set) var trace = Trace()
    /// Devices that became nodes, those among them that were commissioned again.
    package internal(set) var commissionings = 0
    package internal(set) var readings = 0
    /// Lives of the gateway, the first included.
    package internal(set) var lives = 0

    init(seed: UInt64) { self.seed = seed }
}

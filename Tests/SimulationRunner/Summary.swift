import Foundation
import Scenarios

/// What came of many scenarios.
struct Summary: Codable {
    private(set) var scenarios = 0
    private(set) var commissionings = 0
    private(set) var readings = 0
    private(set) var lives = 0
    /// By the name of the kind.
    private(set) var faults: [String: Int] = [:]
    private(set) var failedSeeds: [UInt64] = []
    private(set) var slowestSeed: UInt64 = 0
    private(set) var slowestSeconds = 0.0
    var seconds = 0.0
    var isBluetooth = false

    mutating func add(_ result: ScenarioResult, seconds: Double) {
        var one = Summary()
        one.scenarios = 1
        one.commissionings = result.commissionings
        one.readings = result.readings
        one.lives = result.lives
        for kind in FaultKind.allCases { one.faults[kind.rawValue] = result.tally[kind] }
        if !result.faults.isEmpty { one.failedSeeds = [result.seed] }
        one.slowestSeed = result.seed
        one.slowestSeconds = seconds
        add(one)
    }

    mutating func add(_ other: Summary) {
        scenarios += other.scenarios
        commissionings += other.commissionings
        readings += other.readings
        lives += other.lives
        faults.merge(other.faults, uniquingKeysWith: +)
        failedSeeds = (failedSeeds + other.failedSeeds).sorted()
        if other.slowestSeconds > slowestSeconds {
            slowestSeed = other.slowestSeed
            slowestSeconds = other.slowestSeconds
        }
    }

    /// With so many scenarios each kind must have happened.
    private var missing: [String] {
        guard scenarios >= 500 else { return [] }
        return kinds.map(\.rawValue).filter { faults[$0, default: 0] == 0 }
    }

    private var kinds: [FaultKind] { isBluetooth ? FaultKind.allCases : FaultKind.ofAll }

    var isGood: Bool { failedSeeds.isEmpty && missing.isEmpty }

    var text: String {
        var lines = ["faults that happened:"]
        for kind in kinds {
            let name = kind.rawValue.padding(toLength: 22, withPad: " ", startingAt: 0)
            lines.append("  \(name)\(faults[kind.rawValue, default: 0])")
        }
        let rate = String(format: "%.1f", Double(commissionings) / max(seconds, 0.001))
        lines += [
            "\(scenarios) scenarios in \(Int(seconds.rounded())) s, \(lives) lives of the gateway",
            "\(commissionings) commissionings (\(rate) a second), \(readings) readings",
            String(format: "slowest: seed %llu, %.2f s", slowestSeed, slowestSeconds),
        ]
        if !missing.isEmpty { lines.append("never: \(missing.joined(separator: ", "))") }
        if let first = failedSeeds.first {
            lines.append(
                "\(failedSeeds.count) failed; see one: scripts/sim "
                    + "\(isBluetooth ? "--bluetooth " : "")--seed \(first)")
        } else {
            lines.append("none failed")
        }
        return lines.joined(separator: "\n")
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self)
    }
}

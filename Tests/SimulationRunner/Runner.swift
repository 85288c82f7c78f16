import Foundation
import Scenarios
import Simulation

/// Runs scenarios and says how they ended.
struct Runner {
    let options: Options

    /// Between two words about the progress.
    private static let stride: UInt64 = 500

    /// - Returns: whether all is as it should be.
    func run() throws -> Bool {
        switch options.work {
        case .replay(let seed): return replay(seed)
        case .canary: return try sendCanaries()
        case .month(let seed, let days): return try MonthRunner(seed: seed, days: days).run()
        case .some(let seeds):
            let summary = runHere(seeds)
            print(summary.json)
            return true
        case .many(let seeds):
            let start = Date()
            var summary = Summary()
            summary.isBluetooth = options.isBluetooth
            for part in try runInWorkers(seeds) { summary.add(part) }
            summary.seconds = Date().timeIntervalSince(start)
            print(options.isJSON ? summary.json : summary.text)
            return summary.isGood
        }
    }

    /// The same seed twice: it must take the same course.
    private func replay(_ seed: UInt64) -> Bool {
        let result = Scenario.run(seed: seed, isBluetooth: options.isBluetooth)
        let again = Scenario.run(seed: seed, isBluetooth: options.isBluetooth)
        let digest = String(result.trace.digest, radix: 16)
        print("seed \(seed): trace \(digest) of \(result.trace.count) entries")
        print(
            "  \(result.lives) lives, \(result.commissionings) commissionings, "
                + "\(result.readings) readings")
        for line in result.timeline { print("  \(line)") }
        for kind in FaultKind.allCases where result.tally[kind] > 0 {
            print("  \(kind.rawValue): \(result.tally[kind])")
        }
        for fault in result.faults { print("  FAULT: \(fault)") }
        if result.trace != again.trace { print("  FAULT: the second course was another") }
        return result.faults.isEmpty && result.trace == again.trace
    }

    /// Each checker must find what was broken for it, and the whole must fail.
    private func sendCanaries() throws -> Bool {
        var blind = 0
        for canary in Scenario.Canary.allCases {
            let faults = Scenario.run(seed: 1, canary: canary).faults
            print("\(canary.rawValue): \(faults.first ?? "NOT FOUND")")
            if faults.isEmpty { blind += 1 }
        }
        blind += try MonthRunner.blindCanaries()
        print(blind == 0 ? "every checker found its fault" : "\(blind) checkers are blind")
        return blind > 0
    }

    private func runHere(_ seeds: Range<UInt64>) -> Summary {
        var summary = Summary()
        for seed in seeds {
            let start = Date()
            let result = Scenario.run(seed: seed, isBluetooth: options.isBluetooth)
            summary.add(result, seconds: Date().timeIntervalSince(start))
            for fault in result.faults { say("seed \(seed): \(fault)") }
            if (seed - seeds.lowerBound + 1) % Self.stride == 0 {
                say("seeds \(seeds.lowerBound) to \(seed) are through")
            }
        }
        return summary
    }

    /// One process for each processor: a simulation is one thread.
    private func runInWorkers(_ seeds: Range<UInt64>) throws -> [Summary] {
        let count = UInt64(max(1, ProcessInfo.processInfo.activeProcessorCount))
        let share = (UInt64(seeds.count) + count - 1) / count
        var workers: [(Process, Pipe)] = []
        for first in Swift.stride(from: seeds.lowerBound, to: seeds.upperBound, by: Int(share)) {
            let worker = Process()
            let output = Pipe()
            worker.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            let size = min(share, seeds.upperBound - first)
            worker.arguments = ["--worker", "--first", "\(first)", "--count", "\(size)"]
            if options.isBluetooth { worker.arguments?.append("--bluetooth") }
            worker.standardOutput = output
            try worker.run()
            workers.append((worker, output))
        }
        return try workers.map { worker, output in
            let data = output.fileHandleForReading.readDataToEndOfFile()
            worker.waitUntilExit()
            guard worker.terminationStatus == 0 else {
                throw Options.Wrong(
                    description: "a worker ended with \(worker.terminationStatus)")
            }
            return try JSONDecoder().decode(Summary.self, from: data)
        }
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

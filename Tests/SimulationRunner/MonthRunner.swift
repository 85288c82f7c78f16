import Foundation
import Scenarios

/// Runs a month, and says how its days were.
struct MonthRunner {
    let seed: UInt64
    let days: Int

    /// - Returns: whether all is as it should be.
    func run() throws -> Bool {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let start = Date()
        var number = 0
        let result = Month.run(seed: seed, days: days, folder: folder.path) { day in
            number += 1
            print(
                "day \(number): \(day.rest / 1000) kB, beside \(day.pages / 1000) of SQLite's and"
                    + " \(day.notes / 1000) of notes,"
                    + " \(day.timers) timers,"
                    + " \(day.sessions) sessions, \(day.exchanges) exchanges,"
                    + " \(day.subscriptions) subscriptions")
        }
        for line in result.timeline { print("  \(line)") }
        print(
            "\(days) days in \(Int(Date().timeIntervalSince(start).rounded())) s,"
                + " \(result.turns) turns of the loop, \(result.lives) lives of the gateway")
        print(
            "\(result.readings) readings, \(result.forwarded) at the broker,"
                + " \(result.repeated) of them again after a cut, \(result.lost) lost with the"
                + " power, \(result.undated) without a date")
        print("\(result.alertsRaised) alerts; \(result.longestGap) s without a reason for it")
        for fault in result.faults { print("  FAULT: \(fault)") }
        print(result.faults.isEmpty ? "none failed" : "failed: \(result.faults.count) faults")
        return result.faults.isEmpty
    }

    /// - Returns: how many checkers found nothing.
    static func blindCanaries() throws -> Int {
        var blind = 0
        for canary in Month.Canary.allCases {
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let result = Month.run(
                seed: 1, days: canary == .growth ? 8 : 1, hours: 3, folder: folder.path,
                canary: canary)
            print("\(canary.rawValue): \(result.faults.first ?? "NOT FOUND")")
            if result.faults.isEmpty { blind += 1 }
        }
        return blind
    }

    /// In memory where there is such a place: a month is many flushes, and no disk is meant.
    static func makeFolder() throws -> URL {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let parent =
            FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
        let folder = parent.appendingPathComponent("month-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

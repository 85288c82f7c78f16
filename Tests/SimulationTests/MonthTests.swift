import Foundation
import Scenarios
import Testing

@Suite("Month")
struct MonthTests {
    /// What breaks each of its checkers is `scripts/sim --canary`'s: this is slow enough.
    @Test("days of outages leave no gap, lose no reading, tell no alert for nothing")
    func days() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("month-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = Month.run(seed: 3, days: 1, hours: 2, folder: folder.path)
        #expect(result.faults.isEmpty)
        #expect(result.lives > 1 && result.forwarded > 300)
        // Of the cellar, which is too warm in the evening.
        #expect(result.alertsRaised >= 1)
    }
}

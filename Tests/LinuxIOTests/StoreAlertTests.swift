import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

@Suite("SQLiteStore: limits")
struct StoreAlertTests {
    private let folder = TemporaryFolder()

    private static let alerts = [
        AlertRecord(id: 1, historyID: NodeID(7), seconds: 1800),
        AlertRecord(
            id: 2, historyID: NodeID(.max), endpoint: EndpointID(3), word: "temperature",
            isAbove: true, limit: -1800, seconds: 0),
    ]

    @Test("limits are kept, replaced by their number and removed; a copy has them as well")
    func kept() throws {
        do {
            let store = try StoreFixtures.open(folder)
            for alert in Self.alerts.reversed() { try store.save(alert) }
            #expect(try store.alerts() == Self.alerts)
        }
        try "rubbish".write(toFile: folder.database, atomically: false, encoding: .utf8)
        let store = try StoreFixtures.open(folder)
        #expect(store.notice != nil)
        #expect(try store.alerts() == Self.alerts)
        var changed = Self.alerts[1]
        changed.seconds = 60
        try store.save(changed)
        try store.removeAlert(1)
        #expect(try store.alerts() == [changed])
    }

    @Test("a limit that changed by accident is damage and no limit")
    func damaged() throws {
        do {
            let store = try StoreFixtures.open(folder)
            try store.save(Self.alerts[1])
        }
        do { try Database(path: folder.database).execute("UPDATE alert SET limit_value = 5") }
        let store = try StoreFixtures.open(folder)
        #expect(throws: StoreError.corrupt) { _ = try store.alerts() }
    }
}

import Base
import Foundation
import Matter
import MatterNode

@testable import LinuxIO

/// A history whose time is the test's.
final class HistoryLife {
    let folder = TemporaryFolder()
    var now = Instant(nanoseconds: 1_000_000_000)
    /// The date at the monotonic clock's zero, in milliseconds; nil while it is not known.
    var offset: Int64? = 1_700_000_000_000
    var bounds = HistoryBounds()
    var mayWrite = true
    var boot = "first"
    private(set) var notices: [HistoryNotice] = []
    private(set) var file: HistoryFile!

    init() {
        let state = URL(fileURLWithPath: folder.database).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        open()
    }

    /// One more process with the same file.
    func open(at path: String? = nil, pending: Int = HistoryLimits.pending) {
        file = nil
        var surroundings = HistoryFile.Surroundings(
            boot: boot,
            unixMilliseconds: { [unowned self] in
                offset.map { $0 + ReadingDating.milliseconds(now) }
            }, bounds: { [unowned self] in bounds })
        surroundings.mayWrite = { [unowned self] in mayWrite }
        surroundings.notify = { [unowned self] in notices.append($0) }
        file = HistoryFile(
            HistoryPaths(database: path ?? self.path), surroundings, at: now, pending: pending)
    }

    var path: String { HistoryPaths(beside: folder.database).database }

    /// What the loop does, for so long.
    func run(for duration: Duration) {
        let end = now + duration
        while let deadline = file.nextDeadline, deadline <= end {
            now = max(now, deadline)
            file.advance(to: now)
        }
        now = end
    }

    func append(_ value: Int64?, to source: ReadingSource = HistoryLife.source(1)) {
        file.append(Reading(source: source, value: value, at: now))
    }

    /// Reads, and lets time pass, over and over.
    func record(_ count: Int, every pause: Duration = .seconds(10)) {
        for index in 0..<count {
            append(Int64(index))
            run(for: pause)
        }
    }

    func points(
        of source: ReadingSource = HistoryLife.source(1), width: Int64 = 0
    ) throws -> [HistoryPoint] {
        let end: Int64 = width == 0 ? 1 << 50 : (offset ?? 0) + 4000 * width
        var scan = HistoryScan(source, in: (width == 0 ? 0 : offset ?? 0)..<end, width: width)
        while !scan.isDone { try file.advance(&scan) }
        return scan.points
    }

    static func source(_ number: UInt64) -> ReadingSource {
        ReadingSource(
            historyID: NodeID(number), endpoint: EndpointID(1), cluster: ClusterID(0x402),
            attribute: AttributeID(0))
    }
}

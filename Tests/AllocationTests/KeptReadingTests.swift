import Base
import CAllocationCounter
import Gateway
import Matter
import MatterNode
import Testing

/// What a report costs that keeping a device read takes: its values become readings where they
/// stand, and limits look at them.
@Suite("Heap allocations of kept readings")
struct KeptReadingTests {
    /// A temperature of 21.50 °C at 2/temperature-measurement/measured-value.
    private static let report = """
        15 2600 01000000 3601 15 3501 2600 05000000 3701 2402 02 2503 0204 2404 00 18
        2102 6608 18 18 18 24ff 0c 18
        """

    private struct Kept {
        var watch = NodeWatch(pollInterval: .seconds(60), start: Instant(nanoseconds: 0))
        var alert = AlertWatch(
            AlertRule(
                id: 1, historyID: NodeID(1),
                condition: .value(word: "temperature", isAbove: true, limit: 9000),
                duration: .seconds(600)))
        var readings: [Reading] = []

        /// - Returns: the allocations.
        mutating func take(_ payload: [UInt8], at now: Instant) throws -> UInt64 {
            let before = allocation_count()
            watch.receive(at: now)
            var reader = try ReportDataReader(payload.span)
            while let attribute = try reader.next() {
                let path = attribute.path
                guard case .data(let octets) = attribute.value,
                    let kept = KeptAttribute.of(path.cluster, path.attribute)
                else { continue }
                let source = ReadingSource(
                    historyID: NodeID(1), endpoint: path.endpoint, cluster: path.cluster,
                    attribute: path.attribute)
                let reading = Reading(source: source, value: kept.value(octets), at: now)
                alert.receive(reading)
                if let index = readings.firstIndex(where: { $0.source == source }) {
                    readings[index] = reading
                } else {
                    readings.append(reading)
                }
            }
            return allocation_count() - before
        }
    }

    /// Counted in optimised code; without optimisation generics and spans cost some.
    @Test("a report's values become readings, and limits look at them, without allocating")
    func report() throws {
        let payload = try #require(Hex.decode(Self.report))
        var kept = Kept()
        var counts: [UInt64] = []
        counts.reserveCapacity(100)
        for second in 1...100 {
            counts.append(
                try kept.take(payload, at: Instant(nanoseconds: Int64(second) * 1_000_000_000)))
        }
        #expect(kept.readings.map(\.value) == [2150])
        #if !DEBUG
            let warm = counts.suffix(50).max()
            #expect(warm == 0)
        #endif
    }
}

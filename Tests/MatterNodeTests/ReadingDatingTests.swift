import Base
import MatterNode
import Testing

@Suite("ReadingDating")
struct ReadingDatingTests {
    private func instant(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    @Test("without a plausible clock nothing has a date; once it is, everything before has too")
    func known() {
        var dating = ReadingDating()
        #expect(dating.observe(unixMilliseconds: nil, at: instant(1000)) == .none)
        #expect(dating.date(instant(500)) == nil)
        #expect(dating.observe(unixMilliseconds: 1_700_000_000_000, at: instant(2000)) == .known)
        #expect(dating.date(instant(500)) == 1_699_999_998_500)
        // A clock that stops being plausible takes nothing back.
        #expect(dating.observe(unixMilliseconds: nil, at: instant(3000)) == .none)
        #expect(dating.date(instant(3000)) == 1_700_000_001_000)
    }

    @Test("a clock read in seconds has not jumped; one that is set has, and dates all anew")
    func jumps() {
        var dating = ReadingDating(offset: 1_700_000_000_000)
        for millisecond in stride(from: 0, to: 10_000, by: 137) as StrideTo<Int64> {
            let seconds = (1_700_000_000_000 + millisecond) / 1000 * 1000
            #expect(
                dating.observe(unixMilliseconds: seconds, at: instant(millisecond)) == .none)
        }
        let change = dating.observe(unixMilliseconds: 1_700_003_610_000, at: instant(10_000))
        #expect(change == .jumped(by: 3_600_000))
        #expect(dating.date(instant(0)) == 1_700_003_600_000)
        let dates = (0..<50).map { dating.date(instant($0 * 7)) ?? 0 }
        #expect(dates == dates.sorted())
    }

    @Test("instants round down, before the clock's zero as well")
    func rounding() {
        #expect(ReadingDating.milliseconds(Instant(nanoseconds: 1_999_999)) == 1)
        #expect(ReadingDating.milliseconds(Instant(nanoseconds: -1)) == -1)
        #expect(ReadingDating.milliseconds(Instant(nanoseconds: -1_000_000)) == -1)
    }
}

import Base
import Gateway
import Testing

@Suite("LampPattern")
struct LampPatternTests {
    private static func at(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    /// What the lamp does from one instant on: lengths of on, off, on, ... in milliseconds.
    private static func course(
        _ lamp: inout LampPattern, from start: Int = 0, phases: Int
    ) -> [Int] {
        var course: [Int] = []
        var began = at(start)
        var isOn = lamp.isOn
        for _ in 0..<200 where course.count < phases {
            guard let end = lamp.nextDeadline else { break }
            lamp.advance(to: Instant(nanoseconds: end.nanoseconds - 1))
            #expect(lamp.isOn == isOn, "a lamp changes at its deadline alone")
            lamp.advance(to: end)
            guard lamp.isOn != isOn else { continue }
            course.append(Int((end - began).milliseconds))
            began = end
            isOn = lamp.isOn
        }
        return course
    }

    private static func conditions(
        _ set: (inout LampPattern.Conditions) -> Void
    ) -> LampPattern.Conditions {
        var conditions = LampPattern.Conditions()
        set(&conditions)
        return conditions
    }

    @Test(
        "each state has its pattern",
        arguments: [
            (conditions { _ in }, [50, 4950, 50, 4950]),
            (conditions { $0.isWindowOpen = true }, [1000, 1000, 1000, 1000]),
            (conditions { $0.work = .searching }, [100, 150, 100, 650]),
            (conditions { $0.work = .commissioning }, [125, 125, 125, 125]),
            (conditions { $0.isNodeOffline = true }, [1000, 9000, 1000, 9000]),
            (conditions { $0.isResetArmed = true }, [50, 50, 50, 50]),
        ])
    func patterns(conditions: LampPattern.Conditions, expected: [Int]) {
        var lamp = LampPattern(at: Self.at(0))
        lamp.show(conditions, at: Self.at(0))
        #expect(lamp.isOn)
        #expect(Self.course(&lamp, phases: 4) == expected)
    }

    @Test("a buzzer sounds each result once, and nothing else")
    func buzzer() {
        var buzzer = LampPattern(.sounds, at: Self.at(0))
        buzzer.show(Self.conditions { $0.isWindowOpen = true }, at: Self.at(0))
        #expect(buzzer.nextDeadline == nil)
        buzzer.succeed(at: Self.at(0))
        #expect(Self.course(&buzzer, phases: 1) == [600])
        buzzer.advance(to: Self.at(2000))
        buzzer.fail(.passcode, at: Self.at(2000))
        #expect(Self.course(&buzzer, from: 2000, phases: 5) == [250, 250, 250, 250, 250])
        buzzer.advance(to: Self.at(10_000))
        #expect(!buzzer.isOn)
        #expect(buzzer.nextDeadline == nil)
    }

    @Test("success is solid for 3 s, and each device's is seen apart")
    func success() {
        var lamp = LampPattern(at: Self.at(0))
        lamp.show(Self.conditions { $0.isWindowOpen = true }, at: Self.at(0))
        lamp.succeed(at: Self.at(0))
        lamp.succeed(at: Self.at(100))
        #expect(Self.course(&lamp, phases: 6) == [3000, 500, 3000, 500, 1000, 1000])
    }

    @Test(
        "a failure flashes as often as its number says, until the next input",
        arguments: LampPattern.FailureCode.allCases)
    func failure(code: LampPattern.FailureCode) {
        var lamp = LampPattern(at: Self.at(0))
        lamp.fail(code, at: Self.at(0))
        let cycle =
            Array(repeatElement([250, 250], count: code.rawValue - 1).joined()) + [250, 1500]
        #expect(Self.course(&lamp, phases: 4 * code.rawValue) == cycle + cycle)
        let now = lamp.nextDeadline ?? .distantFuture
        lamp.receiveInput(at: now)
        #expect(lamp.nextDeadline == now + .milliseconds(50))
    }

    @Test("the next device's run shows after one cycle of the failure, which then comes back")
    func failureThenWork() {
        var lamp = LampPattern(at: Self.at(0))
        lamp.fail(.code, at: Self.at(0))
        lamp.show(Self.conditions { $0.work = .commissioning }, at: Self.at(10))
        #expect(Self.course(&lamp, phases: 4) == [250, 1500, 125, 125])
        let now = lamp.nextDeadline ?? .distantFuture
        lamp.advance(to: now)
        lamp.show(Self.conditions { $0.isWindowOpen = true }, at: now)
        lamp.succeed(at: now)
        #expect(lamp.nextDeadline == now + .milliseconds(3000))
        lamp.advance(to: now + .milliseconds(3500))
        #expect(lamp.nextDeadline == now + .milliseconds(3750))
    }

    @Test("what is most urgent wins")
    func priorities() {
        var all = Self.conditions { conditions in
            conditions.isResetArmed = true
            conditions.work = .searching
            conditions.isFaulty = true
            conditions.isWindowOpen = true
            conditions.isNodeOffline = true
        }
        var lamp = LampPattern(at: Self.at(0))
        func first() -> Int {
            var copy = lamp
            copy.show(all, at: Self.at(0))
            return Self.course(&copy, phases: 1)[0]
        }
        #expect(first() == 50)
        all.isResetArmed = false
        #expect(first() == 100)
        all.work = nil
        #expect(first() == 250)
        all.isFaulty = false
        #expect(first() == 1000)
        lamp.show(all, at: Self.at(0))
        #expect(Self.course(&lamp, phases: 2) == [1000, 1000])
        all.isWindowOpen = false
        lamp = LampPattern(at: Self.at(0))
        lamp.show(all, at: Self.at(0))
        #expect(Self.course(&lamp, phases: 2) == [1000, 9000])
    }

    @Test("with two lamps, one shows work and the other faults")
    func twoLamps() {
        var work = LampPattern(.work, at: Self.at(0))
        var faults = LampPattern(.faults, at: Self.at(0))
        #expect(work.isOn && !faults.isOn && faults.nextDeadline == nil)
        work.fail(.passcode, at: Self.at(0))
        faults.fail(.passcode, at: Self.at(0))
        #expect(Self.course(&work, phases: 2) == [50, 4950])
        #expect(Self.course(&faults, phases: 6) == [250, 250, 250, 250, 250, 1500])
        faults.receiveInput(at: Self.at(60_000))
        faults.succeed(at: Self.at(60_000))
        #expect(!faults.isOn && faults.nextDeadline == nil)
    }

    @Test("a condition that stays does not begin its pattern anew")
    func steady() {
        var lamp = LampPattern(at: Self.at(0))
        lamp.show(LampPattern.Conditions(), at: Self.at(20))
        #expect(lamp.nextDeadline == Self.at(50))
    }

    @Test("results that nobody takes are bounded")
    func bounded() {
        var lamp = LampPattern(at: Self.at(0))
        for _ in 0..<1000 { lamp.succeed(at: Self.at(0)) }
        lamp.advance(to: Self.at(3500 * (WindowLimits.lampResults + 1)))
        #expect(lamp.nextDeadline.map { $0 - Self.at(3500 * 33) } ?? .zero <= .seconds(5))
        lamp.show(Self.conditions { $0.isResetArmed = true }, at: Self.at(3500 * 34))
        lamp.show(Self.conditions { _ in }, at: Self.at(3500 * 34))
        #expect(lamp.nextDeadline == Self.at(3500 * 34 + 50))
    }
}

import Base
import Gateway
import MatterNode
import Testing

@Suite("NodeWatch")
struct NodeWatchTests {
    private static func at(_ seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(seconds * 1e9))
    }

    private static func watch() -> NodeWatch {
        NodeWatch(pollInterval: .seconds(60), start: at(0))
    }

    private static func isOffline(_ watch: NodeWatch) -> Bool {
        if case .offline = watch.link { true } else { false }
    }

    @Test("it is connected with at the start, and then its reports put off the checks")
    func reports() {
        var watch = Self.watch()
        #expect(watch.nextStep == .connect && watch.link == .unknown)
        watch.subscribed(at: Self.at(1))
        #expect(watch.link == .online(since: Self.at(1)) && watch.nextStep == .wait)
        #expect(watch.nextDeadline == Self.at(67))
        watch.receive(at: Self.at(50))
        watch.advance(to: Self.at(67))
        #expect(watch.nextStep == .wait && watch.nextDeadline == Self.at(116))
        watch.advance(to: Self.at(116))
        #expect(watch.nextStep == .check)
    }

    @Test("a new interval holds at once")
    func interval() {
        var watch = Self.watch()
        watch.subscribed(at: Self.at(1))
        watch.pollInterval = .seconds(10)
        #expect(watch.nextDeadline == Self.at(12))
        watch.isSleepy = true
        watch.receive(at: Self.at(2))
        watch.pollInterval = .seconds(20)
        #expect(watch.nextDeadline == .distantFuture)
    }

    @Test("one that sleeps is not asked, whatever it does not say")
    func sleepy() {
        var watch = Self.watch()
        watch.isSleepy = true
        watch.subscribed(at: Self.at(1))
        #expect(watch.nextDeadline == .distantFuture)
        watch.announced(at: Self.at(900))
        #expect(watch.nextDeadline == .distantFuture)
        watch.lost(at: Self.at(1000))
        #expect(watch.nextStep == .connect)
    }

    @Test("a lost subscription is made anew at once; only then the node counts as away")
    func lost() {
        var watch = Self.watch()
        watch.subscribed(at: Self.at(1))
        watch.lost(at: Self.at(80))
        #expect(watch.nextStep == .connect && watch.link == .online(since: Self.at(1)))
        watch.failed(.away, at: Self.at(90), random: 0x8000)
        #expect(watch.link == .offline(since: Self.at(90)))
        #expect(watch.nextStep == .wait && watch.nextDeadline == Self.at(95))
        watch.failed(.away, at: Self.at(105), random: 0x8000)
        #expect(watch.link == .offline(since: Self.at(90)))
        watch.subscribed(at: Self.at(120))
        #expect(watch.link == .online(since: Self.at(120)))
    }

    @Test("pauses double from 5 s to 300 s, three to five quarters of each, and begin anew")
    func backOff() {
        var watch = Self.watch()
        var pauses: [Double] = []
        for _ in 0..<9 {
            watch.failed(.away, at: Self.at(0), random: 0x8000)
            pauses.append(Double(watch.nextDeadline.nanoseconds) / 1e9)
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
        watch.failed(.away, at: Self.at(0), random: 0)
        #expect(watch.nextDeadline == Self.at(225))
        watch.failed(.away, at: Self.at(0), random: .max)
        #expect(watch.nextDeadline > Self.at(374) && watch.nextDeadline <= Self.at(375))
        watch.receive(at: Self.at(0))
        watch.failed(.away, at: Self.at(0), random: 0x8000)
        #expect(watch.nextDeadline == Self.at(5))
    }

    @Test("an announcement ends the pause of one that is away, and questions one that is silent")
    func announced() {
        var watch = Self.watch()
        for _ in 0..<9 { watch.failed(.away, at: Self.at(0), random: 0x8000) }
        watch.announced(at: Self.at(100))
        #expect(watch.nextDeadline == Self.at(102))
        watch.subscribed(at: Self.at(102))
        watch.announced(at: Self.at(110))
        #expect(watch.nextDeadline == Self.at(132))
        // It goes on in our session: nothing has happened.
        watch.receive(at: Self.at(120))
        #expect(watch.nextDeadline == Self.at(186))
        watch.announced(at: Self.at(160))
        #expect(watch.nextDeadline == Self.at(162))
    }

    @Test("announced after our own question was answered, a failed try is followed by another")
    func announcedMeanwhile() {
        for (second, pause) in [(1.0, 300.0), (8, 2)] {
            var watch = Self.watch()
            for _ in 0..<9 { watch.failed(.away, at: Self.at(0), random: 0x8000) }
            watch.begin(at: Self.at(300))
            watch.announced(at: Self.at(300 + second))
            watch.failed(.away, at: Self.at(310), random: 0x8000)
            #expect(watch.nextDeadline == Self.at(310 + pause))
        }
    }

    @Test("one that takes no subscription is asked at the interval, and again for one later")
    func noSubscription() {
        var watch = Self.watch()
        watch.failed(.noSubscription, at: Self.at(0), random: 0x8000)
        #expect(watch.link == .online(since: Self.at(0)) && !watch.isSubscribed)
        #expect(watch.nextStep == .check)
        watch.receive(at: Self.at(1))
        #expect(watch.nextDeadline == Self.at(61))
        for minute in 1...4 { watch.receive(at: Self.at(Double(minute) * 60 + 1)) }
        watch.advance(to: Self.at(300))
        #expect(watch.nextStep == .connect)
    }

    @Test("one that ends every subscription at once is not asked without end")
    func shortSubscriptions() {
        var watch = Self.watch()
        var pauses: [Int64] = []
        var now: Int64 = 0
        for _ in 1...5 {
            watch.subscribed(at: Self.at(Double(now)))
            watch.lost(at: Self.at(Double(now + 1)))
            pauses.append(watch.nextDeadline.nanoseconds / 1_000_000_000 - now - 1)
            now = watch.nextDeadline.nanoseconds / 1_000_000_000
        }
        #expect(pauses == [0, 5, 10, 20, 40])
        watch.subscribed(at: Self.at(1000))
        watch.lost(at: Self.at(1100))
        #expect(watch.nextStep == .connect)
    }

    @Test("a stranger's word once is a doubt, twice is that it has left")
    func stranger() {
        var watch = Self.watch()
        watch.failed(.stranger, at: Self.at(0), random: 0x8000)
        #expect(Self.isOffline(watch) && watch.nextDeadline == Self.at(5))
        watch.failed(.stranger, at: Self.at(5), random: 0x8000)
        #expect(watch.link == .left(since: Self.at(5)))
        #expect(watch.nextDeadline == Self.at(3605))
        // Silence in between is no word.
        var other = Self.watch()
        other.failed(.stranger, at: Self.at(0), random: 0)
        other.failed(.away, at: Self.at(9), random: 0)
        other.failed(.stranger, at: Self.at(20), random: 0)
        #expect(other.link == .offline(since: Self.at(0)))
    }

    @Test("what it says after it has left does not bring it back; a subscription does")
    func left() {
        var watch = Self.watch()
        watch.subscribed(at: Self.at(1))
        watch.leave(at: Self.at(10))
        watch.receive(at: Self.at(11))
        #expect(watch.link == .left(since: Self.at(10)) && !watch.isSubscribed)
        watch.lost(at: Self.at(12))
        #expect(watch.nextStep == .wait && watch.nextDeadline == Self.at(3610))
        watch.subscribed(at: Self.at(3610))
        #expect(watch.link == .online(since: Self.at(3610)))
    }
}

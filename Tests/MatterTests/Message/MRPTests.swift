import Base
import Matter
import Testing

@Suite("MRP")
struct MRPTests {
    @Test(
        "§4.12.2.1 the wait grows by 1.6 from the second retransmission on",
        arguments: [(0, 330.0), (1, 330.0), (2, 528.0), (3, 844.8), (4, 1351.68)])
    func backoff(retransmissions: Int, milliseconds: Double) {
        let wait = MRP.wait(
            interval: .milliseconds(300), retransmissions: retransmissions, random: 0)
        #expect(abs(Double(wait.nanoseconds) / 1e6 - milliseconds) < 0.001)
        let most = MRP.wait(
            interval: .milliseconds(300), retransmissions: retransmissions, random: 1)
        #expect(abs(Double(most.nanoseconds) / 1e6 - milliseconds * 1.25) < 0.001)
    }

    @Test("§4.12.8 five transmissions at the idle interval take some seven seconds")
    func longest() {
        let longest = MRP.longest(interval: .milliseconds(500))
        #expect(longest > .milliseconds(7000) && longest < .milliseconds(7100))
    }
}

@Suite("CounterWindow")
struct CounterWindowTests {
    @Test("§4.6.5 each counter is taken once, in any order within 32 of the highest")
    func window() {
        let sequence: [(counter: UInt32, isTaken: Bool)] = [
            (100, true), (100, false), (132, true), (100, false), (101, true), (101, false),
            (99, false), (133, true), (132, false), (131, true), (1000, true), (133, false),
            (968, true), (967, false), (.max, true), (.max, false), (0, false),
        ]
        var window = CounterWindow()
        for (index, step) in sequence.enumerated() {
            let isTaken = window.accept(step.counter)
            #expect(isTaken == step.isTaken, "step \(index), counter \(step.counter)")
        }
    }

    @Test("§4.6.1.1 counting starts in 1 ... 2^28 and ends for good")
    func counter() {
        var first = MessageCounter(random: 0)
        let counters = [first.take(), first.take()]
        #expect(counters == [1, 2])
        var last = MessageCounter(random: 0xFFFF_FFFF)
        let highest = last.take()
        #expect(highest == 0x1000_0000)
    }
}

import Base
import MatterNode
import Simulation
import Testing

@Suite("SimulatedNetwork")
struct SimulatedNetworkTests {
    /// What came of some hundred datagrams, sent one after another.
    private struct Course {
        var arrived: [[UInt8]] = []
        var times: [Duration] = []
        var counts = FaultCounts()
    }

    private static let size = 40

    private static func course(
        _ faults: FaultProfile, seed: UInt64 = 1, count: Int = 500, every gap: Duration = .zero
    ) -> Course {
        let sim = SimulatedLoop()
        let network = SimulatedNetwork(loop: sim.loop, seed: seed)
        network.faults = faults
        let sender = network.link(at: SocketAddress(.simulated(1), port: 1))
        let receiver = network.link(at: SocketAddress(.simulated(2), port: 2))
        var course = Course()
        receiver.onReadable = { [unowned receiver] in
            var buffer = [UInt8](repeating: 0, count: 2000)
            var span = buffer.mutableSpan
            guard let source = receiver.receive(into: &span) else { return }
            course.arrived.append(Array(buffer.prefix(source.count)))
            course.times.append(sim.now - Instant(nanoseconds: 0))
        }
        for number in 0..<count {
            sender.send(Self.datagram(number).span, to: receiver.address)
            sim.run(for: gap)
        }
        _ = sim.runUntilQuiet(within: .seconds(60))
        course.counts = network.counts
        return course
    }

    private static func datagram(_ number: Int) -> [UInt8] {
        [UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 0x55, count: size - 2)
    }

    private static func numbers(_ course: Course) -> [Int] {
        course.arrived.map { Int($0[0]) << 8 | Int($0[1]) }
    }

    @Test("drops and repetitions are counted")
    func drops() {
        let course = Self.course(FaultProfile(drop: 0.3, duplicate: 0.2))
        #expect((100...200).contains(course.counts.dropped))
        #expect((40...110).contains(course.counts.duplicated))
        let arrived = 500 - course.counts.dropped + course.counts.duplicated
        #expect(course.arrived.count == arrived)
    }

    @Test("a turned bit is one bit, anywhere in the datagram")
    func flips() {
        var faults = FaultProfile()
        faults.flip = 0.5
        let course = Self.course(faults)
        var places: Set<Int> = []
        var flipped = 0
        for (number, bytes) in course.arrived.enumerated() {
            let original = Self.datagram(number)
            let turned = zip(bytes, original).map { ($0 ^ $1).nonzeroBitCount }
            #expect(turned.reduce(0, +) <= 1)
            if let place = turned.firstIndex(of: 1) {
                places.insert(place)
                flipped += 1
            }
        }
        #expect(flipped == course.counts.flipped && flipped > 150)
        #expect(places.count > 30)
    }

    @Test("a burst loses everything in its direction for its time, and then no more")
    func bursts() {
        var faults = FaultProfile()
        faults.burst = 0.02
        faults.burstTime = .milliseconds(50)...(.milliseconds(50))
        let course = Self.course(faults, every: .milliseconds(10))
        let arrived = Set(Self.numbers(course))
        let lost = (0..<500).filter { !arrived.contains($0) }
        #expect(lost.count == course.counts.droppedInBurst && !lost.isEmpty)
        // Five in a row at least, for the burst begins with the datagram that drew it.
        var run = 0
        for number in 0..<500 {
            if arrived.contains(number) {
                #expect(run == 0 || run >= 5)
                run = 0
            } else {
                run += 1
            }
        }
    }

    @Test("a datagram that is held back arrives after later ones")
    func reorder() {
        var faults = FaultProfile()
        faults.reorder = 0.1
        let course = Self.course(faults, every: .milliseconds(10))
        let numbers = Self.numbers(course)
        #expect(numbers.count == 500 && numbers != numbers.sorted())
        let late = zip(numbers, numbers.dropFirst()).count { $0 > $1 }
        #expect(late > 20 && course.counts.reordered >= late)
    }

    @Test("a small MTU stops what is longer and nothing else")
    func mtu() {
        var faults = FaultProfile()
        faults.mtu = Self.size - 1
        #expect(Self.course(faults).arrived.isEmpty)
        #expect(Self.course(faults).counts.tooLong == 500)
        faults.mtu = Self.size
        #expect(Self.course(faults).arrived.count == 500)
    }

    @Test("one fault does not shift another: the same datagrams are dropped with and without")
    func independence() {
        let plain = Self.course(FaultProfile(drop: 0.2))
        var faults = FaultProfile(drop: 0.2)
        faults.reorder = 0.3
        let mixed = Self.course(faults)
        #expect(Self.numbers(plain) == Self.numbers(mixed).sorted())
    }

    @Test("who is cut off neither sends nor receives; who has moved is found at the new address")
    func partitionAndMove() {
        let sim = SimulatedLoop()
        let network = SimulatedNetwork(loop: sim.loop, seed: 1)
        let links = (1...3).map {
            network.link(at: SocketAddress(.simulated($0), port: 5540))
        }
        var heard: [Int] = []
        for (index, link) in links.enumerated() {
            link.onReadable = { [unowned link] in
                var buffer = [UInt8](repeating: 0, count: 100)
                var span = buffer.mutableSpan
                while link.receive(into: &span) != nil { heard.append(index) }
            }
        }
        func send(_ from: Int, _ to: SocketAddress) -> [Int] {
            heard = []
            let bytes: [UInt8] = [1]
            links[from].send(bytes.span, to: to)
            sim.run(for: .milliseconds(10))
            return heard
        }
        #expect(send(0, links[1].address) == [1])
        network.partitioned = [links[1].address.address]
        #expect(send(0, links[1].address).isEmpty)
        #expect(send(1, links[0].address).isEmpty)
        #expect(send(0, links[2].address) == [2])
        #expect(network.counts.partitioned == 2)
        network.partitioned = []
        let old = links[1].address
        network.move(links[1], to: SocketAddress(.simulated(9), port: 5540))
        #expect(send(0, old).isEmpty)
        #expect(send(0, SocketAddress(.simulated(9), port: 5540)) == [1])
        network.remove(links[1])
        #expect(send(0, SocketAddress(.simulated(9), port: 5540)).isEmpty)
    }
}

import Base
import Crypto
import Gateway
import Matter
import Testing

@Suite("CodeQueue")
struct CodeQueueTests {
    private static func payload(_ discriminator: UInt16) -> SetupPayload {
        SetupPayload(
            vendorID: nil, productID: nil, flow: .standard, discoveryCapabilities: .onNetwork,
            discriminator: .long(discriminator), passcode: Secret([37, 67, 52, 1].span))
    }

    private let one = payload(1)
    private let two = payload(2)

    @Test("devices come in order, with the labels that they were scanned after")
    func order() {
        var queue = CodeQueue()
        #expect(queue.add([one]) == .accepted(new: 1, waiting: 1))
        queue.label(room: "Hall")
        queue.label(name: "Lamp")
        #expect(queue.add([two, Self.payload(3)]) == .accepted(new: 2, waiting: 3))
        queue.label(name: "Plug")
        _ = queue.add([Self.payload(4)])
        queue.forgetLabels()
        _ = queue.add([Self.payload(5)])
        var entries: [CodeQueue.Entry] = []
        while let entry = queue.next() { entries.append(entry) }
        #expect(entries.map(\.name) == ["", "Lamp", "Lamp 2", "Plug", ""])
        #expect(entries.map(\.room) == ["", "Hall", "Hall", "Hall", ""])
    }

    @Test("the same payload twice in a row is reported; after a failed run it is taken again")
    func repeated() {
        var queue = CodeQueue()
        _ = queue.add([one])
        #expect(queue.add([one]) == .repeated)
        _ = queue.next()
        #expect(queue.add([one]) == .repeated)
        queue.runFailed(one)
        #expect(queue.add([one]) == .accepted(new: 1, waiting: 1))
        #expect(queue.add([two]) == .accepted(new: 1, waiting: 2))
        // Not in a row, but it waits still.
        #expect(queue.add([one]) == .repeated)
        #expect(queue.removeAll() == 2)
        #expect(queue.add([two]) == .accepted(new: 1, waiting: 1))
    }

    @Test("of a code with several devices those are taken that are new")
    func several() {
        var queue = CodeQueue()
        _ = queue.add([one, two])
        _ = queue.next()
        _ = queue.next()
        #expect(queue.add([one, two]) == .repeated)
        queue.runFailed(two)
        #expect(queue.add([one, two]) == .accepted(new: 1, waiting: 1))
        #expect(queue.next()?.payload == two)
    }

    @Test("a full queue takes all of a code or nothing")
    func full() {
        var queue = CodeQueue()
        for number in 0..<(WindowLimits.waitingDevices - 1) {
            _ = queue.add([Self.payload(UInt16(number))])
        }
        #expect(queue.add([Self.payload(3000), Self.payload(3001)]) == .full)
        #expect(
            queue.add([Self.payload(3000)])
                == .accepted(new: 1, waiting: WindowLimits.waitingDevices))
        #expect(queue.add([Self.payload(3001)]) == .full)
    }

    @Test("a name too long for a number stays as it is")
    func longName() {
        var queue = CodeQueue()
        let name = String(repeating: "x", count: 63)
        queue.label(name: name)
        _ = queue.add([one])
        _ = queue.add([two])
        #expect(queue.next()?.name == name && queue.next()?.name == name)
    }
}

import Base
import Glibc
import MatterNode
import Testing

@testable import LinuxIO

@Suite("ATTSocket")
struct ATTSocketTests {
    private let poll = PollLoop()

    private func pair() -> (ATTSocket, ATTSocket) {
        let pair = packetPair()
        return (ATTSocket(owning: pair.near, on: poll), ATTSocket(owning: pair.far, on: poll))
    }

    private func send(_ bytes: [UInt8], by socket: ATTSocket) -> Bool {
        socket.send(bytes.span)
    }

    private func receive(_ socket: ATTSocket, count: Int = 247) -> (ATTInput, [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let input = socket.receive(into: &span)
        guard case .packet(let count) = input else { return (input, []) }
        return (input, Array(bytes[..<count]))
    }

    @Test("packets arrive whole and in order, whatever their lengths")
    func packets() {
        let (left, right) = pair()
        let packets: [[UInt8]] = [[2, 247, 0], [0x1E], .init(repeating: 7, count: 247)]
        for packet in packets { #expect(send(packet, by: left)) }
        for packet in packets { #expect(receive(right).1 == packet) }
        #expect(receive(right).0 == .nothing)
        let read = Flag()
        right.onReadable = { [unowned right] in read.isSet = self.receive(right).1 == [9] }
        #expect(send([9], by: left))
        poll.run { read.isSet }
    }

    @Test("who finds no room is called once there is some")
    func full() {
        let (left, right) = pair()
        var sent = 0
        while send([UInt8](repeating: UInt8(sent % 251), count: 200), by: left) { sent += 1 }
        let calls = Flag()
        left.onWritable = {
            #expect(!calls.isSet)
            calls.isSet = true
        }
        for index in 0..<sent { #expect(receive(right).1.first == UInt8(index % 251)) }
        poll.run { calls.isSet }
        #expect(send([1], by: left))
        #expect(receive(right).1 == [1])
        // Nothing is watched any more: the next event is a timer's.
        let timer = Flag()
        _ = poll.loop.schedule(at: poll.loop.now + .milliseconds(5)) { timer.isSet = true }
        poll.run { timer.isSet }
    }

    @Test("the end is told after the packets before it, and stays")
    func end() {
        let (left, right) = pair()
        #expect(send([1], by: left))
        left.close()
        #expect(receive(left).0 == .closed && send([2], by: left))
        let inputs = Inputs()
        right.onReadable = { [unowned right] in inputs.all.append(self.receive(right).0) }
        poll.run { inputs.all.count == 2 }
        #expect(inputs.all == [.packet(1), .closed])
        #expect(receive(right).0 == .closed)
    }

    @Test("who waits for room at a link that goes is called, too")
    func fullAndGone() {
        let (left, right) = pair()
        while send([UInt8](repeating: 1, count: 200), by: left) {}
        let called = Flag()
        left.onWritable = { called.isSet = true }
        right.close()
        poll.run { called.isSet }
        #expect(send([1], by: left))
        #expect(receive(left).0 == .closed)
    }

    @Test("a packet longer than what was agreed on ends the link")
    func tooLong() {
        let (left, right) = pair()
        #expect(send([UInt8](repeating: 1, count: 24), by: left))
        #expect(receive(right, count: 23).0 == .closed)
        #expect(receive(left).0 == .closed)
    }

    private final class Inputs: @unchecked Sendable {
        var all: [ATTInput] = []
    }
}

import Base
import Glibc
import Matter
import MatterNode
import Testing

@testable import LinuxIO

@Suite("KernelRadio: looking and connecting")
struct KernelRadioAirTests {
    private let test = TestRadio()

    init() throws { try test.prepare() }

    @Test("commissionable devices are heard while the radio looks, and nobody else")
    func hears() throws {
        test.kernel.device()
        try test.start()
        #expect(test.kernel.commands.last == 0x3A)
        // Classic, not connectable, of another service, another adapter's.
        test.kernel.device(kind: "00")
        test.kernel.device(flags: "04")
        test.kernel.say("12000000 1100 060504030201 02 c4 00000000 0300 020106")
        test.kernel.say("12000100 1100 060504030201 02 c4 00000000 0300 020106")
        test.kernel.device()
        test.kernel.device("010203040506", kind: "01")
        test.poll.run { test.heard.count == 2 }
        let random = test.heard[0]
        #expect(random.address == TestRadio.peer && random.signalStrength == -60)
        #expect(random.advertisement.discriminator == 0xF00)
        let other = FixedBytes<6>(copying: ([6, 5, 4, 3, 2, 1] as [UInt8]).span)
        #expect(test.heard[1].address == BluetoothAddress(other, .publicAddress))
        try test.stop()
        test.kernel.device()
        test.kernel.say("040007000000")
        test.poll.run { test.changes == 1 }
        #expect(test.heard.count == 2)
    }

    @Test("looking goes on when the kernel ends it, until it is stopped")
    func endless() throws {
        try test.start()
        for _ in 0..<3 {
            let count = test.kernel.commands.count
            test.kernel.discovering(false)
            test.poll.run { test.kernel.commands.count == count + 1 }
            #expect(test.kernel.commands.last == 0x3A)
        }
        try test.start()
        #expect(test.kernel.commands.last == 0x3A)
        try test.stop()
        #expect(test.kernel.commands.last == 0x24)
        try test.stop()
        #expect(test.kernel.commands.filter { $0 == 0x24 }.count == 1)
        #expect(test.changes == 0)
    }

    @Test("a kernel without service discovery looks as it can")
    func fallBack() throws {
        test.kernel.refusals[0x3A] = 0x01
        try test.start()
        #expect(test.kernel.commands.suffix(2) == [0x3A, 0x23])
    }

    @Test("where another program looks, the radio is in use, and looks again after it")
    func otherProgram() throws {
        test.kernel.discovering(true)
        test.kernel.refusals[0x3A] = 0x0A
        #expect(throws: BluetoothError.inUse) { try test.start() }
        #expect(throws: BluetoothError.inUse) { _ = try test.connect() }
        test.kernel.refusals = [:]
        test.kernel.discovering(false)
        try test.start()
        // The other is quicker than us.
        test.kernel.refusals[0x3A] = 0x0A
        test.kernel.discovering(false)
        test.poll.run { test.changes == 1 }
        test.kernel.discovering(true)
        test.kernel.refusals = [:]
        let count = test.kernel.commands.count
        test.kernel.discovering(false)
        test.poll.run { test.kernel.commands.count == count + 1 }
        test.kernel.device()
        test.poll.run { test.heard.count == 1 }
    }

    @Test("stopping lasts until the adapter has confirmed it")
    func stopping() throws {
        try test.start()
        test.kernel.confirmsEnd = false
        let kernel = test.kernel
        let poll = test.poll
        let radio = test.radio
        var confirmed = false
        let stopped = Flag()
        poll.loop.spawn {
            await radio.stopDiscovery()
            stopped.isSet = true
        }
        poll.run { kernel.commands.last == 0x24 }
        _ = poll.loop.schedule(at: poll.loop.now + .milliseconds(20)) {
            confirmed = true
            kernel.discovering(false)
        }
        poll.run {
            #expect(!stopped.isSet || confirmed)
            return stopped.isSet
        }
    }

    @Test("a device is connected after looking has ended, with parameters for commissioning")
    func connects() throws {
        try test.start()
        let pair = packetPair()
        let kernel = test.kernel
        test.connecting = { peer, adapter in
            #expect(kernel.commands.suffix(2) == [0x24, 0x35])
            #expect(peer == TestRadio.peer && adapter[0] == 6 && adapter[5] == 0)
            return pair.near
        }
        let bearer = try test.connect()
        #expect(send(bearer, [2, 247, 0]))
        var buffer = [UInt8](repeating: 0, count: 8)
        let count = unsafe recv(pair.far, &buffer, 8, 0)
        #expect(count == 3 && buffer[..<3] == [2, 247, 0])
        bearer.close()
        close(pair.far)
    }

    @Test("a kernel that has no parameters to set connects with its own")
    func withoutParameters() throws {
        test.kernel.refusals[0x35] = 0x0D
        _ = try test.connect()
        test.kernel.refusals[0x35] = 0x14
        #expect(throws: BluetoothError.notPermitted) { _ = try test.connect() }
    }

    @Test("a device that does not answer is given up in time")
    func timesOut() {
        let pair = packetPair()
        fill(pair.near)
        test.connecting = { _, _ in pair.near }
        #expect(throws: BluetoothError.timedOut) {
            _ = try test.connect(within: .milliseconds(20))
        }
        #expect(isClosed(pair.far))
        close(pair.far)
    }

    @Test("a connection that fails says why")
    func refused() {
        test.connecting = { _, _ in refusedConnection() }
        #expect(throws: BluetoothError.connectionFailed(reason: 0x0D)) {
            _ = try test.connect()
        }
        test.connecting = { _, _ in
            let pair = packetPair()
            close(pair.far)
            return pair.near
        }
        #expect(throws: BluetoothError.connectionFailed(reason: nil)) {
            _ = try test.connect()
        }
        #expect(
            BluetoothError(connecting: Errno(ENOSYS)) == .connectionFailed(reason: 0x3E))
        #expect(
            BluetoothError(connecting: Errno(ECONNABORTED)) == .connectionFailed(reason: 0x16))
        #expect(BluetoothError(beginning: Errno(EBUSY)) == .inUse)
        #expect(BluetoothError(beginning: Errno(EHOSTUNREACH)) == .noAdapter)
    }

    @Test("a flow that is cancelled calls its connection off")
    func cancelled() {
        let pair = packetPair()
        fill(pair.near)
        let (radio, poll) = (test.radio, test.poll)
        let begun = Flag()
        test.connecting = { _, _ in
            begun.isSet = true
            return pair.near
        }
        let ended = Flag()
        let flow = poll.loop.spawn {
            do throws(BluetoothError) {
                _ = try await radio.connect(to: TestRadio.peer, within: .seconds(60))
            } catch {
                ended.isSet = error == .cancelled
            }
        }
        poll.run { begun.isSet }
        flow.cancel()
        poll.run { ended.isSet }
        #expect(isClosed(pair.far))
        close(pair.far)
    }
}

/// Set by a flow, read by its test, on one thread.
final class Flag: @unchecked Sendable {
    var isSet = false
}

private func send(_ bearer: any ATTBearer, _ bytes: [UInt8]) -> Bool { bearer.send(bytes.span) }

/// Leaves no room for sending.
func fill(_ descriptor: Int32) {
    let packet = [UInt8](repeating: 1, count: 100)
    while unsafe Glibc.send(descriptor, packet, packet.count, 0) > 0 {}
}

/// What was sent before comes first.
func isClosed(_ far: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 128)
    while true {
        let count = unsafe recv(far, &buffer, buffer.count, 0)
        if count <= 0 { return count == 0 }
    }
}

/// A connection under way to a port where nobody listens.
private func refusedConnection() -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connecting = socket(AF_INET, type, 0)
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            // Bound and not listening: the port is refused, and no other program has it.
            _ = unsafe bind(listener, generic, size)
            _ = unsafe getsockname(listener, generic, &size)
            _ = unsafe connect(connecting, generic, size)
        }
    }
    close(listener)
    return connecting
}

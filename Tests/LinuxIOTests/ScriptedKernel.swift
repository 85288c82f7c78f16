import Base
import Glibc
import MatterNode

@testable import LinuxIO

/// Both ends of a local socket that keeps the bounds of packets; neither blocks.
func packetPair() -> (near: Int32, far: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let result = unsafe socketpair(AF_UNIX, type, 0, &ends)
    precondition(result == 0, "a local socket pair can be made")
    return (ends[0], ends[1])
}

/// Plays the kernel at the other end of a management socket: two adapters at most, and whatever
/// goes wrong with them.
final class ScriptedKernel: @unchecked Sendable {
    struct Adapter {
        var isPowered = false
        var hasLowEnergy = true
        var isLowEnergyOn = false
        var isDiscovering = false
    }

    var adapters: [UInt16: Adapter]
    /// Opcodes that are refused, with the status.
    var refusals: [UInt16: UInt8] = [:]
    /// Opcodes without an answer.
    var silent: Set<UInt16> = []
    /// Messages said before the answer to an opcode.
    var before: [UInt16: [String]] = [:]
    /// Whether a discovery's end is told by an event.
    var confirmsEnd = true
    private(set) var commands: [UInt16] = []
    private(set) var adaptersAsked: [UInt16] = []

    private let poll: PollLoop
    private var descriptor: Int32 = -1

    init(on poll: PollLoop, adapters: [UInt16: Adapter] = [0: Adapter()]) {
        self.poll = poll
        self.adapters = adapters
    }

    deinit { hangUp() }

    /// What the radio opens.
    func open() -> Int32 {
        let pair = packetPair()
        descriptor = pair.far
        poll.watch(pair.far) { [unowned self] _ in self.receive() }
        return pair.near
    }

    func hangUp() {
        guard descriptor >= 0 else { return }
        poll.unwatch(descriptor)
        close(descriptor)
        descriptor = -1
    }

    func say(_ hex: String) {
        guard let octets = Hex.decode(hex) else { preconditionFailure("a test's own text") }
        say(octets)
    }

    func discovering(_ isOn: Bool, adapter: UInt16 = 0) {
        adapters[adapter]?.isDiscovering = isOn
        say(event(0x0013, adapter, [6, isOn ? 1 : 0]))
    }

    func pull(_ adapter: UInt16 = 0) {
        adapters[adapter] = nil
        say(event(0x0005, adapter, []))
    }

    func settings(_ adapter: UInt16 = 0, isPowered: Bool) {
        adapters[adapter]?.isPowered = isPowered
        say(event(0x0006, adapter, settings(adapter)))
    }

    /// A commissionable device with discriminator 3840 is heard.
    func device(_ address: String = "0605040302c1", kind: String = "02", flags: String = "00") {
        say("12000000 1d00 \(address) \(kind) c4 \(flags)000000 0f00" + Self.advertisement)
    }

    static let advertisement = "0201060b16f6ff00000ff1ff008000"

    // MARK: Parts

    private func say(_ octets: [UInt8]) {
        let count = unsafe send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL))
        precondition(count == octets.count, "a test's messages fit")
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 6 else { return hangUp() }
        let opcode = UInt16(buffer[0]) | UInt16(buffer[1]) << 8
        let adapter = UInt16(buffer[2]) | UInt16(buffer[3]) << 8
        commands.append(opcode)
        adaptersAsked.append(adapter)
        for message in before[opcode] ?? [] { say(message) }
        guard !silent.contains(opcode) else { return }
        if let status = refusals[opcode] {
            say(event(0x0002, adapter, octets(opcode) + [status]))
        } else {
            carryOut(opcode, adapter, Array(buffer[6..<count]))
        }
    }

    private func carryOut(_ opcode: UInt16, _ adapter: UInt16, _ parameters: [UInt8]) {
        switch opcode {
        case 0x0003:
            let present = adapters.keys.sorted(by: >)
            complete(opcode, adapter, octets(UInt16(present.count)) + present.flatMap(octets))
        case 0x0004:
            let lowEnergy: UInt8 = adapters[adapter]?.hasLowEnergy == true ? 2 : 0
            complete(
                opcode, adapter,
                [6, 5, 4, 3, 2, UInt8(adapter), 9, 0, 0] + [1, lowEnergy, 0, 0]
                    + settings(adapter) + [UInt8](repeating: 0, count: 263))
        case 0x0005:
            adapters[adapter]?.isPowered = parameters[0] == 1
            complete(opcode, adapter, settings(adapter))
        case 0x000D:
            adapters[adapter]?.isLowEnergyOn = parameters[0] == 1
            complete(opcode, adapter, settings(adapter))
        case 0x0023, 0x003A:
            complete(opcode, adapter, [6])
            discovering(true, adapter: adapter)
        case 0x0024:
            complete(opcode, adapter, [6])
            if confirmsEnd { discovering(false, adapter: adapter) }
        default: complete(opcode, adapter, [])
        }
    }

    private func complete(_ opcode: UInt16, _ adapter: UInt16, _ result: [UInt8]) {
        say(event(0x0001, adapter, octets(opcode) + [0] + result))
    }

    private func settings(_ index: UInt16) -> [UInt8] {
        let adapter = adapters[index] ?? Adapter()
        return [adapter.isPowered ? 1 : 0, adapter.isLowEnergyOn ? 2 : 0, 0, 0]
    }

    private func event(_ code: UInt16, _ adapter: UInt16, _ content: [UInt8]) -> [UInt8] {
        octets(code) + octets(adapter) + octets(UInt16(content.count)) + content
    }

    private func octets(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
    }
}

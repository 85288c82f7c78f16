import Base
import Glibc
import Matter
import MatterNode
import Testing

@testable import LinuxIO

/// A radio at a kernel that a test plays.
final class TestRadio: @unchecked Sendable {
    let poll = PollLoop()
    let kernel: ScriptedKernel
    let radio: KernelRadio
    private(set) var heard: [HeardDevice] = []
    private(set) var changes = 0
    /// What `connect` gets.
    var connecting: (BluetoothAddress, FixedBytes<6>) -> Int32 = { _, _ in packetPair().near }

    init(
        _ adapters: [UInt16: ScriptedKernel.Adapter] = [0: ScriptedKernel.Adapter()],
        chosen: UInt16? = nil, opening: Errno? = nil, isPresent: Bool = false,
        isBlocked: Bool = false,
        limits: RadioLimits = RadioLimits(leastDiscovery: .zero)
    ) {
        let kernel = ScriptedKernel(on: poll, adapters: adapters)
        self.kernel = kernel
        var system = RadioSystem()
        system.openManagement = { () throws(Errno) in
            if let opening { throw opening }
            return kernel.open()
        }
        system.isPresent = { _ in isPresent }
        system.isBlocked = { _ in isBlocked }
        let seam = Seam()
        system.connect = { (peer, adapter) throws(Errno) in
            guard let owner = seam.owner else { throw Errno(ECANCELED) }
            return owner.connecting(peer, adapter)
        }
        radio = KernelRadio(on: poll, adapter: chosen, limits: limits, system: system)
        seam.owner = self
        radio.onHeard = { [unowned self] in heard.append($0) }
        radio.onChange = { [unowned self] in changes += 1 }
    }

    private final class Seam: @unchecked Sendable {
        weak var owner: TestRadio?
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable (KernelRadio) async throws(BluetoothError) -> Value
    ) throws(BluetoothError) -> Value {
        let radio = radio
        return try poll.run { () async throws(BluetoothError) in try await body(radio) }
    }

    func prepare() throws(BluetoothError) {
        try run { radio throws(BluetoothError) in try await radio.prepare() }
    }

    func start() throws(BluetoothError) {
        try run { radio throws(BluetoothError) in try await radio.startDiscovery() }
    }

    func stop() throws(BluetoothError) {
        try run { radio throws(BluetoothError) in await radio.stopDiscovery() }
    }

    func connect(within time: Duration = .seconds(5)) throws(BluetoothError) -> any ATTBearer {
        try run { radio throws(BluetoothError) in
            try await radio.connect(to: TestRadio.peer, within: time)
        }
    }

    static let peer = BluetoothAddress(
        FixedBytes<6>(copying: ([0xC1, 2, 3, 4, 5, 6] as [UInt8]).span), .randomAddress)
}

extension RadioLimits {
    /// For a kernel that says nothing.
    static let brief = RadioLimits(
        answer: .milliseconds(20), controller: .milliseconds(20), power: .milliseconds(20),
        confirmation: .milliseconds(20), leastDiscovery: .zero)
}

@Suite("KernelRadio: the adapter")
struct KernelRadioTests {
    private typealias Adapter = ScriptedKernel.Adapter

    @Test("adapter 0 is one, and is switched on, Bluetooth LE first")
    func switchesOn() throws {
        let test = TestRadio()
        try test.prepare()
        #expect(test.kernel.commands == [0x03, 0x04, 0x0D, 0x05])
        #expect(test.kernel.adapters[0]?.isPowered == true)
        try test.prepare()
        #expect(test.kernel.commands.suffix(3) == [0x03, 0x04, 0x0D])
        #expect(test.changes == 0)
    }

    @Test("the first adapter that speaks Bluetooth LE is taken, or the one that was named")
    func choice() throws {
        let classic = Adapter(hasLowEnergy: false)
        let first = TestRadio([0: classic, 1: Adapter(), 2: Adapter()])
        try first.prepare()
        #expect(first.radio.adapter == 1)
        let named = TestRadio([0: Adapter(), 2: Adapter()], chosen: 2)
        try named.prepare()
        #expect(named.radio.adapter == 2)
        let classicNamed = TestRadio([0: classic, 1: Adapter()], chosen: 0)
        #expect(throws: BluetoothError.noLowEnergy) { try classicNamed.prepare() }
    }

    @Test("what keeps an adapter from being used has a name")
    func failures() {
        #expect(throws: BluetoothError.noAdapter) { try TestRadio([:]).prepare() }
        #expect(throws: BluetoothError.noAdapter) { try TestRadio(chosen: 1).prepare() }
        #expect(throws: BluetoothError.inUse) { try TestRadio([:], isPresent: true).prepare() }
        #expect(throws: BluetoothError.noKernelSupport) {
            try TestRadio(opening: Errno(EAFNOSUPPORT)).prepare()
        }
        #expect(throws: BluetoothError.notPermitted) {
            try TestRadio(opening: Errno(EPERM)).prepare()
        }
    }

    @Test(
        "a refusal has its reason",
        arguments: [
            (0x05, 0x12, BluetoothError.blocked), (0x05, 0x14, .notPermitted),
            (0x05, 0x03, .cannotPower), (0x05, 0x0A, .inUse), (0x05, 0x11, .noAdapter),
            (0x0D, 0x0C, .noLowEnergy), (0x0D, 0x14, .notPermitted), (0x04, 0x11, .noAdapter),
        ] as [(UInt16, UInt8, BluetoothError)])
    func refusals(opcode: UInt16, status: UInt8, error: BluetoothError) {
        let test = TestRadio()
        test.kernel.refusals[opcode] = status
        #expect(throws: error) { try test.prepare() }
    }

    @Test("an adapter that does not come up may be blocked without the kernel saying so")
    func blocked() {
        let test = TestRadio(isBlocked: true)
        test.kernel.refusals[0x05] = 0x03
        #expect(throws: BluetoothError.blocked) { try test.prepare() }
    }

    @Test("who may not use an adapter is told also when it is ready")
    func notPermitted() throws {
        let test = TestRadio()
        try test.prepare()
        test.kernel.refusals[0x0D] = 0x14
        #expect(throws: BluetoothError.notPermitted) { try test.prepare() }
    }

    @Test("silence has an end, and an answer that comes too late is nobody's")
    func silence() throws {
        let test = TestRadio(limits: .brief)
        test.kernel.silent = [0x03]
        #expect(throws: BluetoothError.timedOut) { try test.prepare() }
        test.kernel.silent = [0x05]
        #expect(throws: BluetoothError.cannotPower) { try test.prepare() }
        test.kernel.silent = []
        test.kernel.say("010000000700 0500 00 01020000")
        try test.prepare()
        #expect(test.kernel.adapters[0]?.isPowered == true)
    }

    @Test("answers to others, and of other adapters, are passed over")
    func otherAnswers() throws {
        let test = TestRadio()
        test.kernel.before[0x04] = [
            "010000000400 2400 00 06", "020005000300 0400 11", "990000000100 00", "0100",
        ]
        test.kernel.before[0x05] = ["020000000300 0d00 14"]
        try test.prepare()
    }

    @Test("an adapter that is pulled out ends what was asked of it, and is told")
    func pulled() throws {
        let test = TestRadio()
        test.kernel.silent = [0x05]
        test.kernel.before[0x05] = ["050000000000"]
        #expect(throws: BluetoothError.noAdapter) { try test.prepare() }
        #expect(test.changes == 1)
        #expect(throws: BluetoothError.noAdapter) { try test.start() }
        test.kernel.say("040000000000")
        test.poll.run { test.changes == 2 }
        test.kernel.silent = []
        test.kernel.before = [:]
        try test.prepare()
    }

    @Test("an adapter that is switched off by others is told; what we switch ourselves is not")
    func switchedOff() throws {
        let test = TestRadio()
        try test.prepare()
        test.kernel.settings(isPowered: false)
        test.poll.run { test.changes == 1 }
        #expect(throws: BluetoothError.cannotPower) { _ = try test.connect() }
        test.kernel.before[0x05] = ["060000000400 00020000", "060000000400 01020000"]
        try test.run { radio throws(BluetoothError) in try await radio.powerCycle() }
        #expect(test.kernel.commands.suffix(2) == [0x05, 0x05])
        #expect(test.kernel.adapters[0]?.isPowered == true)
        #expect(test.changes == 1)
    }

    @Test("a socket that fails is opened again")
    func reopened() throws {
        let test = TestRadio()
        try test.prepare()
        test.kernel.hangUp()
        test.poll.run { test.changes == 1 }
        #expect(throws: BluetoothError.noAdapter) { try test.start() }
        try test.prepare()
        try test.start()
    }
}

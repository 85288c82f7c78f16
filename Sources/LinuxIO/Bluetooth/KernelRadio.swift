internal import Base
internal import Glibc
internal import Matter
package import MatterNode

/// The board's Bluetooth LE radio, by the kernel's management socket.
///
/// What it is asked is done in turn, and each step has a limit of its own; a caller that is
/// cancelled waits for the step all the same, so that the adapter's state is always known. It
/// gets on with bluetoothd beside it, and without.
///
/// Scope: the adapter, looking and connecting. Not scope: trying again.
package final class KernelRadio: BluetoothRadio, @unchecked Sendable {
    package var onHeard: ((HeardDevice) -> Void)?
    package var onChange: (() -> Void)?

    let poll: PollLoop
    let limits: RadioLimits
    let system: RadioSystem
    /// The only one to use; nil for the first that speaks Bluetooth LE.
    private let chosen: UInt16?

    private var socket: ManagementSocket?
    /// What was asked for last.
    private var turn: LoopTask?

    // MARK: The adapter

    private(set) var adapter: UInt16?
    /// Least significant octet first.
    private(set) var address = FixedBytes<6>()
    private(set) var isPowered = false
    /// Changes of its power are our own doing.
    private var isSwitching = false

    // MARK: Looking

    /// The owner wants to hear devices.
    var isWanted = false
    /// The adapter looks, for us or for another program.
    var isDiscovering = false
    /// For us.
    var isOurs = false
    var startedAt: Instant?
    /// The event that has to confirm what was asked for last.
    var awaited: Bool?
    var discoveryWait: LoopWait<Void>?

    package static func open(on poll: PollLoop, adapter: UInt16?) -> KernelRadio {
        KernelRadio(on: poll, adapter: adapter)
    }

    init(
        on poll: PollLoop, adapter: UInt16?, limits: RadioLimits = RadioLimits(),
        system: RadioSystem = RadioSystem()
    ) {
        self.poll = poll
        self.limits = limits
        self.system = system
        chosen = adapter
    }

    package func prepare() async throws(BluetoothError) {
        try await inTurn { () throws(BluetoothError) in
            let info = try await self.choose()
            try await self.setUp(info)
        }
    }

    package func powerCycle() async throws(BluetoothError) {
        isWanted = false
        try await inTurn { () throws(BluetoothError) in
            self.isSwitching = true
            defer { self.isSwitching = false }
            try await self.setPower(false)
            try await self.setPower(true)
        }
    }

    // MARK: Steps

    /// One thing after the other, whoever asks.
    func inTurn(
        _ body: @escaping @Sendable () async throws(BluetoothError) -> Void
    ) async throws(BluetoothError) {
        let previous = turn
        let outcome = Outcome()
        let task = poll.loop.spawn {
            await previous?.value
            do throws(BluetoothError) { try await body() } catch { outcome.error = error }
        }
        turn = task
        await task.value
        if let error = outcome.error { throw error }
    }

    /// - Throws: what the kernel refused it with, too.
    @discardableResult
    func perform(
        _ command: ManagementCommand, within time: Duration
    ) async throws(BluetoothError) -> ManagementEvent {
        guard let socket, let adapter else { throw .noAdapter }
        let answer = try await socket.perform(command, adapter: adapter, within: time)
        if case .failed(_, let status) = answer { throw BluetoothError(status) }
        return answer
    }

    /// The socket is opened by the first who needs it, and again after it has failed.
    private func opened() throws(BluetoothError) -> ManagementSocket {
        if let socket { return socket }
        let raw: Int32
        do throws(Errno) { raw = try system.openManagement() } catch {
            throw BluetoothError(opening: error)
        }
        let socket = ManagementSocket(Descriptor(owning: raw), on: poll)
        socket.onEvent = { [weak self] event, adapter in self?.take(event, adapter) }
        socket.onEnd = { [weak self] in
            self?.socket = nil
            self?.lose()
        }
        self.socket = socket
        return socket
    }

    /// Finds the adapter to use.
    private func choose() async throws(BluetoothError) -> AdapterInfo {
        let socket = try opened()
        let list = try await socket.perform(
            .readIndexList, adapter: nil, within: limits.answer)
        guard case .indexList(let present) = list else { throw refusal(list) }
        let candidates = present.sorted().filter { chosen == nil || $0 == chosen }
        var failure = BluetoothError.noAdapter
        for index in candidates {
            let answer = try await socket.perform(
                .readInfo, adapter: index, within: limits.answer)
            guard case .info(let info) = answer else {
                failure = refusal(answer)
                continue
            }
            guard info.supported.contains(.lowEnergy) else {
                failure = .noLowEnergy
                continue
            }
            if adapter != index { forgetAdapter() }
            adapter = index
            address = info.address
            isPowered = info.current.contains(.powered)
            return info
        }
        forgetAdapter()
        // The kernel leaves out of its list what a program has taken for itself.
        if candidates.isEmpty, isElsewhere { throw .inUse }
        throw failure
    }

    private var isElsewhere: Bool {
        if let chosen { return system.isPresent(chosen) }
        return (0..<UInt16(Limits.bluetoothAdapters)).contains(where: system.isPresent)
    }

    private func refusal(_ answer: ManagementEvent) -> BluetoothError {
        guard case .failed(_, let status) = answer else { return .system(errno: EPROTO) }
        return BluetoothError(status)
    }

    private func setUp(_ info: AdapterInfo) async throws(BluetoothError) {
        isSwitching = true
        defer { isSwitching = false }
        // Those that speak classic Bluetooth too have it off until somebody asks for it. Asked in
        // any case: what came before is answered to everybody, this tells who may not.
        try await perform(.setLowEnergy(true), within: limits.controller)
        if !info.current.contains(.powered) { try await setPower(true) }
    }

    private func setPower(_ isOn: Bool) async throws(BluetoothError) {
        do throws(BluetoothError) {
            try await perform(.setPowered(isOn), within: limits.power)
            isPowered = isOn
        } catch {
            switch error {
            // Linux 6.12 does not say that the switch is the reason.
            case .system, .timedOut, .noLowEnergy:
                if let adapter, system.isBlocked(adapter) { throw .blocked }
                throw .cannotPower
            default: throw error
            }
        }
    }

    // MARK: Events

    private func take(_ event: ManagementEvent, _ index: UInt16?) {
        if event == .indexAdded {
            onChange?()
            return
        }
        guard let index, index == adapter else { return }
        switch event {
        case .indexRemoved: lose()
        case .settings(let settings):
            let wasPowered = isPowered
            isPowered = settings.contains(.powered)
            if wasPowered != isPowered, !isSwitching {
                if !isPowered { isWanted = false }
                onChange?()
            }
        case .discovering(let isDiscovering): discoveryChanged(isDiscovering)
        case .deviceFound(let device): hear(device)
        default: break
        }
    }

    private func lose() {
        forgetAdapter()
        onChange?()
    }

    private func forgetAdapter() {
        adapter = nil
        isPowered = false
        isWanted = false
        isDiscovering = false
        isOurs = false
        discoveryWait?.resume(returning: ())
    }
}

/// What a step of the radio ended with. Both sides are on the loop's thread.
private final class Outcome: @unchecked Sendable {
    var error: BluetoothError?
}

/// How long the kernel may take.
struct RadioLimits: Sendable {
    var answer = Limits.managementAnswer
    var controller = Limits.controllerAnswer
    var power = Limits.powerAnswer
    var confirmation = Limits.discoveryConfirmation
    var leastDiscovery = Limits.discoveryLeast
}

/// What the radio asks of the system; a test plays it.
struct RadioSystem: Sendable {
    /// A socket that does not block.
    var openManagement: @Sendable () throws(Errno) -> Int32 = {
        () throws(Errno) in try BluetoothSockets.openManagement()
    }
    /// A socket whose connection has begun, from the adapter with this address.
    var connect: @Sendable (BluetoothAddress, FixedBytes<6>) throws(Errno) -> Int32 = {
        (peer, adapter) throws(Errno) in try BluetoothSockets.connect(peer, from: adapter)
    }
    /// The kernel has an adapter of this number, whoever uses it.
    var isPresent: @Sendable (UInt16) -> Bool = { index in
        Files.exists("/sys/class/bluetooth/hci\(index)")
    }
    /// The adapter is switched off by rfkill.
    var isBlocked: @Sendable (UInt16) -> Bool = { index in
        let folder = "/sys/class/bluetooth/hci\(index)/rfkill"
        return (0..<Limits.rfkillNumbers).contains { number in
            KernelFile.text("\(folder)\(number)/soft") == "1"
                || KernelFile.text("\(folder)\(number)/hard") == "1"
        }
    }
}

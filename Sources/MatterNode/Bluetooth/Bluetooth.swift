package import Base
internal import Matter

/// Why no link with a device came about.
package enum BluetoothFailure: Error, Equatable {
    case radio(BluetoothError)
    /// There was a connection, and it was of no use.
    case link(BTPLinkLoss)
}

/// What the radio does of its own, that people should know of.
package enum BluetoothNotice: Equatable, Sendable {
    /// Connections failed this often in a row: the adapter was switched off and on.
    case powerCycled(failures: Int)
}

/// The radio, shared: devices are looked for while anyone listens, and connected one by one.
///
/// A radio that looks does not connect, and what a failed connection needs is mostly time: each
/// try begins with a fresh look for the device.
package actor Bluetooth {
    package nonisolated let loop: Loop
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private struct Heard {
        var device: HeardDevice
        var at: Instant
        /// When the listeners were last told.
        var toldAt: Instant
    }

    private let radio: any BluetoothRadio
    private var heard: [Heard] = []
    private var listeners: [Listener] = []
    private var isDiscovering = false
    /// Why the radio does not look although it should, if so.
    package private(set) var problem: BluetoothError?
    private var isTaken = false
    private var waits: [LoopWait<Void>] = []
    private var settling: LoopTask?
    private var isStale = false
    private var retry: TimerID?
    private var backOff = Bluetooth.firstBackOff

    /// Devices that are remembered: a building's worth of those that wait at one time.
    private static let heardBound = 64
    /// They advertise several times a second; what was silent for this long is gone.
    private static let heardAge = Duration.seconds(30)
    /// A device that goes on saying the same is told of this often.
    private static let tellingInterval = Duration.seconds(1)
    /// Between tries to look: an adapter that is plugged in, or a program that lets go of it.
    private static let firstBackOff = Duration.seconds(1)
    private static let longestBackOff = Duration.seconds(16)
    /// For a connection: several advertisements of a device that sends one a second.
    private static let timeToConnect = Duration.seconds(10)
    /// For the service to be found and BTP's handshake, whose own limit is 15 seconds.
    private static let timeToOpen = Duration.seconds(40)
    private static let connectTries = 5
    /// The next time that it fails the adapter itself is suspected.
    private static let failuresToPowerCycle = 3
    private static let timeToHear = Duration.seconds(10)

    package init(_ radio: any BluetoothRadio, on loop: Loop) {
        self.radio = radio
        self.loop = loop
    }

    /// Begins to take what the radio tells.
    package func start() {
        radio.onHeard = { [weak self] device in
            self?.assumeIsolated { bluetooth in bluetooth.hear(device) }
        }
        radio.onChange = { [weak self] in
            self?.assumeIsolated { bluetooth in bluetooth.change() }
        }
    }

    /// Makes the adapter ready, and says what is wrong with it.
    /// - Returns: nil when all is well.
    package func check() async -> BluetoothError? {
        // Whoever has the radio now finds out.
        guard !isTaken else { return problem }
        isTaken = true
        defer { release() }
        do throws(BluetoothError) { try await radio.prepare() } catch { return error }
        return problem
    }

    // MARK: Looking

    /// One flow's interest in devices.
    package final class Listener: @unchecked Sendable {
        fileprivate let found: LoopQueue<HeardDevice>

        fileprivate init(on loop: Loop) {
            found = LoopQueue(on: loop, bound: Bluetooth.heardBound)
        }

        /// The next device that was heard, again about once a second, or nil at the deadline.
        package func next(
            until deadline: Instant
        ) async throws(CancellationError) -> HeardDevice? {
            try await found.next(until: deadline)
        }
    }

    /// Begins to look; what is known already is told at once.
    package func listen() -> Listener { listen(repeating: true) }

    private func listen(repeating: Bool) -> Listener {
        let listener = Listener(on: loop)
        forgetOld()
        if repeating { for known in heard { listener.found.push(known.device) } }
        listeners.append(listener)
        settle()
        return listener
    }

    /// The radio goes on looking while anyone else listens.
    package func stop(_ listener: Listener) {
        listeners.removeAll { $0 === listener }
        settle()
    }

    package var listenerCount: Int { listeners.count }
    /// Those that were heard a moment ago.
    package var devices: [HeardDevice] {
        forgetOld()
        return heard.map(\.device)
    }

    private func hear(_ device: HeardDevice) {
        let now = loop.now
        if let index = heard.firstIndex(where: { $0.device.address == device.address }) {
            let isNew = heard[index].device.advertisement != device.advertisement
            heard[index].device = device
            heard[index].at = now
            guard isNew || now - heard[index].toldAt >= Self.tellingInterval else { return }
            heard[index].toldAt = now
        } else {
            forgetOld()
            if heard.count >= Self.heardBound { heard.removeFirst() }
            heard.append(Heard(device: device, at: now, toldAt: now))
        }
        for listener in listeners { listener.found.push(device) }
    }

    private func forgetOld() {
        let now = loop.now
        heard.removeAll { now - $0.at > Self.heardAge }
    }

    private func change() {
        isDiscovering = false
        backOff = Self.firstBackOff
        lookAgainSoon()
    }

    private func lookAgainSoon() {
        if let retry { loop.cancel(retry) }
        retry = nil
        guard !listeners.isEmpty else { return }
        retry = loop.schedule(at: loop.now + backOff) { [weak self] in
            self?.assumeIsolated { bluetooth in
                bluetooth.retry = nil
                bluetooth.settle()
            }
        }
    }

    /// Brings the radio to look, or to rest, as the listeners want.
    private func settle() {
        guard settling == nil else {
            isStale = true
            return
        }
        settling = loop.spawn { @Sendable [weak self] in await self?.settleRadio() }
    }

    private func settleRadio() async {
        repeat {
            isStale = false
            // Nobody cancels this flow.
            try? await take()
            await lookOrRest()
            release()
        } while isStale
        settling = nil
    }

    private func lookOrRest() async {
        guard !listeners.isEmpty else {
            if let retry { loop.cancel(retry) }
            retry = nil
            return await rest()
        }
        guard !isDiscovering else { return }
        do throws(BluetoothError) {
            try await radio.prepare()
            try await radio.startDiscovery()
            isDiscovering = true
            problem = nil
            backOff = Self.firstBackOff
        } catch {
            problem = error
            lookAgainSoon()
            backOff = min(backOff * 2, Self.longestBackOff)
        }
    }

    private func rest() async {
        guard isDiscovering else { return }
        await radio.stopDiscovery()
        isDiscovering = false
    }

    // MARK: Connecting

    /// Connects a device, with several tries.
    /// - Parameter notice: told what the radio did about failures.
    package func connect(
        to address: BluetoothAddress, notice: @Sendable (BluetoothNotice) -> Void = { _ in }
    ) async throws(BluetoothFailure) -> BTPLink {
        var failures = 0
        while true {
            let failure: BluetoothFailure
            do throws(BluetoothFailure) { return try await connectOnce(address) } catch {
                failure = error
            }
            guard !Task.isCancelled else { throw .radio(.cancelled) }
            failures += 1
            guard failure.mayPass, failures < Self.connectTries else { throw failure }
            if failures == Self.failuresToPowerCycle, await powerCycle() {
                notice(.powerCycled(failures: failures))
            }
            do throws(CancellationError) {
                try await look(for: address, after: Self.firstBackOff * failures)
            } catch { throw .radio(.cancelled) }
        }
    }

    private func connectOnce(
        _ address: BluetoothAddress
    ) async throws(BluetoothFailure) -> BTPLink {
        do throws(CancellationError) { try await take() } catch { throw .radio(.cancelled) }
        defer {
            release()
            settle()
        }
        await rest()
        let bearer: any ATTBearer
        do throws(BluetoothError) {
            try await radio.prepare()
            bearer = try await radio.connect(to: address, within: Self.timeToConnect)
        } catch { throw .radio(error) }
        let link = BTPLink(bearer, on: loop)
        var isLate = false
        let timer = loop.schedule(at: loop.now + Self.timeToOpen) {
            isLate = true
            link.close()
        }
        defer { loop.cancel(timer) }
        do throws(BTPLinkLoss) {
            try await link.open()
            return link
        } catch { throw isLate ? .radio(.timedOut) : .link(error) }
    }

    private func powerCycle() async -> Bool {
        do throws(CancellationError) { try await take() } catch { return false }
        defer { release() }
        await rest()
        do throws(BluetoothError) { try await radio.powerCycle() } catch { return false }
        return true
    }

    /// Waits for the device to be heard anew; one that is not is tried all the same.
    private func look(
        for address: BluetoothAddress, after pause: Duration
    ) async throws(CancellationError) {
        try await loop.sleep(for: pause)
        let listener = listen(repeating: false)
        defer { stop(listener) }
        let deadline = loop.now + Self.timeToHear
        while let device = try await listener.next(until: deadline) {
            if device.address == address { return }
        }
    }

    // MARK: Turns at the radio

    private func take() async throws(CancellationError) {
        while isTaken {
            let wait = LoopWait<Void>()
            waits.append(wait)
            defer {
                waits.removeAll { $0 === wait }
                // One that was cancelled passes its turn on.
                if Task.isCancelled, !isTaken { waits.first?.resume(returning: ()) }
            }
            try await wait.value()
        }
        isTaken = true
    }

    private func release() {
        isTaken = false
        waits.first?.resume(returning: ())
    }
}

extension BluetoothFailure {
    /// Whether the next try may go better.
    var mayPass: Bool {
        switch self {
        case .radio(.connectionFailed), .radio(.timedOut), .radio(.inUse), .radio(.system): true
        case .radio: false
        case .link(.closed): false
        case .link: true
        }
    }
}

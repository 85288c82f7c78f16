package import Base
internal import Crypto
package import Matter
package import MatterNode

/// A Matter device in software: it is commissioned, read, told what to do, unplugged and found
/// again like one of hardware.
///
/// Scope: the whole accessory side over UDP, and being commissioned over Bluetooth: with a radio
/// it is on the network only once it was given one. Not scope: group messages, updates of
/// software. It lives on its loop's thread and is used from there alone.
package final class VirtualDevice: @unchecked Sendable {
    package let settings: DeviceSettings
    /// Told of what happens, on the loop.
    package var onNote: (DeviceNote) -> Void = { _ in }

    private let ports: DeviceRun.Ports
    private var models: EndpointModels
    private var addresses: [(interface: UInt32, addresses: [IPAddress])] = []
    /// Nil while there is no power.
    private(set) var run: DeviceRun?
    private var buffer = [UInt8](repeating: 0, count: Limits.multicastOctets)

    /// - Parameters:
    ///   - multicast: in the groups of multicast DNS on `interfaces`.
    ///   - state: what an earlier run of this device saved.
    ///   - radio: nil for a device that is on the network from the start.
    package init(
        _ settings: DeviceSettings, loop: Loop, link: any DatagramLink,
        multicast: any MulticastLink, interfaces: [UInt32], state: any DeviceState,
        random: SharedRandom, radio: (any PeripheralRadio)? = nil
    ) {
        self.settings = settings
        ports = DeviceRun.Ports(
            loop: loop, link: link, multicast: multicast, state: state, random: random,
            interfaces: interfaces, radio: radio)
        models = EndpointModels(
            settings.types, seed: settings.seed ?? random.drawUInt64(),
            secondOfDay: settings.secondOfDay,
            at: loop.now)
    }

    /// What the label on the device says.
    package var payload: SetupPayload { settings.payload }

    package var isOn: Bool { run != nil }

    // MARK: Power

    /// Plugs it in.
    package func start() {
        guard run == nil else { return }
        drain()
        let run = DeviceRun(settings, ports, models: models) { [weak self] note in
            self?.onNote(note)
        }
        self.run = run
        for entry in addresses { run.set(entry.addresses, on: entry.interface) }
        run.start()
    }

    /// Takes the power away: no goodbye, and whatever was under a fail-safe is undone when it
    /// comes back.
    package func stop() {
        guard let run else { return }
        models = run.models
        models.restart(at: ports.loop.now)
        run.stop()
        self.run = nil
        ports.link.onReadable = { [weak self] in self?.drain() }
        ports.multicast.onReadable = { [weak self] in self?.drain() }
    }

    package func reboot() {
        stop()
        start()
    }

    /// As it came from the factory, but for its keys of attestation. It must be plugged in.
    package func factoryReset() {
        guard let run else { return }
        let state = run.root.factoryState
        stop()
        ports.state.save(state)
        start()
    }

    /// What comes while it has no power is lost.
    private func drain() {
        var span = buffer.mutableSpan
        while ports.link.receive(into: &span) != nil {}
        while ports.multicast.receive(into: &span) != nil {}
    }

    // MARK: What somebody does at the device

    /// The addresses at which the device is found.
    package func set(addresses: [IPAddress], on interface: UInt32) {
        self.addresses.removeAll { $0.interface == interface }
        self.addresses.append((interface, addresses))
        run?.change { (run) throws(Never) in run.set(addresses, on: interface) }
    }

    /// Its commissioning button: opens the window with the passcode of the label.
    package func openWindow() {
        run?.change { (run) throws(Never) in
            if run.root.window.isOpen { return }
            run.root.openWindow(by: nil, for: Limits.announcement, at: run.now)
        }
    }

    package func closeWindow() {
        run?.change { (run) throws(Never) in run.root.closeWindow() }
    }

    /// - Parameter endpoint: nil for the first one that has such a thing.
    package func set(
        _ word: SettableWord, _ value: SettableValue, on endpoint: EndpointID? = nil
    ) throws(SettingError) {
        guard let run else { return }
        try run.change { (run) throws(SettingError) in
            try run.models.set(word, value, on: endpoint, at: run.now)
        }
    }

    /// The button of a light or a plug.
    package func press(on endpoint: EndpointID? = nil) throws(SettingError) {
        guard let run else { return }
        try run.change { (run) throws(SettingError) in
            try run.models.press(on: endpoint, at: run.now)
        }
    }

    // MARK: What it is like

    /// The authority that vouches for it, X.509 DER; nil before it was plugged in for the first
    /// time.
    package var paaCertificateDER: [UInt8]? { run?.root.attestation.paa }

    package var fabrics: [NodeFabric] { run?.root.fabrics.fabrics ?? [] }
    package var sessionCount: Int { run?.sessions.count ?? 0 }
    package var subscriptionCount: Int { run?.subscriptionCount ?? 0 }
    package var isWindowOpen: Bool { run?.root.window.isOpen ?? false }

    /// How long the fail-safe lasts; nil when it is not armed.
    package var failSafeLeft: Duration? {
        run.flatMap { run in run.root.failSafe.map { $0.end - run.now } }
    }

    package func attribute<Value>(
        _ attribute: Attribute<Value>, on endpoint: EndpointID = .root
    ) -> Value? {
        run?.server.attributes.get(attribute, on: endpoint)
    }
}

extension DeviceRun {
    func set(_ addresses: [IPAddress], on interface: UInt32) {
        responder.set(addresses: addresses, on: interface, at: now)
    }
}

extension RootNode {
    /// What a device keeps that forgets its owners.
    var factoryState: [UInt8] {
        var state = StoredState()
        state.attestation = stored.attestation
        state.uniqueID = stored.uniqueID
        state.nextEventNumber = stored.nextEventNumber
        return state.written()
    }
}

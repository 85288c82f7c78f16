import Base
import Matter
import MatterNode
import Simulation

/// A bearer in memory and the device's end of it, which sends every message back unless somebody
/// else takes it.
final class EchoingPeer: ATTBearer, @unchecked Sendable {
    var onReadable: (() -> Void)?
    var onWritable: (() -> Void)?
    /// What arrived, to be read.
    private var inbox: [[UInt8]] = []
    private var isClosed = false
    private let loop: Loop
    private var server = GATTServer()
    private var peripheral: BTPPeripheral?
    private var ticking: TimerID?

    /// The device's side of things.
    var echoes = true
    var onMessage: (([UInt8]) -> Void)?
    var answersHandshake = true
    /// Packets from the central, by kind: `handshake`, `subscribe`, `data`, `other`.
    private(set) var order: [String] = []
    private(set) var messages: [[UInt8]] = []
    /// Packets that find no room before one does.
    var refusals = 0
    private(set) var wasClosed = false

    init(on loop: Loop) { self.loop = loop }

    /// The connection is gone.
    func cut() {
        isClosed = true
        onReadable?()
    }

    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> ATTInput {
        guard !inbox.isEmpty else { return isClosed ? .closed : .nothing }
        let packet = inbox.removeFirst()
        for index in packet.indices { buffer[index] = packet[index] }
        return .packet(packet.count)
    }

    func send(_ bytes: Span<UInt8>) -> Bool {
        if refusals > 0 {
            refusals -= 1
            _ = loop.schedule(at: loop.now + .milliseconds(1)) { [weak self] in
                self?.onWritable?()
            }
            return false
        }
        let packet = [UInt8](bytes)
        _ = loop.schedule(at: loop.now + .milliseconds(1)) { [weak self] in self?.take(packet) }
        return true
    }

    func close() {
        wasClosed = true
        isClosed = true
        if let ticking { loop.cancel(ticking) }
        ticking = nil
    }

    func say(_ message: [UInt8]) {
        _ = peripheral?.send(message.span, at: loop.now)
        drain()
    }

    private func take(_ packet: [UInt8]) {
        guard !isClosed else { return }
        try? server.receive(packet.span, at: loop.now)
        while let event = server.nextEvent() {
            switch event {
            case .written:
                let value = [UInt8](server.value)
                order.append(value[0] == 0x65 ? "handshake" : "data")
                guard answersHandshake else { break }
                if peripheral == nil {
                    peripheral = BTPPeripheral(attMTU: server.attMTU, at: loop.now)
                }
                try? peripheral?.receive(value.span, at: loop.now)
            case .subscribed:
                order.append("subscribe")
                peripheral?.subscribe(at: loop.now)
            case .unsubscribed, .confirmed, .timeout: break
            }
        }
        while case .message? = peripheral?.nextEvent() {
            guard let known = peripheral else { break }
            let message = [UInt8](known.message)
            messages.append(message)
            if let onMessage {
                onMessage(message)
            } else if echoes {
                _ = peripheral?.send(message.span, at: loop.now)
            }
        }
        drain()
    }

    private func drain() {
        var isMore = true
        while isMore {
            if server.canIndicate {
                let now = loop.now
                _ = peripheral?.nextTransmit { self.server.indicate($0, at: now) }
            }
            isMore = server.nextTransmit { bytes in
                let packet = [UInt8](bytes)
                _ = self.loop.schedule(at: self.loop.now + .milliseconds(1)) { [weak self] in
                    self?.inbox.append(packet)
                    self?.onReadable?()
                }
            }
        }
        if let ticking { loop.cancel(ticking) }
        ticking = peripheral?.nextDeadline.map { deadline in
            loop.schedule(at: deadline) { [weak self] in
                guard let self else { return }
                ticking = nil
                peripheral?.advance(to: loop.now)
                if case .closed? = peripheral?.nextEvent() { return cut() }
                drain()
            }
        }
    }
}

/// A radio that a test plays.
final class ScriptedRadio: BluetoothRadio, @unchecked Sendable {
    var onHeard: ((HeardDevice) -> Void)?
    var onChange: (() -> Void)?

    var preparing: BluetoothError?
    var discovering: BluetoothError?
    /// What each connection comes to, the last for all after it.
    var connecting: [BluetoothError?] = [nil]
    var makeBearer: () -> any ATTBearer
    private(set) var calls: [String] = []
    private(set) var isDiscovering = false

    init(_ makeBearer: @escaping () -> any ATTBearer) { self.makeBearer = makeBearer }

    func prepare() async throws(BluetoothError) { if let preparing { throw preparing } }

    func startDiscovery() async throws(BluetoothError) {
        calls.append("look")
        if let discovering { throw discovering }
        isDiscovering = true
    }

    func stopDiscovery() async {
        calls.append("rest")
        isDiscovering = false
    }

    func connect(
        to address: BluetoothAddress, within time: Duration
    ) async throws(BluetoothError) -> any ATTBearer {
        precondition(!isDiscovering, "a radio that looks does not connect")
        calls.append("connect")
        let result = connecting.count > 1 ? connecting.removeFirst() : connecting.first ?? nil
        if let result { throw result }
        return makeBearer()
    }

    func powerCycle() async throws(BluetoothError) { calls.append("cycle") }

    func hear(_ number: UInt8, discriminator: UInt16 = 3840) {
        onHeard?(
            HeardDevice(
                address: .number(number),
                advertisement: CommissionableAdvertisement(
                    discriminator: discriminator, vendorID: nil, productID: nil)))
    }
}

extension BluetoothAddress {
    static func number(_ number: UInt8) -> BluetoothAddress {
        let octets = [UInt8](repeating: number, count: 6)
        return BluetoothAddress(FixedBytes(copying: octets.span), .randomAddress)
    }
}

internal import Base
internal import Crypto
internal import Matter

/// Where the payload's device may be: what is seen on the network and over Bluetooth, in the
/// order in which it was seen.
final class Sightings: @unchecked Sendable {
    enum Sighting: Sendable {
        case network(ServiceRecord)
        case bluetooth(HeardDevice)
    }

    let listener: Bluetooth.Listener?
    private let browser: Resolver.Browser
    private let seen: LoopQueue<Sighting>
    private var flows: [LoopTask] = []

    /// What waits while a device is connected: it is all heard again.
    private static let bound = 64

    init(_ browser: Resolver.Browser, _ listener: Bluetooth.Listener?, on loop: Loop) {
        self.browser = browser
        self.listener = listener
        seen = LoopQueue(on: loop, bound: Self.bound)
        guard let listener else { return }
        let seen = seen
        // Both end when they are cancelled.
        flows = [
            loop.spawn { @Sendable in
                while let record = try? await browser.next(until: .distantFuture) {
                    seen.push(.network(record))
                }
            },
            loop.spawn { @Sendable in
                while let device = try? await listener.next(until: .distantFuture) {
                    seen.push(.bluetooth(device))
                }
            },
        ]
    }

    func next(until deadline: Instant) async throws(CancellationError) -> Sighting? {
        guard listener != nil else {
            return try await browser.next(until: deadline).map(Sighting.network)
        }
        return try await seen.next(until: deadline)
    }

    func stop() { for flow in flows { flow.cancel() } }
}

/// What became of tries to connect devices over Bluetooth.
struct BluetoothTries {
    enum Failure: Error {
        case bluetooth(BluetoothFailure)
        case handshake(HandshakeFailure)
    }

    private var tries: [BluetoothAddress: Int] = [:]
    private(set) var last: BluetoothFailure?

    /// A link that was lost in the handshake has another chance; what the device said holds.
    private static let triesWhenLost = 2

    func mayTry(_ address: BluetoothAddress) -> Bool {
        tries[address, default: 0] < Self.triesWhenLost
    }

    mutating func add(_ failure: Failure, _ address: BluetoothAddress) {
        switch failure {
        case .bluetooth(let failure):
            last = failure
            tries[address] = Self.triesWhenLost
        case .handshake(.exchange(.sessionEnded)): tries[address, default: 0] += 1
        case .handshake: tries[address] = Self.triesWhenLost
        }
    }
}

extension Commissioner {
    /// Connects a device over Bluetooth and with its passcode.
    func connect(
        _ address: BluetoothAddress, _ passcode: Secret
    ) async throws(BluetoothTries.Failure) -> FoundDevice {
        guard let bluetooth else { throw .bluetooth(.radio(.noAdapter)) }
        let warning = warning
        let link: BTPLink
        do throws(BluetoothFailure) {
            link = try await bluetooth.connect(to: address) { warning(.bluetooth($0)) }
        } catch { throw .bluetooth(error) }
        let peer = await node.attach(link)
        do throws(HandshakeFailure) {
            let session = try await connect(at: peer, SessionParameters(), passcode)
            return FoundDevice(session: session, address: peer)
        } catch {
            await node.detach(peer)
            throw .handshake(error)
        }
    }
}

extension SetupPayload {
    /// A manual code says nothing of where the device is.
    package var mayBeOverBluetooth: Bool {
        guard let capabilities = discoveryCapabilities, capabilities.rawValue != 0 else {
            return true
        }
        return capabilities.rawValue & DiscoveryCapabilities.ble.rawValue != 0
    }

    /// Out of the box; once it is on a network it is found there all the same.
    package var isOnlyOverBluetooth: Bool { discoveryCapabilities == .ble }
}

extension CommissionableAdvertisement {
    /// As far as both say who they are, they agree.
    func canBe(_ payload: SetupPayload) -> Bool {
        guard payload.discriminator.agrees(with: .long(discriminator)) else { return false }
        if let wanted = payload.vendorID, let vendorID, wanted != vendorID { return false }
        if let wanted = payload.productID, let productID, wanted != productID { return false }
        return true
    }
}

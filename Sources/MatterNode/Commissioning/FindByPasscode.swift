internal import Base
internal import Crypto
internal import Matter

/// A device that was found and that knows the passcode.
struct FoundDevice: Sendable {
    let session: SecureSession
    let address: PeerAddress

    var isOverBluetooth: Bool { if case .btp = address { true } else { false } }
}

extension Commissioner {
    /// Looks for the payload's device and connects with its passcode. Core §5.4.3, §5.5 step 1.
    ///
    /// Several devices may have the same discriminator: each is tried once. A device that refused
    /// the passcode is not tried again, since it counts such tries (Core §4.14.1).
    func establishPASE(
        _ request: CommissioningRequest
    ) async throws(CommissioningError) -> FoundDevice {
        let browser: Resolver.Browser
        do throws(DiscoveryError) {
            browser = try await resolver.browse(request.payload.discriminator.query)
        } catch { throw CommissioningError(.discover, .notFound) }
        let bluetooth = request.payload.mayBeOverBluetooth ? bluetooth : nil
        let sightings = Sightings(browser, await bluetooth?.listen(), on: node.loop)
        let result: Result<FoundDevice, CommissioningError>
        do throws(CommissioningError) {
            result = .success(try await search(request, sightings))
        } catch { result = .failure(error) }
        sightings.stop()
        await resolver.stop(browser)
        if let bluetooth {
            let problem = await bluetooth.problem
            if let listener = sightings.listener { await bluetooth.stop(listener) }
            if let problem, case .failure(let error) = result, error.cause == .notFound,
                request.payload.isOnlyOverBluetooth
            {
                throw CommissioningError(.discover, .bluetooth(.radio(problem)))
            }
        }
        return try result.get()
    }

    private func search(
        _ request: CommissioningRequest, _ sightings: Sightings
    ) async throws(CommissioningError) -> FoundDevice {
        var deadline = node.loop.now + request.discoveryTime
        var refused: Set<[UInt8]> = []
        var tried: Set<SocketAddress> = []
        var failures: [HandshakeFailure] = []
        var bluetoothTries = BluetoothTries()
        while let sighting = try await next(sightings, until: deadline) {
            let record: ServiceRecord
            switch sighting {
            case .network(let found): record = found
            case .bluetooth(let device):
                guard device.advertisement.canBe(request.payload),
                    bluetoothTries.mayTry(device.address)
                else { continue }
                progress(.establishPASE)
                do throws(BluetoothTries.Failure) {
                    return try await connect(device.address, request.payload.passcode)
                } catch {
                    guard !Task.isCancelled else {
                        throw CommissioningError(.establishPASE, .cancelled)
                    }
                    bluetoothTries.add(error, device.address)
                    if case .handshake(let failure) = error { failures.append(failure) }
                    deadline = max(
                        min(deadline, node.loop.now + Self.timeForOthers),
                        node.loop.now + Self.timeForNext)
                    continue
                }
            }
            let addresses = record.addressesInGoodOrder
                .map { SocketAddress($0, port: record.port) }
                .filter { !tried.contains($0) }
            guard record.canBe(request.payload), !refused.contains(record.instance),
                !addresses.isEmpty
            else { continue }
            progress(.establishPASE)
            do throws(HandshakeFailure) {
                return try await connect(record, addresses, request.payload.passcode)
            } catch .exchange(.cancelled) {
                throw CommissioningError(.establishPASE, .cancelled)
            } catch {
                failures.append(error)
                tried.formUnion(addresses)
                // One that was silent may have another address, heard of later.
                if error != .exchange(.unreachable) { refused.insert(record.instance) }
                // Another of the same discriminator would have answered along with it.
                deadline = min(deadline, node.loop.now + Self.timeForOthers)
            }
        }
        if failures.isEmpty, let failure = bluetoothTries.last {
            throw CommissioningError(.establishPASE, .bluetooth(failure))
        }
        throw Self.summary(failures)
    }

    private func next(
        _ sightings: Sightings, until deadline: Instant
    ) async throws(CommissioningError) -> Sightings.Sighting? {
        do throws(CancellationError) {
            return try await sightings.next(until: deadline)
        } catch { throw CommissioningError(.discover, .cancelled) }
    }

    /// Tries the addresses of a device until one answers.
    private func connect(
        _ record: ServiceRecord, _ addresses: [SocketAddress], _ passcode: Secret
    ) async throws(HandshakeFailure) -> FoundDevice {
        let race = AddressRace(node, record.sessionParameters)
        // What a device says at one address it says at all.
        let (session, address) = try await race.run(
            addresses.map(PeerAddress.udp), ends: { $0 != .exchange(.unreachable) },
            attempt: { address throws(HandshakeFailure) in
                try await connect(at: address, record.sessionParameters, passcode)
            })
        return FoundDevice(session: session, address: address)
    }

    /// Waits for a device that is busy.
    func connect(
        at address: PeerAddress, _ parameters: SessionParameters, _ passcode: Secret
    ) async throws(HandshakeFailure) -> SecureSession {
        var tries = 0
        while true {
            tries += 1
            do throws(HandshakeFailure) {
                return try await node.establishPASE(
                    at: address, passcode: passcode, parameters: parameters)
            } catch {
                guard let wait = error.busyWait, tries < Self.triesWhileBusy else { throw error }
                try await pause(min(max(wait, .seconds(1)), Self.longestBusyWait))
            }
        }
    }

    private func pause(_ duration: Duration) async throws(HandshakeFailure) {
        do throws(CancellationError) { try await node.loop.sleep(for: duration) } catch {
            throw .exchange(.cancelled)
        }
    }

    private static func summary(_ failures: [HandshakeFailure]) -> CommissioningError {
        let refusals = failures.count { $0 == .pase(.wrongPasscode) }
        if refusals > 0 {
            return CommissioningError(.establishPASE, .wrongPasscode(devices: refusals))
        }
        switch failures.last {
        case nil: return CommissioningError(.discover, .notFound)
        case .exchange(.unreachable), .exchange(.noAnswer):
            return CommissioningError(.establishPASE, .noAnswer)
        case let failure?: return CommissioningError(.establishPASE, .handshake(failure))
        }
    }

    /// How long to look for others once a device of this discriminator has failed.
    private static let timeForOthers = Duration.seconds(3)
    /// A connection over Bluetooth may have taken all of the time: what was seen meanwhile, and
    /// the device itself once more, have this much.
    private static let timeForNext = Duration.seconds(3)
    /// Core §4.11.1.5: a busy device says how long; more than this is another day's work.
    private static let longestBusyWait = Duration.seconds(10)
    private static let triesWhileBusy = 3
}

extension Discriminator {
    fileprivate var query: MDNSQuery {
        switch self {
        case .long(let value): .longDiscriminator(value)
        case .short(let value): .shortDiscriminator(value)
        }
    }
}

extension ServiceRecord {
    /// Whether this can be the payload's device: as far as both say who they are, they agree,
    /// and its window is open as far as it says so.
    fileprivate func canBe(_ payload: SetupPayload) -> Bool {
        if let mode = text.commissioningMode, mode == 0 { return false }
        if let discriminator = text.discriminator,
            !payload.discriminator.agrees(with: .long(discriminator))
        {
            return false
        }
        if let wanted = payload.vendorID, let vendor = text.vendorID, wanted != vendor {
            return false
        }
        if let wanted = payload.productID, let product = text.productID, wanted != product {
            return false
        }
        return true
    }

    /// What the record says of the device's radio.
    var sessionParameters: SessionParameters {
        let standard = SessionParameters()
        return SessionParameters(
            idleInterval: text.sessionIdleInterval ?? standard.idleInterval,
            activeInterval: text.sessionActiveInterval ?? standard.activeInterval,
            activeThreshold: text.sessionActiveThreshold ?? standard.activeThreshold)
    }
}

internal import Base
internal import Crypto
internal import Matter

// How a device without a network gets onto one. Core §11.9.

extension CommissioningRun {
    /// Asks early what networks the device can join, so that missing credentials are told before
    /// anything was done to it.
    mutating func readNetworkInterfaces(
        _ networks: DeviceNetworks
    ) async throws(CommissioningError) {
        let interfaces: NetworkInterfaces
        do throws(PeerError) {
            interfaces = try NetworkInterfaces(
                await peer.report(NetworkInterfaces.paths, isFabricFiltered: false))
        } catch { throw Self.failure(.readCommissioningInfo, error) }
        guard !interfaces.needNone else { return }
        self.interfaces = interfaces
        self.networks = networks
        _ = try await choose(interfaces, .readCommissioningInfo)
    }

    /// Has the device join a network. When it was not told of the outcome it may be joining still.
    mutating func joinNetwork() async throws(CommissioningError) {
        guard let interfaces else { return }
        var tries = 0
        var last: NetworkInterfaces.Choice?
        while let choice = try await choose(interfaces, .addNetwork) {
            tries += 1
            if let last { try await remove(last, for: choice) }
            last = choice
            try await scanNetworks(choice)
            guard let failure = try await join(choice, isConcurrent: interfaces.isConcurrent)
            else { return }
            guard tries < Self.networkTries, let others = try await ask(failure.cause) else {
                throw CommissioningError(failure.step, .network(failure.cause))
            }
            networks = others
        }
    }

    private struct Failure {
        let step: CommissioningStep
        let cause: NetworkFailure
    }

    /// - Returns: nil for a device that may be on a network by a cable.
    private mutating func choose(
        _ interfaces: NetworkInterfaces, _ step: CommissioningStep
    ) async throws(CommissioningError) -> NetworkInterfaces.Choice? {
        for _ in 0..<Self.networkTries {
            if let choice = interfaces.choose(networks) { return choice }
            if interfaces.mayNeedNone { return nil }
            guard let others = try await ask(interfaces.missing) else { break }
            networks = others
        }
        guard case .noCredentials(let wiFi, let thread) = interfaces.missing else { return nil }
        throw CommissioningError(step, .noNetworkCredentials(wiFi: wiFi, thread: thread))
    }

    /// Asks for other networks, and keeps the device waiting meanwhile.
    private mutating func ask(
        _ failure: NetworkFailure
    ) async throws(CommissioningError) -> DeviceNetworks? {
        let loop = commissioner.node.loop
        let answer = LoopQueue<DeviceNetworks?>(on: loop, bound: 1)
        let networkFailed = commissioner.networkFailed
        let flow = loop.spawn { @Sendable in answer.push(await networkFailed(failure)) }
        let link = await commissioner.node.hold(peer.session)
        defer {
            flow.cancel()
            link?.endWaiting()
        }
        let end = loop.now + Self.timeToAnswer
        while loop.now < end {
            do throws(CancellationError) {
                if let told = try await answer.next(until: loop.now + Self.timeToRemind) {
                    return told
                }
            } catch { throw CommissioningError(.addNetwork, .cancelled) }
            // It also keeps the link from being idle.
            if failSafe == nil {
                try await remind()
            } else {
                try await arm(.addNetwork)
            }
            guard failSafe?.lasts(.seconds(1), at: loop.now) ?? true else { break }
        }
        return nil
    }

    private func remind() async throws(CommissioningError) {
        let path = AttributePath(GeneralCommissioning.breadcrumb, endpoint: .root)
        do throws(PeerError) { _ = try await peer.report([path]) } catch {
            throw Self.failure(.readCommissioningInfo, error)
        }
    }

    /// What a look around tells is advice: whatever it finds, the network is tried.
    private mutating func scanNetworks(
        _ choice: NetworkInterfaces.Choice
    ) async throws(CommissioningError) {
        try await keepArmed(.scanNetworks)
        var command = NetworkCommissioning.ScanNetworks()
        if case .wiFi(let network) = choice.credentials {
            command.ssid = .value(Octets(network.ssid))
        }
        command.breadcrumb = UInt64(CommissioningStep.scanNetworks.rawValue)
        do throws(PeerError) {
            let response = try await peer.invoke(
                command, on: choice.interface.endpoint,
                processing: max(Self.processing, choice.interface.scanTime))
            for warning in choice.warnings(response) { commissioner.warning(warning) }
        } catch {
            // One that answers cannot look around, which is no fault.
            guard case .exchange = error else { return }
            throw Self.failure(.scanNetworks, error)
        }
    }

    /// A device may have room for one network: the one before makes room for another.
    private func remove(
        _ old: NetworkInterfaces.Choice, for choice: NetworkInterfaces.Choice
    ) async throws(CommissioningError) {
        let id = old.credentials.networkID
        guard id != choice.credentials.networkID else { return }
        var command = NetworkCommissioning.RemoveNetwork()
        command.networkID = id
        do throws(PeerError) {
            _ = try await peer.invoke(
                command, on: old.interface.endpoint, processing: Self.processing)
        } catch .exchange(.cancelled) {
            throw CommissioningError(.addNetwork, .cancelled)
        } catch {
            // It was not taken, so that it is not there.
        }
    }

    /// - Returns: why it did not, as it says; nil when it has joined, or may be joining.
    private mutating func join(
        _ choice: NetworkInterfaces.Choice, isConcurrent: Bool
    ) async throws(CommissioningError) -> Failure? {
        if let failure = try await addNetwork(choice) {
            return Failure(step: .addNetwork, cause: failure)
        }
        let connectTime = choice.interface.connectTime
        commissioner.progress(.connectNetwork)
        // Once it has left Bluetooth it cannot be armed anew.
        let tries = isConcurrent ? 1 : Self.operationalTries
        try await arm(.connectNetwork, least: connectTime + Self.timeToConnect * tries)
        var command = NetworkCommissioning.ConnectNetwork()
        command.networkID = choice.credentials.networkID
        command.breadcrumb = UInt64(CommissioningStep.connectNetwork.rawValue)
        let asked = commissioner.node.loop.now
        do throws(PeerError) {
            let response = try await peer.invoke(
                command, on: choice.interface.endpoint, processing: connectTime)
            let status = response.networkingStatus
            joiningTime = .zero
            guard status != OpenEnum(.success) else { return nil }
            return Failure(
                step: .connectNetwork,
                cause: .refused(
                    choice.interface.technology, status, errorValue: response.errorValue.value,
                    detail: response.debugText ?? ""))
        } catch .exchange(.cancelled) {
            throw CommissioningError(.connectNetwork, .cancelled)
        } catch .exchange {
            // The word is lost, or the link with it; the device does as it was told.
            joiningTime = max(.zero, connectTime - (commissioner.node.loop.now - asked))
            return nil
        } catch { throw Self.failure(.connectNetwork, error) }
    }

    private mutating func addNetwork(
        _ choice: NetworkInterfaces.Choice
    ) async throws(CommissioningError) -> NetworkFailure? {
        try await keepArmed(.addNetwork)
        let breadcrumb = UInt64(CommissioningStep.addNetwork.rawValue)
        let response: NetworkCommissioning.NetworkConfigResponse
        do throws(PeerError) {
            switch choice.credentials {
            case .wiFi(let network):
                var command = NetworkCommissioning.AddOrUpdateWiFiNetwork()
                command.ssid = Octets(network.ssid)
                command.credentials = network.credentials
                command.breadcrumb = breadcrumb
                response = try await peer.invoke(
                    command, on: choice.interface.endpoint, processing: Self.processing)
            case .thread(let dataset):
                var command = NetworkCommissioning.AddOrUpdateThreadNetwork()
                command.operationalDataset = dataset.tlvs
                command.breadcrumb = breadcrumb
                response = try await peer.invoke(
                    command, on: choice.interface.endpoint, processing: Self.processing)
            }
        } catch { throw Self.failure(.addNetwork, error) }
        guard response.networkingStatus != OpenEnum(.success) else { return nil }
        return .refused(
            choice.interface.technology, response.networkingStatus, errorValue: nil,
            detail: response.debugText ?? "")
    }

    /// Networks that a device is given in one run: a passphrase is mistyped twice, not ten times.
    private static let networkTries = 5
    /// For a person to find the right passphrase; the device's fail-safe ends it as well.
    private static let timeToAnswer = Duration.seconds(600)
    /// Half of the time after which BTP calls a link idle.
    private static let timeToRemind = Duration.seconds(15)
}

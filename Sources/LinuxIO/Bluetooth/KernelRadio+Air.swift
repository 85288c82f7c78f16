internal import Base
internal import Matter
package import MatterNode

/// Looking for devices, and connecting one.
extension KernelRadio {
    package func startDiscovery() async throws(BluetoothError) {
        isWanted = true
        try await inTurn { () throws(BluetoothError) in
            // Not wanted any more: the owner has asked to stop meanwhile.
            guard self.isWanted, !(self.isOurs && self.isDiscovering) else { return }
            do throws(BluetoothError) { try await self.look() } catch {
                self.isWanted = false
                throw error
            }
        }
    }

    package func stopDiscovery() async {
        isWanted = false
        do throws(BluetoothError) {
            try await inTurn { () throws(BluetoothError) in
                guard self.isOurs, self.isDiscovering else { return }
                self.awaited = false
                try await self.perform(.stopDiscovery, within: self.limits.controller)
                await self.confirmed()
            }
        } catch {
            // Whether the adapter still looks is known; `connect` asks that.
        }
    }

    package func connect(
        to peer: BluetoothAddress, within time: Duration
    ) async throws(BluetoothError) -> any ATTBearer {
        let deadline = poll.loop.now + time
        // While the adapter looks, the kernel would let the connection wait.
        await stopDiscovery()
        try await inTurn { () throws(BluetoothError) in
            guard self.adapter != nil else { throw .noAdapter }
            guard self.isPowered else { throw .cannotPower }
            guard !self.isDiscovering else { throw .inUse }
            do throws(BluetoothError) {
                try await self.perform(
                    .loadConnectionParameters(peer.forManagement, .commissioning),
                    within: self.limits.answer)
            } catch .system {
                // Then the link has the kernel's own.
            }
        }
        let raw: Int32
        do throws(Errno) { raw = try system.connect(peer, address) } catch {
            throw BluetoothError(beginning: error)
        }
        let socket = ATTSocket(owning: raw, on: poll)
        do throws(BluetoothError) {
            try await socket.connected(until: deadline)
        } catch {
            // The kernel calls the attempt off.
            socket.close()
            throw error
        }
        return socket
    }

    // MARK: Parts

    private func look() async throws(BluetoothError) {
        isOurs = true
        awaited = true
        startedAt = poll.loop.now
        do throws(BluetoothError) {
            do throws(BluetoothError) {
                try await perform(.startServiceDiscovery, within: limits.controller)
            } catch .noLowEnergy {
                try await perform(.startDiscovery, within: limits.controller)
            }
        } catch {
            isOurs = false
            throw error
        }
        // A command to stop that came before the adapter looks would be refused.
        await confirmed()
    }

    /// Waits for the event that confirms an answer, if it has not come with it.
    private func confirmed() async {
        guard awaited != nil, adapter != nil else { return }
        let wait = LoopWait<Void>()
        discoveryWait = wait
        let timer = poll.loop.schedule(at: poll.loop.now + limits.confirmation) {
            wait.resume(returning: ())
        }
        defer {
            poll.loop.cancel(timer)
            discoveryWait = nil
        }
        do throws(CancellationError) { try await wait.value() } catch {
            // Steps are not cancelled.
        }
    }

    func discoveryChanged(_ isOn: Bool) {
        isDiscovering = isOn
        if awaited == isOn {
            awaited = nil
            discoveryWait?.resume(returning: ())
        }
        guard !isOn else { return }
        isOurs = false
        if isWanted { lookAgain() }
    }

    /// The kernel has ended what it gives 10 s, or another program has ended its own.
    private func lookAgain() {
        poll.loop.spawn {
            do throws(BluetoothError) {
                try await self.inTurn { () throws(BluetoothError) in try await self.resume() }
            } catch {
                // Where another program looks, its end is the next occasion.
                if error != .inUse { self.isWanted = false }
                self.onChange?()
            }
        }
    }

    private func resume() async throws(BluetoothError) {
        if let startedAt, poll.loop.now < startedAt + limits.leastDiscovery {
            do throws(CancellationError) {
                try await poll.loop.sleep(for: limits.leastDiscovery)
            } catch {
                // Steps are not cancelled.
            }
        }
        guard isWanted, !isDiscovering else { return }
        try await look()
    }

    func hear(_ device: AdvertisingDevice) {
        guard isWanted, isDiscovering, device.isConnectable,
            let address = BluetoothAddress(device.address),
            let advertisement = CommissionableAdvertisement(device.advertisement.span)
        else { return }
        onHeard?(
            HeardDevice(
                address: address, advertisement: advertisement,
                signalStrength: device.signalStrength))
    }
}

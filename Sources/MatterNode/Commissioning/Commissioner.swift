package import Base
internal import Crypto
package import Matter

/// What is to be commissioned and how.
package struct CommissioningRequest: Sendable {
    package let payload: SetupPayload
    package var name = ""
    package var room = ""
    /// Go on with a device whose certificates prove nothing; it is marked as such.
    package var acceptsUnattested = false
    /// The node whose place the device takes: its name and room where none are given here, and
    /// its history. It is given up.
    package var replaces: NodeID?
    /// How long to look for the device.
    package var discoveryTime = Duration.seconds(30)
    /// What it is given where it has no network yet.
    package var networks = DeviceNetworks()

    package init(payload: SetupPayload) {
        self.payload = payload
    }
}

/// Brings devices into our fabric, over Bluetooth those that have no network yet. Core §5.5.
///
/// Scope: one device from its payload to its record in the store, as one straight flow. What it
/// did at the device is undone when it fails: the fail-safe is disarmed. What an earlier process
/// left half done is ended by `settle`. Not scope: the window that allows it, queues, the way it
/// is shown.
package struct Commissioner: Sendable {
    package let node: Node
    let resolver: Resolver
    /// Nil on a board without.
    let bluetooth: Bluetooth?
    package let store: any Store
    let fabric: Fabric
    let verifier: AttestationVerifier
    package let clock: CommissioningClock
    package let random: SharedRandom
    let fabricLabel: String
    let progress: @Sendable (CommissioningStep) -> Void
    let warning: @Sendable (CommissioningWarning) -> Void
    private let undoing: @Sendable (LoopTask) -> Void
    let tookPlace: @Sendable (NodeRecord) -> Void
    let networkFailed: NetworkFailed

    /// Told why a device did not join a network, while it waits: gives others to try, or nil to
    /// give up. The flow is cancelled when the device waits no longer.
    package typealias NetworkFailed = @Sendable (NetworkFailure) async -> DeviceNetworks?

    /// - Parameters:
    ///   - fabricLabel: what the device calls our fabric from then on, at most 32 octets; empty
    ///     leaves it without.
    ///   - progress: called at the beginning of each step.
    ///   - warning: called for what does not make the run fail.
    ///   - undoing: told what goes on behind a run that was cancelled; whoever ends the program
    ///     gives it a moment.
    ///   - tookPlace: told of a node that has gone because a device took its place.
    ///   - networkFailed: asked for other networks where the device did not join.
    package init(
        node: Node, resolver: Resolver, bluetooth: Bluetooth? = nil, store: any Store,
        fabric: Fabric, verifier: AttestationVerifier, clock: CommissioningClock,
        random: SharedRandom, fabricLabel: String = "",
        progress: @escaping @Sendable (CommissioningStep) -> Void,
        warning: @escaping @Sendable (CommissioningWarning) -> Void = { _ in },
        undoing: @escaping @Sendable (LoopTask) -> Void = { _ in },
        tookPlace: @escaping @Sendable (NodeRecord) -> Void = { _ in },
        networkFailed: @escaping NetworkFailed = { _ in nil }
    ) {
        self.node = node
        self.resolver = resolver
        self.bluetooth = bluetooth
        self.store = store
        self.fabric = fabric
        self.verifier = verifier
        self.clock = clock
        self.random = random
        self.fabricLabel = fabricLabel
        self.progress = progress
        self.warning = warning
        self.undoing = undoing
        self.tookPlace = tookPlace
        self.networkFailed = networkFailed
    }

    /// Commissions one device.
    /// - Returns: what was stored, and the session with it, still open.
    package func commission(
        _ request: CommissioningRequest
    ) async throws(CommissioningError) -> (NodeRecord, Peer) {
        progress(.discover)
        let found = try await establishPASE(request)
        var run = CommissioningRun(self, found: found)
        do throws(CommissioningError) {
            let result = try await run.complete(request)
            await node.end(found.session.handle)
            await node.detach(found.address)
            return result
        } catch {
            await abort(run, error)
            throw error
        }
    }

    /// Undoes what a failed run did. Whoever cancelled does not wait for the device's word.
    private func abort(_ run: CommissioningRun, _ error: CommissioningError) async {
        let task = node.loop.spawn { await run.undo() }
        if error.cause == .cancelled { undoing(task) } else { await task.value }
    }
}

/// Time as commissioning needs it.
package struct CommissioningClock: Sendable {
    /// Seconds since 1970; nil while the clock is not plausible.
    package let unixSeconds: @Sendable () -> Int64?
    /// The time for certificate checks: the latest of the clock, the build and what was verified.
    package let certificateTime: @Sendable () -> MatterTime

    package init(
        unixSeconds: @escaping @Sendable () -> Int64?,
        certificateTime: @escaping @Sendable () -> MatterTime
    ) {
        self.unixSeconds = unixSeconds
        self.certificateTime = certificateTime
    }
}

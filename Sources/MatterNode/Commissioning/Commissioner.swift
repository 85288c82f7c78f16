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

    package init(payload: SetupPayload) {
        self.payload = payload
    }
}

/// Brings devices that are on the network already into our fabric. Core §5.5.
///
/// Scope: one device from its payload to its record in the store, as one straight flow. What it
/// did at the device is undone when it fails: the fail-safe is disarmed. What an earlier process
/// left half done is ended by `settle`. Not scope: the window that allows it, queues, the way it
/// is shown.
package struct Commissioner: Sendable {
    package let node: Node
    let resolver: Resolver
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

    /// - Parameters:
    ///   - fabricLabel: what the device calls our fabric from then on, at most 32 octets; empty
    ///     leaves it without.
    ///   - progress: called at the beginning of each step.
    ///   - warning: called for what does not make the run fail.
    ///   - undoing: told what goes on behind a run that was cancelled; whoever ends the program
    ///     gives it a moment.
    ///   - tookPlace: told of a node that has gone because a device took its place.
    package init(
        node: Node, resolver: Resolver, store: any Store, fabric: Fabric,
        verifier: AttestationVerifier, clock: CommissioningClock,
        random: SharedRandom, fabricLabel: String = "",
        progress: @escaping @Sendable (CommissioningStep) -> Void,
        warning: @escaping @Sendable (CommissioningWarning) -> Void = { _ in },
        undoing: @escaping @Sendable (LoopTask) -> Void = { _ in },
        tookPlace: @escaping @Sendable (NodeRecord) -> Void = { _ in }
    ) {
        self.node = node
        self.resolver = resolver
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

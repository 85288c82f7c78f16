package import Base
internal import Matter

/// What became of a run that a crash or a power cut had left in the store.
package enum RunOutcome: Sendable {
    /// The device is a node, stored whole. The session with it is open.
    case kept(NodeRecord, Peer)
    /// Nothing is left of the run, here or at the device.
    case rolledBack(Reason)
    /// Not decided: the run stays in the store, to be tried again.
    case open(CommissioningError.Cause)

    package enum Reason: Sendable, Equatable {
        /// It had given the device nothing that could stay.
        case notBegun
        /// The device says that it does not know us.
        case unknownToDevice
        /// The device was not there until its fail-safe had taken everything back.
        case expired
    }
}

extension Commissioner {
    /// Ends a run that was interrupted, as far as that can be decided now. Core §5.5.
    ///
    /// How far the run had come decides:
    /// - Before AddNOC the device has nothing of us but a fail-safe, which expires: the run is
    ///   rolled back at once, whether the device is there or not.
    /// - From AddNOC on the device may be a member of our fabric. If it answers under the node id
    ///   of the run, it is completed and kept. Until CommissioningComplete was sent its fail-safe
    ///   takes everything back, so that a device which is not found until then is given up.
    /// - Once CommissioningComplete was sent the device may be ours for good. Then only its own
    ///   word ends the run, however long that takes: a node, or a stranger.
    ///
    /// A run is never decided by time alone where a wrong clock would do harm: giving up early
    /// loses the chance to go on, and the device's fail-safe expires all the same.
    /// - Parameter seenAt: when this process first saw the run; where the clock of then or now is
    ///   not plausible, the fail-safe's whole time is counted from there.
    package func settle(
        _ run: RunRecord, seenAt: Instant
    ) async throws(StoreError) -> RunOutcome {
        guard run.mayKnowUs else { return try rollBack(run, .notBegun) }
        let run = try datedAnew(run)
        let resumption = HeldResumption()
        let peer: Peer
        do throws(ConnectionError) {
            peer = try await reach(run.nodeID, hint: run.lastAddress, resumption)
        } catch {
            if error.isOfStranger { return try rollBack(run, .unknownToDevice) }
            let isOver = !run.mayBeComplete && isFailSafeOver(run, seenAt)
            guard isOver, error != .cancelled else { return .open(error.commissioningError.cause) }
            return try rollBack(run, .expired)
        }
        do throws(CommissioningError) {
            let node = try await complete(run, at: peer)
            if let held = resumption.held { StoredResumptions(store).keep(held) }
            return .kept(node, peer)
        } catch {
            await peer.close()
            return .open(error.cause)
        }
    }

    private func rollBack(
        _ run: RunRecord, _ reason: RunOutcome.Reason
    ) throws(StoreError) -> RunOutcome {
        try store.endRun(run.nodeID)
        return .rolledBack(reason)
    }

    /// A run that began under a clock which was not plausible, or was ahead, begins now.
    private func datedAnew(_ run: RunRecord) throws(StoreError) -> RunRecord {
        guard let now = clock.unixSeconds(), run.startedAt <= 0 || run.startedAt > now else {
            return run
        }
        var run = run
        run.startedAt = now
        try store.save(run)
        return run
    }

    private func isFailSafeOver(_ run: RunRecord, _ seenAt: Instant) -> Bool {
        let seconds = Int(run.failSafeSeconds)
        if let now = clock.unixSeconds(), run.startedAt > 0 {
            return now - run.startedAt > Int64(seconds)
        }
        return node.loop.now - seenAt > .seconds(seconds)
    }

    private func complete(
        _ run: RunRecord, at peer: Peer
    ) async throws(CommissioningError) -> NodeRecord {
        var run = run
        run.step = CommissioningStep.commissioningComplete.rawValue
        run.lastAddress = await peer.socketAddress ?? run.lastAddress
        do throws(StoreError) { try store.save(run) } catch {
            throw CommissioningError(.store, .store(error))
        }
        try await commissioningComplete(peer)
        let info: CommissioningInfo
        let index: FabricIndex
        do throws(PeerError) {
            let reports = try await peer.report(CommissioningInfo.paths, isFabricFiltered: false)
            info = try CommissioningInfo(reports)
            // A fail-safe that expired a moment ago has taken the session's fabric with it.
            guard let ours = info.membership(in: fabric) else {
                throw .exchange(.sessionEnded)
            }
            if let told = ours.fabricIndex {
                index = told
            } else {
                index = try await peer.currentFabricIndex()
            }
        } catch { throw CommissioningError(.interview, .interaction(error)) }
        var node = info.node(run, index)
        node.commissionedAt = clock.unixSeconds() ?? 0
        return try await keep(node, ending: run)
    }

    /// A device that has no fail-safe, or one of somebody else, has ours complete already: it
    /// would not know us otherwise. Core §11.10.7.6.
    private func commissioningComplete(_ peer: Peer) async throws(CommissioningError) {
        let response: GeneralCommissioning.CommissioningCompleteResponse
        do throws(PeerError) {
            response = try await peer.invoke(
                GeneralCommissioning.CommissioningComplete(), processing: Self.completing)
        } catch { throw CommissioningError(.commissioningComplete, .interaction(error)) }
        let code = response.errorCode
        guard
            code == .ok || code == OpenEnum(.noFailSafe) || code == OpenEnum(.invalidAuthentication)
        else {
            throw CommissioningError(
                .commissioningComplete, .refused(code, detail: response.debugText))
        }
    }

    /// As in a run that nothing interrupts: 30 seconds, and a slow core's time on top.
    private static let completing = Duration.seconds(37)
}

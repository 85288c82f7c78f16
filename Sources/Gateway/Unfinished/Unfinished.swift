internal import Matter
package import MatterNode

/// What is still to be done at devices: runs that were cut off, and removals that their devices
/// have not heard of.
package struct Unfinished: Equatable, Sendable {
    package var runs: [RunRecord]
    package var removals: [PendingRemoval]

    package init(runs: [RunRecord] = [], removals: [PendingRemoval] = []) {
        self.runs = runs
        self.removals = removals
    }

    package init(_ store: any Store) throws(StoreError) {
        self.init(runs: try store.runs(), removals: try store.removals())
    }

    package var isEmpty: Bool { runs.isEmpty && removals.isEmpty }
}

/// Something of it that has come to its end.
package enum Settled: Sendable, Equatable {
    case kept(NodeRecord)
    case rolledBack(RunRecord, RunOutcome.Reason)
    case told(PendingRemoval, RemovalOutcome)
}

extension Gateway {
    package func unfinished() throws(GatewayError) -> Unfinished {
        do throws(StoreError) { return try Unfinished(store) } catch { throw .store(error) }
    }

    /// Begins to end what earlier processes left; see `Settlement`.
    /// - Parameter told: each time that something has come to its end.
    package func beginSettling(_ told: @escaping @Sendable (Settled) -> Void) async {
        let settlement = Settlement(commissioner { _ in }) { [weak self] settled, peer in
            self?.assumeIsolated { $0.take(settled, peer) }
            told(settled)
        }
        self.settlement = settlement
        await settlement.begin()
    }

    /// Gives what is unfinished a few seconds, if there is anything.
    package func settleForAWhile() async {
        await settlement?.settleForAWhile()
    }

    private func take(_ settled: Settled, _ peer: Peer?) {
        switch settled {
        case .kept(let node):
            peers[node.nodeID] = peer
            note(.commissioned, node.nodeID, "commissioned after an interruption")
        case .rolledBack(let run, let reason):
            note(.failed, run.nodeID, "an interrupted commissioning was rolled back (\(reason))")
        case .told(let removal, let outcome):
            note(.removed, removal.nodeID, "a pending removal has ended (\(outcome))")
        }
    }

    /// Gives up a device whose commissioning was interrupted.
    /// - Returns: what became of telling it; nil when it can have nothing of us.
    package func giveUp(_ run: RunRecord) async throws(GatewayError) -> RemovalOutcome? {
        let removal = PendingRemoval(run, since: clock.unixSeconds() ?? 0)
        do throws(StoreError) {
            guard run.mayKnowUs else {
                try store.endRun(run.nodeID)
                return nil
            }
            try store.save(removal)
        } catch { throw .store(error) }
        note(.removed, run.nodeID, "an interrupted commissioning was given up")
        return try await tell(removal)
    }

    /// Tells a device now that it was given up, if it is there.
    package func tell(_ removal: PendingRemoval) async throws(GatewayError) -> RemovalOutcome {
        let outcome: RemovalOutcome
        do throws(StoreError) {
            outcome = try await commissioner { _ in }.settle(removal)
        } catch { throw .store(error) }
        if outcome == .pending {
            await settlement?.begin()
        } else {
            note(.removed, removal.nodeID, "a pending removal has ended (\(outcome))")
        }
        return outcome
    }

    /// Ends a pending removal without a word to its device.
    package func forget(_ removal: PendingRemoval) throws(GatewayError) {
        do throws(StoreError) { try store.endRemoval(removal.nodeID) } catch {
            throw .store(error)
        }
        note(.removed, removal.nodeID, "a pending removal was forgotten")
    }
}

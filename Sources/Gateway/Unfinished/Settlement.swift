internal import Base
internal import Matter
internal import MatterNode

/// Ends what earlier processes left at devices, and goes on with it while this one lives.
///
/// It runs beside the commands, and none waits for it, save `pair` and `prepare`: they give it a
/// few seconds, since a device half added may be the very one that is to be added. When the
/// process ends, a run that is not an hour old gets those few seconds as well, so that any one
/// command is enough to end it. Older runs and removals get the time that the command itself
/// takes: one dead device must not slow down every command for ever.
actor Settlement {
    nonisolated let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private let commissioner: Commissioner
    private let told: @Sendable (Settled, Peer?) -> Void
    /// When this process began to look.
    private let start: Instant
    private let isRunning: @Sendable () -> Bool
    /// What was left at the start. A run that began later is in progress, unless none is: then
    /// its end could not be stored.
    private let interrupted: Set<NodeID>
    private var pass: LoopTask?
    private var flow: LoopTask?

    /// At once, as many as a listing asks.
    private static let settledAtOnce = 16
    /// A device that is there is connected with, or has failed, by then.
    private static let timeToSettle = Duration.seconds(6)
    /// Between tries: soon at first, since a device that was without power comes back with the
    /// gateway; then as rarely as no network minds.
    private static let firstPause = Duration.seconds(60)
    private static let longestPause = Duration.seconds(3600)
    private static let secondsToHold: Int64 = 3600

    /// - Parameters:
    ///   - isRunning: whether a commissioning is in progress.
    ///   - told: each time that something has come to its end; with the open session of a device
    ///     that was kept.
    init(
        _ commissioner: Commissioner, isRunning: @escaping @Sendable () -> Bool,
        told: @escaping @Sendable (Settled, Peer?) -> Void
    ) {
        loop = commissioner.node.loop
        self.commissioner = commissioner
        self.isRunning = isRunning
        self.told = told
        start = loop.now
        interrupted = Set(((try? commissioner.store.runs()) ?? []).map(\.nodeID))
    }

    /// Begins, unless it goes on already or nothing is left.
    func begin() {
        guard flow == nil, !unfinished.isEmpty else { return }
        // Whoever happens to begin it is not the cause of what it finds hours later.
        ConsoleUser.$current.withValue(nil) {
            flow = loop.spawn { [weak self] in await self?.keepSettling() }
        }
    }

    /// Gives what is unfinished a few seconds, if there is anything.
    func settleForAWhile() async {
        guard !unfinished.isEmpty else { return }
        await loop.wait(for: newestPass, atMost: Self.timeToSettle)
    }

    /// The process ends; what is unfinished stays in the store.
    func end() async {
        flow?.cancel()
        guard let pass else { return }
        if unfinished.runs.contains(where: isRecent) {
            await loop.wait(for: pass, atMost: Self.timeToSettle)
        }
        pass.cancel()
        await loop.wait(for: pass, atMost: .seconds(1))
    }

    // MARK: Private

    /// A store that fails is found out by what matters more.
    private var unfinished: Unfinished {
        var unfinished = (try? Unfinished(commissioner.store)) ?? Unfinished()
        if isRunning() { unfinished.runs.removeAll { !interrupted.contains($0.nodeID) } }
        return unfinished
    }

    private func isRecent(_ run: RunRecord) -> Bool {
        guard let now = commissioner.clock.unixSeconds(), run.startedAt > 0 else { return true }
        return now - run.startedAt < Self.secondsToHold
    }

    private var newestPass: LoopTask {
        if let pass { return pass }
        let pass = loop.spawn { [weak self] in await self?.settleOnce() }
        self.pass = pass
        return pass
    }

    private func keepSettling() async {
        var pause = Self.firstPause
        while !Task.isCancelled {
            await newestPass.value
            guard !unfinished.isEmpty else { break }
            do throws(CancellationError) { try await loop.sleep(for: pause) } catch { break }
            pause = min(pause + pause, Self.longestPause)
        }
        flow = nil
    }

    private enum Job: Sendable {
        case run(RunRecord)
        case removal(PendingRemoval)
    }

    /// Those that had no turn before the time was over have it another time, for the order
    /// changes.
    private func settleOnce() async {
        defer { pass = nil }
        let unfinished = unfinished
        var removals = unfinished.removals.map { Job.removal($0) }
        if !removals.isEmpty {
            let first = Int(commissioner.random.drawUInt16()) % removals.count
            removals = Array(removals[first...] + removals[..<first])
        }
        let jobs = unfinished.runs.map { Job.run($0) } + removals
        await withTaskGroup(of: Void.self) { group in
            for (index, job) in jobs.enumerated() {
                if index >= Self.settledAtOnce { await group.next() }
                guard !Task.isCancelled else { break }
                group.addTask { [self] in await settle(job) }
            }
        }
    }

    private func settle(_ job: Job) async {
        // A store that takes nothing leaves everything as it is.
        switch job {
        case .run(let run):
            switch try? await commissioner.settle(run, seenAt: start) {
            case .kept(let node, let peer)?: told(.kept(node), peer)
            case .rolledBack(let reason)?: told(.rolledBack(run, reason), nil)
            case .open?, nil: break
            }
        case .removal(let removal):
            let outcome = try? await commissioner.settle(removal)
            if let outcome, outcome != .pending { told(.told(removal, outcome), nil) }
        }
    }
}

extension Loop {
    /// Waits until the flow has ended, and no longer than this.
    func wait(for flow: LoopTask, atMost time: Duration) async {
        let done = LoopWait<Void>()
        let timer = schedule(at: now + time) { done.resume(returning: ()) }
        spawn {
            await flow.value
            done.resume(returning: ())
        }
        // A cancelled end is an end as well.
        try? await done.value()
        cancel(timer)
    }
}

internal import Base
internal import Matter
package import MatterNode

/// How a commissioning goes, for whoever watches all of them.
package enum RunEvent: Sendable {
    case step(CommissioningStep)
    case ended(Result<NodeRecord, CommissioningError>)
}

extension Gateway {
    /// Commissions one device that is on the network. One run goes on at a time, whoever asks;
    /// it ends with the caller's cancellation, or with `cancelRun`.
    /// - Parameter tookPlace: told of a node that has gone because the device took its place.
    package func commission(
        _ request: CommissioningRequest,
        progress: @escaping @Sendable (CommissioningStep) -> Void,
        warning: @escaping @Sendable (CommissioningWarning) -> Void = { _ in },
        tookPlace: @escaping @Sendable (NodeRecord) -> Void = { _ in }
    ) async throws(CommissioningError) -> NodeRecord {
        guard run == nil else {
            throw CommissioningError(
                .prepare,
                .notPrepared(["\(PrepareReport.otherRun): \(PrepareReport.otherRunRemedy)"]))
        }
        let outcome = RunOutcome()
        let task = loop.spawn { @Sendable [self] in
            do throws(CommissioningError) {
                outcome.result = .success(
                    try await perform(
                        request,
                        progress: { [self] step in
                            progress(step)
                            assumeIsolated { $0.runObserver?(.step(step)) }
                        }, warning: warning, tookPlace: tookPlace))
            } catch { outcome.result = .failure(error) }
        }
        run = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        run = nil
        guard let result = outcome.result else { preconditionFailure("the run has ended") }
        runObserver?(.ended(result))
        let waits = runWaits
        runWaits = []
        for wait in waits { wait.resume(returning: ()) }
        return try result.get()
    }

    /// Ends the run in progress; what it did at the device is undone behind it.
    /// - Returns: false when there is none.
    package func cancelRun() -> Bool {
        guard let run else { return false }
        run.cancel()
        return true
    }

    /// Waits until a run could begin.
    package func untilNoRun() async throws(CancellationError) {
        while run != nil {
            let wait = LoopWait<Void>()
            runWaits.append(wait)
            try await wait.value()
        }
    }

    /// - Parameter observer: called on the loop; replaces the one before.
    package func observeRuns(_ observer: @escaping @Sendable (RunEvent) -> Void) {
        runObserver = observer
    }
}

extension PrepareReport {
    static let otherRun = "another device is being added"
    static let otherRunRemedy = "wait until that has ended, or type cancel"
}

/// Written by the run, read once it has ended; both on the loop.
private final class RunOutcome: @unchecked Sendable {
    var result: Result<NodeRecord, CommissioningError>?
}

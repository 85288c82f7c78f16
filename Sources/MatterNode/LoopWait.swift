/// One value that a flow waits for and that something on the loop delivers.
///
/// The wait ends by itself when the waiting task is cancelled. Delivering twice keeps the first
/// value: a timer and an answer may both come in one turn of the loop.
package final class LoopWait<Value: Sendable>: @unchecked Sendable {
    private var result: Result<Value, CancellationError>?
    private var continuation: Continuation?

    private typealias Continuation = CheckedContinuation<Result<Value, CancellationError>, Never>

    package init() {}

    package var isResumed: Bool { result != nil }

    package func resume(with result: Result<Value, CancellationError>) {
        guard self.result == nil else { return }
        self.result = result
        continuation?.resume(returning: result)
        continuation = nil
    }

    package func resume(returning value: Value) { resume(with: .success(value)) }

    /// - Throws: when the task that waits was cancelled.
    package func value() async throws(CancellationError) -> Value {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiting: Continuation) in
                if let result {
                    waiting.resume(returning: result)
                } else {
                    continuation = waiting
                }
            }
        } onCancel: {
            self.resume(with: .failure(CancellationError()))
        }
        return try outcome.get()
    }
}

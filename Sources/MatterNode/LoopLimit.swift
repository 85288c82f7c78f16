internal import Base

extension Loop {
    /// The value of a flow that is cancelled when it takes longer than this, or when its caller
    /// is cancelled. A cancelled flow ends by itself and has a value all the same.
    package func value<Value: Sendable>(
        within time: Duration, of body: @escaping @Sendable () async -> Value
    ) async -> Value {
        let result = LoopWait<Value>()
        let flow = spawn { result.resume(returning: await body()) }
        let timer = schedule(at: now + time) { flow.cancel() }
        defer { cancel(timer) }
        await withTaskCancellationHandler {
            await flow.value
        } onCancel: {
            flow.cancel()
        }
        do throws(CancellationError) { return try await result.value() } catch {
            preconditionFailure("a flow that has ended has its value")
        }
    }
}

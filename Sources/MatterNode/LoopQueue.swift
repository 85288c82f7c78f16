package import Base

/// Values on their way from the loop to one flow: datagrams' messages, discoveries.
///
/// Bounded: what finds no room is refused, and the sender of a message sends it again.
package final class LoopQueue<Element: Sendable>: @unchecked Sendable {
    private let loop: Loop
    private let bound: Int
    private var elements: [Element] = []
    private var wait: LoopWait<Void>?

    package init(on loop: Loop, bound: Int) {
        self.loop = loop
        self.bound = bound
    }

    /// False when the queue is full and the element was not taken.
    @discardableResult
    package func push(_ element: Element) -> Bool {
        guard elements.count < bound else { return false }
        elements.append(element)
        wait?.resume(returning: ())
        return true
    }

    /// What waits already, without waiting for more.
    package func take() -> Element? { elements.isEmpty ? nil : elements.removeFirst() }

    /// The next element, or nil at the deadline. One flow waits at a time.
    /// - Throws: at once when the task is cancelled.
    package func next(until deadline: Instant) async throws(CancellationError) -> Element? {
        precondition(wait == nil, "one flow waits at a queue")
        if elements.isEmpty {
            let wait = LoopWait<Void>()
            self.wait = wait
            let timer = loop.schedule(at: deadline) { wait.resume(returning: ()) }
            defer {
                loop.cancel(timer)
                self.wait = nil
            }
            try await wait.value()
        } else if Task.isCancelled {
            throw CancellationError()
        }
        return elements.isEmpty ? nil : elements.removeFirst()
    }
}

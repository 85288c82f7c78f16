internal import Base
package import MatterNode

/// Takes readings as they come, decides which of them are kept, and gives the history its time.
///
/// Scope: which readings. Not scope: how they are kept (`History`). It belongs to the loop's
/// thread, as what calls it does.
///
/// Kept is every change, and of what stays the same one reading in a minute: fewer would make a
/// device that is away look like one that does not change, more would fill the card with what
/// is known.
package final class HistoryRecorder: @unchecked Sendable {
    private let history: any History
    private let loop: Loop
    private var latest: [ReadingSource: Reading] = [:]
    private var timer: (id: TimerID, deadline: Instant)?
    private var isRunning = false

    /// Of a value that stays as it is, from one kept reading to the next.
    private static let repetition: Duration = .seconds(60)
    /// A node that reports when the minute is nearly over is not left out of it.
    private static let tolerance: Duration = .seconds(2)
    /// Sources of which repetitions are known; of further ones every reading is kept. More than
    /// twice those of 250 nodes.
    private static let sources = 4096

    /// Made once: the timer is set anew after every reading.
    private lazy var ticking: () -> Void = { [weak self] in self?.tick() }

    package init(_ history: any History, loop: Loop) {
        self.history = history
        self.loop = loop
    }

    package func start() {
        isRunning = true
        setTimer()
    }

    /// What was read is on the medium when this returns, if the medium takes it.
    package func stop() {
        isRunning = false
        if let timer { loop.cancel(timer.id) }
        timer = nil
        history.flush(at: loop.now)
    }

    package func record(_ reading: Reading) {
        if let last = latest[reading.source], last.value == reading.value,
            reading.at - last.at < Self.repetition - Self.tolerance
        {
            return
        }
        if latest.count < Self.sources || latest[reading.source] != nil {
            latest[reading.source] = reading
        }
        history.append(reading)
        if isRunning { setTimer() }
    }

    private func tick() {
        timer = nil
        history.advance(to: loop.now)
        setTimer()
    }

    private func setTimer() {
        guard let deadline = history.nextDeadline else { return }
        if let timer {
            guard deadline < timer.deadline else { return }
            loop.cancel(timer.id)
        }
        timer = (loop.schedule(at: deadline, ticking), deadline)
    }
}

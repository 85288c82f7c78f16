internal import Base
internal import Gateway
internal import LinuxIO
internal import MatterNode

extension Wiring {
    /// The history beside a state file. Who has the state has the history: no other process
    /// touches it.
    func makeHistory(of store: SQLiteStore) -> HistoryFile {
        let clock = Self.clock()
        var surroundings = HistoryFile.Surroundings(
            boot: KernelFile.bootID,
            unixMilliseconds: {
                clock.unixSeconds() == nil ? nil : WallClock.milliseconds
            },
            bounds: { [weak store] in
                guard let store, let settings = try? Settings(store) else { return HistoryBounds() }
                return settings.historyBounds
            })
        surroundings.mayWrite = { [weak self] in !(self?.isShakingHands ?? false) }
        surroundings.notify = { [weak self] notice in self?.report(Explanation(notice).line) }
        return HistoryFile(beside: statePath, surroundings, at: poll.loop.now)
    }
}

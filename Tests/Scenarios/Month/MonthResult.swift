/// How a month ended.
package struct MonthResult: Sendable {
    package let seed: UInt64
    package internal(set) var days: [Day] = []
    /// What was found to be wrong; empty when all is well.
    package internal(set) var faults: [String] = []
    /// What happened when, for people who look for a cause.
    package internal(set) var timeline: [String] = []
    /// Lives of the gateway, the first included.
    package internal(set) var lives = 0
    package internal(set) var readings = 0
    /// That came to the broker, those that did again after a cut, and those that a power cut took
    /// out of memory before.
    package internal(set) var forwarded = 0
    package internal(set) var repeated = 0
    package internal(set) var lost = 0
    package internal(set) var undated = 0
    package internal(set) var alertsRaised = 0
    /// Seconds without a reading where nothing was wrong, at most.
    package internal(set) var longestGap: Int64 = 0
    package internal(set) var turns = 0

    /// As a quiet evening ends.
    package struct Day: Sendable {
        /// Octets that are allocated in the whole process, the devices included.
        package internal(set) var heap = 0
        /// What SQLite has of them: its caches fill up to their bounds.
        package internal(set) var pages = 0
        /// What the run itself keeps of what happened: its timeline, the readings that it follows
        /// to the broker, the directions of its network, and the events of the store in memory,
        /// which on a board are rows of a file, with a bound.
        package internal(set) var notes = 0
        /// What is left of the heap without either.
        package var rest: Int { heap - pages - notes }
        package internal(set) var timers = 0
        package internal(set) var sessions = 0
        package internal(set) var exchanges = 0
        package internal(set) var inboxes = 0
        package internal(set) var browsers = 0
        package internal(set) var subscriptions = 0
    }

    init(seed: UInt64) { self.seed = seed }
}

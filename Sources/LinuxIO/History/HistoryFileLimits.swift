/// Bounds of the history's file, each with its reason.
enum HistoryFileLimits {
    /// Between two flushes: what a power cut may cost, and how long an SD card has its rest.
    static let flushInterval: Duration = .seconds(30)
    /// From one step of upkeep to the next while there is work: the loop is others' in between.
    static let stepPause: Duration = .milliseconds(50)
    /// Until somebody looks again whether there is upkeep.
    static let idlePause: Duration = .seconds(60)
    /// How long the clock must have held before what is old is forgotten: one that was set to a
    /// wrong year is set right again by then.
    static let clockPatience: Duration = .seconds(3600)
    /// Readings summed up by one step of gathering, or deleted by one: some milliseconds.
    static let stepReadings = 2000
    /// Summaries written by one step: each may be a page of its own.
    static let stepSummaries = 200
    /// Sources looked at by one step of forgetting.
    static let stepSources = 16
    /// Numbers looked through by one step of a scan: their rows are small and lie in a row.
    static let scanReadings: Int64 = 20_000
    /// Octets of a page.
    static let pageBytes = 4096
    /// Of the file's bound, in parts of ten: where forgetting begins, so that there is room for
    /// flushes while it goes on.
    static let softTenths = 9
    /// Pages given back to the file system by one step.
    static let stepPages = 256
    /// Summaries are made of so many milliseconds at once: pages of 12 summaries of each source
    /// are written once, not 12 times.
    static let window: Int64 = 3_600_000
    /// Oldest readings that are forgotten at once when the file is full, in milliseconds: a day.
    static let sizeStep: Int64 = 86_400_000
    /// Boots kept: a board that restarts every hour has as many in a year.
    static let boots = 8800
}

package import Base
package import Matter

/// What was read, kept for people and for programs that fetch it later. It may be lost without
/// harm to the gateway: nothing here throws its owner off, `trouble` tells what is wrong.
///
/// A reading that is appended is in memory at once and on the medium with the next flush.
package protocol History: AnyObject {
    /// Takes the reading into memory and gives it the next sequence number. Readings of one
    /// source come in the order of their instants.
    func append(_ reading: Reading)
    /// The number of the latest reading; 0 before the first. Numbers rise in the order of
    /// appending: by one, and at a restart by as many as the process before may have handed on
    /// without writing them. None is used again while the file lasts.
    var lastSequence: Int64 { get }

    /// The readings that follow `sequence`, those in memory included, in the order of their
    /// numbers. Numbers may be missing: of what was lost and of what is kept no more.
    func readings(after sequence: Int64, limit: Int) throws(HistoryError) -> [HistoryRow]
    /// Up to which number readings were handed on to another keeper, such as a broker; nil when
    /// there is none. Those after it stay single readings for `HistoryBounds.unforwardedAge`. It
    /// is stored with the next flush, and so outlives a restart.
    var forwarded: Int64? { get set }

    /// What was read of a node or of the places that it took.
    func sources(of historyID: NodeID) throws(HistoryError) -> [ReadingSource]
    /// Goes on with a scan for a bounded time.
    func advance(_ scan: inout HistoryScan) throws(HistoryError)

    /// Writes what is in memory now, whoever is at work: for the end of the process.
    func flush(at now: Instant)
    /// Flushes, sums up and forgets as far as it is time, in small steps.
    func advance(to now: Instant)
    /// When to call `advance` at the latest; nil while there is nothing to do.
    var nextDeadline: Instant? { get }
    /// What keeps readings from the medium at the moment.
    var trouble: HistoryTrouble? { get }
}

/// A reading with its place in the history.
package struct HistoryRow: Equatable, Sendable {
    package let sequence: Int64
    package let source: ReadingSource
    /// As `Reading` has it.
    package let value: Int64?
    /// Milliseconds since 1970; nil while the date is not known.
    package let unixMilliseconds: Int64?

    package init(
        sequence: Int64, source: ReadingSource, value: Int64?, unixMilliseconds: Int64?
    ) {
        self.sequence = sequence
        self.source = source
        self.value = value
        self.unixMilliseconds = unixMilliseconds
    }
}

/// Why readings are not written.
package enum HistoryTrouble: Equatable, Sendable {
    case full
    case readOnly
    /// Another process has the file, or it cannot be opened; the system's error number.
    case cannotOpen(errno: Int32)
    /// Any other failure; SQLite's extended result code.
    case failed(code: Int32)
}

/// What the owner tells people once, and not again until it changes.
package enum HistoryNotice: Equatable, Sendable {
    /// Readings are kept in memory, the newest of them, until it is over.
    case trouble(HistoryTrouble)
    /// Recording goes on; so many readings were lost in between.
    case resumed(lost: Int)
    /// The file was damaged and is kept under this name; a new one was begun.
    case setAside(name: String)
    /// Written by a newer version and kept under this name; a new one was begun.
    case newer(name: String)
}

package enum HistoryError: Error, Equatable {
    case cannotRead(HistoryTrouble)
}

/// How long and how much is kept.
package struct HistoryBounds: Equatable, Sendable {
    /// Age at which what was read is forgotten.
    package var days: Int
    /// Size of the file, in units of a million octets.
    package var megabytes: Int

    package init(days: Int = 365, megabytes: Int = 200) {
        self.days = days
        self.megabytes = megabytes
    }

    /// Single readings become 5-minute summaries at this age.
    package static let rawAge: Duration = .seconds(86_400)
    /// Those that were not handed on yet do so at this age.
    package static let unforwardedAge: Duration = .seconds(7 * 86_400)
    /// What a summary covers.
    package static let summaryMilliseconds: Int64 = 300_000
}

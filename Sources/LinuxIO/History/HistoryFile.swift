package import Base
internal import CSQLite
internal import Matter
package import MatterNode

/// The history in one SQLite file. It is the process's alone, and belongs to the loop's thread.
///
/// Between two flushes nothing is written; whatever is wrong with the file is told once, the
/// newest readings stay in memory, and every flush tries again. A damaged file is set aside.
package final class HistoryFile: History {
    /// What the history needs to know of its surroundings.
    package struct Surroundings {
        /// The kernel's name of this boot: monotonic times of one boot compare.
        package let boot: String
        /// Milliseconds since 1970; nil while the clock is not plausible.
        package let unixMilliseconds: () -> Int64?
        package let bounds: () -> HistoryBounds
        /// False while something has the processor or the card to itself.
        package var mayWrite: () -> Bool = { true }
        package var notify: (HistoryNotice) -> Void = { _ in }

        package init(
            boot: String, unixMilliseconds: @escaping () -> Int64?,
            bounds: @escaping () -> HistoryBounds = { HistoryBounds() }
        ) {
            self.boot = boot
            self.unixMilliseconds = unixMilliseconds
            self.bounds = bounds
        }
    }

    /// A boot as the file has it.
    struct Boot {
        let id: Int64
        let name: String
        var offset: Int64?
        /// Where its 5-minute slots begin on the monotonic clock: at whole 5 minutes of the date.
        var phase: Int64
    }

    /// An open file with what is known of its content.
    struct Content {
        let database: Database
        let statements: HistoryStatements
        var sources: [ReadingSource: Int64] = [:]
        var boots: [Int64: Boot] = [:]
        /// Readings up to this number are summed up; those that are left are nobody's.
        var summed: Int64 = 0
    }

    let paths: HistoryPaths
    let surroundings: Surroundings
    var content: Content?
    var batch: HistoryBatch
    var dating: ReadingDating
    /// Since when the clock has held; nil while it is not known.
    var datedSince: Instant?
    var upkeep = HistoryUpkeep()
    package private(set) var trouble: HistoryTrouble?
    package var forwarded: Int64? {
        didSet { isForwardedStored = isForwardedStored && forwarded == oldValue }
    }
    private var isForwardedStored = true
    private var isDatingStored = true
    /// Before, numbers are only preliminary.
    private(set) var wasOpen = false
    private var latest = Instant(nanoseconds: .min)
    private var flushDue: Instant
    var stepDue: Instant
    /// Transactions of readings since the opening.
    private(set) var flushes = 0

    /// - Parameter state: the state file beside which it lies.
    package convenience init(beside state: String, _ surroundings: Surroundings, at now: Instant) {
        self.init(HistoryPaths(beside: state), surroundings, at: now)
    }

    init(
        _ paths: HistoryPaths, _ surroundings: Surroundings, at now: Instant,
        pending: Int = HistoryLimits.pending
    ) {
        self.paths = paths
        self.surroundings = surroundings
        batch = HistoryBatch(bound: pending)
        dating = ReadingDating()
        flushDue = now + HistoryFileLimits.flushInterval
        stepDue = now + HistoryFileLimits.flushInterval
        attempt { () throws(StoreError) in try open() }
        observeClock(at: now)
    }

    // MARK: Readings

    package var lastSequence: Int64 { batch.last }

    package func append(_ reading: Reading) {
        // An instant is taken before its reading is appended, by a turn of the loop at most.
        latest = max(latest, reading.at)
        // A batch is made of what comes within an interval, however long nothing came before.
        if batch.isEmpty { flushDue = max(flushDue, latest + HistoryFileLimits.flushInterval) }
        if reading.at == latest {
            batch.append(reading)
        } else {
            batch.append(Reading(source: reading.source, value: reading.value, at: latest))
        }
    }

    // MARK: Time

    package var nextDeadline: Instant? { isDirty ? min(flushDue, stepDue) : stepDue }

    private var isDirty: Bool {
        !batch.isEmpty || !isForwardedStored || !isDatingStored || trouble != nil
    }

    package func advance(to now: Instant) {
        guard now >= min(isDirty ? flushDue : stepDue, stepDue) else { return }
        observeClock(at: now)
        guard surroundings.mayWrite() else {
            let soon = now + HistoryFileLimits.stepPause
            flushDue = max(flushDue, soon)
            stepDue = max(stepDue, soon)
            return
        }
        if isDirty, now >= flushDue { return flush(at: now) }
        guard now >= stepDue else { return }
        stepDue = now + HistoryFileLimits.idlePause
        guard content != nil, trouble == nil || trouble == .full else { return }
        attempt { () throws(StoreError) in
            if try takeStep(at: now) { stepDue = now + HistoryFileLimits.stepPause }
        }
    }

    func observeClock(at now: Instant) {
        let date = surroundings.unixMilliseconds()
        let change = dating.observe(unixMilliseconds: date, at: now)
        if date != nil, datedSince == nil { datedSince = now }
        guard change != .none else { return }
        datedSince = now
        isDatingStored = false
    }

    // MARK: Flushing

    package func flush(at now: Instant) {
        observeClock(at: now)
        flushDue = now + HistoryFileLimits.flushInterval
        guard isDirty else { return }
        attempt { () throws(StoreError) in
            if content == nil { try open() }
            try write()
        }
    }

    private func write() throws(StoreError) {
        guard var content else { return }
        try content.database.transaction { () throws(StoreError) in
            let boot = try storedBoot(&content)
            let statements = content.statements
            var sequence = batch.first
            for reading in batch.readings {
                let source = try storedSource(reading.source, &content)
                let put = statements.putReading
                put.bind(0, sequence)
                put.bind(1, boot)
                put.bind(2, source)
                put.bind(3, ReadingDating.milliseconds(reading.at))
                if let value = reading.value { put.bind(4, value) } else { put.bindNull(4) }
                try put.run()
                sequence += 1
            }
            if !isForwardedStored, let forwarded {
                statements.setState.bind(0, forwarded)
                try statements.setState.run()
            }
        }
        // What was read into the maps is in the file only now.
        self.content = content
        flushes += 1
        isForwardedStored = true
        isDatingStored = true
        let lost = batch.lost
        batch.clear()
        if trouble != nil {
            trouble = nil
            surroundings.notify(.resumed(lost: lost))
        }
    }

    private func storedBoot(_ content: inout Content) throws(StoreError) -> Int64 {
        let known = content.boots.values.first { $0.name == surroundings.boot }
        guard var boot = known else {
            let id = (content.boots.keys.max() ?? 0) + 1
            let boot = Boot(
                id: id, name: surroundings.boot, offset: dating.offset, phase: phase())
            let put = content.statements.putBoot
            put.bind(0, id)
            put.bind(1, boot.name)
            if let offset = boot.offset { put.bind(2, offset) } else { put.bindNull(2) }
            put.bind(3, boot.phase)
            try put.run()
            content.boots[id] = boot
            return id
        }
        guard let offset = dating.offset, boot.offset != offset else { return boot.id }
        // Once there may be summaries their slots stay where they are.
        if boot.offset == nil { boot.phase = phase() }
        boot.offset = offset
        let set = content.statements.setOffset
        set.bind(0, offset)
        set.bind(1, boot.phase)
        set.bind(2, boot.id)
        try set.run()
        content.boots[boot.id] = boot
        return boot.id
    }

    private func phase() -> Int64 {
        let slot = HistoryBounds.summaryMilliseconds
        return ((dating.offset ?? 0) % slot + slot) % slot
    }

    private func storedSource(
        _ source: ReadingSource, _ content: inout Content
    ) throws(StoreError) -> Int64 {
        if let id = content.sources[source] { return id }
        let id = Int64(content.sources.count) + 1
        let put = content.statements.putSource
        put.bind(0, id)
        put.bind(1, Int64(bitPattern: source.historyID.rawValue))
        put.bind(2, Int64(source.endpoint.rawValue))
        put.bind(3, Int64(source.cluster.rawValue))
        put.bind(4, Int64(source.attribute.rawValue))
        try put.run()
        content.sources[source] = id
        return id
    }

    // MARK: Trouble

    /// Runs what touches the file. One that is damaged is set aside, and a new one takes its
    /// place at once; what was not written yet goes there.
    func attempt(_ body: () throws(StoreError) -> Void) {
        do throws(StoreError) {
            do throws(StoreError) { return try body() } catch {
                guard error.isDamageOfHistory else { throw error }
            }
            try beginAnew { .setAside(name: $0) }
            try write()
        } catch {
            fail(error)
        }
    }

    func beginAnew(_ notice: (String) -> HistoryNotice) throws(StoreError) {
        content = nil
        upkeep = HistoryUpkeep()
        let name = try paths.setAside()
        try open()
        isForwardedStored = forwarded == nil
        surroundings.notify(notice(name))
    }

    private func fail(_ error: StoreError) {
        let new: HistoryTrouble =
            switch error {
            case .full: .full
            case .readOnly: .readOnly
            case .cannotOpen(let number): .cannotOpen(errno: number)
            case .failed(let code): .failed(code: code)
            case .inUse, .damaged, .tooNew: .failed(code: SQLITE_BUSY)
            }
        // A full file is good and is written again as it is.
        if error != .full { content = nil }
        guard new != trouble else { return }
        trouble = new
        surroundings.notify(.trouble(new))
    }

    // MARK: Opening

    private func open() throws(StoreError) {
        do throws(StoreError) {
            try read()
        } catch {
            if case .tooNew = error { return try beginAnew { .newer(name: $0) } }
            guard error.isDamage else { throw error }
            try beginAnew { .setAside(name: $0) }
        }
    }

    private func read() throws(StoreError) {
        try paths.make()
        let database = try Database(path: paths.database)
        for setting in HistorySchema.settings { try database.execute("PRAGMA \(setting)") }
        let version = try database.integer("PRAGMA user_version") ?? 0
        let isNew = version == 0
        if version > HistorySchema.version { throw .tooNew(version: Int(version)) }
        if isNew { try HistorySchema.create(in: database) }
        var content = Content(
            database: database, statements: try HistoryStatements(database))
        try readMaps(&content)
        let stored = try database.integer("SELECT max(sequence) FROM reading") ?? 0
        let taken = max(stored, content.summed)
        // A process that was killed may have handed on what it had in memory alone: those
        // numbers are somebody else's memory of other readings.
        batch.number(after: taken + (isNew || wasOpen ? 0 : Int64(batch.bound)))
        if stored == 0, content.summed < batch.first - 1 {
            // Numbers of the file before go on here.
            content.summed = batch.first - 1
            content.statements.setSummed.bind(0, content.summed)
            try content.statements.setSummed.run()
        }
        if !wasOpen {
            wasOpen = true
            forwarded = try database.integer(
                "SELECT forwarded FROM state WHERE forwarded IS NOT NULL")
            // Nothing is between the last and the next.
            if let forwarded, forwarded >= taken { self.forwarded = batch.first - 1 }
            isForwardedStored = true
        }
        try restrictSize(of: database)
        self.content = content
    }

    private func readMaps(_ content: inout Content) throws(StoreError) {
        content.summed = try content.database.integer("SELECT summed FROM state") ?? 0
        var boots: [Int64: Boot] = [:]
        let statement = try content.database.prepare(
            "SELECT id, name, offset, phase FROM boot ORDER BY id DESC"
                + " LIMIT \(HistoryFileLimits.boots)")
        while try statement.step() {
            let boot = Boot(
                id: statement.integer(0), name: statement.text(1),
                offset: statement.isNull(2) ? nil : statement.integer(2),
                phase: statement.integer(3))
            boots[boot.id] = boot
            // The clock need not be plausible again yet after a restart in one boot.
            if boot.name == surroundings.boot, dating.offset == nil, let offset = boot.offset {
                dating = ReadingDating(offset: offset)
            }
        }
        content.boots = boots
        let sources = try content.database.prepare(
            "SELECT id, history_id, endpoint, cluster, attribute FROM source")
        while try sources.step() {
            let source = ReadingSource(
                historyID: NodeID(UInt64(bitPattern: sources.integer(1))),
                endpoint: EndpointID(UInt16(truncatingIfNeeded: sources.integer(2))),
                cluster: ClusterID(UInt32(truncatingIfNeeded: sources.integer(3))),
                attribute: AttributeID(UInt32(truncatingIfNeeded: sources.integer(4))))
            content.sources[source] = sources.integer(0)
        }
    }
}

extension KernelFile {
    /// Another one after every start of the machine. Where it is not told, another one for every
    /// process: its readings are dated, and none of an earlier boot is mistaken for its own.
    package static var bootID: String {
        text("/proc/sys/kernel/random/boot_id") ?? "at \(WallClock.milliseconds)"
    }
}

extension StoreError {
    /// Whether it means, while an open file is read and written, that the file is damaged.
    fileprivate var isDamageOfHistory: Bool {
        guard case .failed(let code) = self else { return false }
        return code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB
    }
}

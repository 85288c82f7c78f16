internal import Base
internal import MatterNode

/// Where the upkeep of a history is: what is gathered for summaries, and what is forgotten.
struct HistoryUpkeep {
    /// The source and the 5 minutes, counted from the boot's phase.
    struct Slot: Hashable, Comparable {
        let source: Int64
        let slot: Int64

        static func < (left: Slot, right: Slot) -> Bool {
            (left.source, left.slot) < (right.source, right.slot)
        }
    }

    /// One hour of readings on the way to their summaries.
    struct Window {
        let boot: Int64
        let phase: Int64
        /// On the monotonic clock, in milliseconds.
        let end: Int64
        /// No date will ever be known of them, or there is no room to wait for it.
        let isDiscarded: Bool
        /// Whatever their age, for there is no room.
        let isForced: Bool
        var sequence: Int64
        var gathered: [Slot: HistoryPoint.Summary] = [:]
        /// Once all are gathered; the last is written first.
        var isWhole = false
        var slots: [Slot] = []
    }

    var window: Window?
    /// What begins before, in milliseconds since 1970, is forgotten, source by source.
    var forgetBefore: Int64?
    var forgetNext: Int64 = 1
    /// When age is looked at again.
    var ageDue: Instant?
}

extension HistoryFile {
    /// One bounded step of what is to be done.
    /// - Returns: whether there is more.
    func takeStep(at now: Instant) throws(StoreError) -> Bool {
        guard let content else { return false }
        if upkeep.window != nil { return try continueWindow(content, at: now) }
        if try deleteSummedUp(content) { return true }
        if upkeep.forgetBefore != nil { return try forgetSome(content) }
        if try beginWindow(content, at: now, isForced: false) { return true }
        if isAgeDue(at: now) {
            upkeep.ageDue = now + HistoryFileLimits.clockPatience
            if let date = dating.date(now) {
                let age = Int64(surroundings.bounds().days) * 86_400_000
                forget(before: date - age)
                return true
            }
        }
        return try fitSize(content, at: now)
    }

    private func isAgeDue(at now: Instant) -> Bool {
        guard let datedSince, now - datedSince >= HistoryFileLimits.clockPatience else {
            return false
        }
        return upkeep.ageDue.map { now >= $0 } ?? true
    }

    // MARK: Summing up

    private func beginWindow(
        _ content: Content, at now: Instant, isForced: Bool
    ) throws(StoreError) -> Bool {
        let next = content.statements.getAfter
        next.bind(0, content.summed)
        defer { next.reset() }
        guard try next.step() else { return false }
        let sequence = next.integer(0)
        guard let boot = content.boots[next.integer(1)] else { throw .corrupt }
        let length = HistoryFileLimits.window
        let end = Self.floor(next.integer(2) + boot.phase, length) + length - boot.phase
        let window = HistoryUpkeep.Window(
            boot: boot.id, phase: boot.phase, end: end,
            isDiscarded: boot.offset == nil && (isForced || boot.name != surroundings.boot),
            isForced: isForced, sequence: content.summed)
        guard isOld(window, sequence, boot, at: now) else { return false }
        upkeep.window = window
        return true
    }

    private func isOld(
        _ window: HistoryUpkeep.Window, _ sequence: Int64, _ boot: Boot, at now: Instant
    ) -> Bool {
        let isWaiting = forwarded.map { sequence > $0 } ?? false
        let needed =
            window.isForced
            ? 0
            : (isWaiting ? HistoryBounds.unforwardedAge : HistoryBounds.rawAge).milliseconds
        if boot.name == surroundings.boot {
            // What has no date yet waits for it.
            guard boot.offset != nil || window.isForced else { return false }
            return window.end + needed <= ReadingDating.milliseconds(now)
        }
        guard let offset = boot.offset else { return !isWaiting || window.isForced }
        guard let date = dating.date(now) else { return window.isForced }
        return window.end + offset + needed <= date
    }

    private func continueWindow(
        _ content: Content, at now: Instant
    ) throws(StoreError) -> Bool {
        guard var window = upkeep.window else { return false }
        // Its dictionary is not to be copied by a change.
        upkeep.window = nil
        if !window.isWhole {
            let isUsed = try gather(content, into: &window, at: now)
            if isUsed { upkeep.window = window }
            return isUsed
        }
        let isLast = window.slots.count <= HistoryFileLimits.stepSummaries
        try content.database.transaction { () throws(StoreError) in
            for slot in window.slots.suffix(HistoryFileLimits.stepSummaries) {
                guard let gathered = window.gathered[slot] else { continue }
                try put(gathered, slot, window.boot, content.statements)
            }
            guard isLast else { return }
            content.statements.setSummed.bind(0, window.sequence)
            try content.statements.setSummed.run()
        }
        if isLast {
            self.content?.summed = window.sequence
        } else {
            window.slots.removeLast(HistoryFileLimits.stepSummaries)
            upkeep.window = window
        }
        return true
    }

    /// - Returns: false when a reading is among them that has to wait.
    private func gather(
        _ content: Content, into window: inout HistoryUpkeep.Window, at now: Instant
    ) throws(StoreError) -> Bool {
        let get = content.statements.getReadings
        get.bind(0, window.sequence)
        get.bind(1, Int64(HistoryFileLimits.stepReadings))
        defer { get.reset() }
        guard let boot = content.boots[window.boot] else { throw .corrupt }
        var count = 0
        while try get.step() {
            count += 1
            let time = get.integer(3)
            guard get.integer(1) == window.boot, time < window.end else {
                count = 0
                break
            }
            let sequence = get.integer(0)
            guard isOld(window, sequence, boot, at: now) else { return false }
            window.sequence = sequence
            guard !window.isDiscarded, !get.isNull(4) else { continue }
            let slot = HistoryUpkeep.Slot(
                source: get.integer(2),
                slot: Self.floor(time + window.phase, HistoryBounds.summaryMilliseconds)
                    / HistoryBounds.summaryMilliseconds)
            let value = HistoryPoint.Summary(get.integer(4))
            if window.gathered[slot]?.add(value) == nil { window.gathered[slot] = value }
        }
        guard count < HistoryFileLimits.stepReadings else { return true }
        window.isWhole = true
        window.slots = window.gathered.keys.sorted(by: >)
        return true
    }

    private func put(
        _ gathered: HistoryPoint.Summary, _ slot: HistoryUpkeep.Slot, _ boot: Int64,
        _ statements: HistoryStatements
    ) throws(StoreError) {
        let put = statements.putSummary
        put.bind(0, slot.source)
        put.bind(1, boot)
        put.bind(2, slot.slot)
        put.bind(3, gathered.low)
        // Small numbers take little room; what overflows comes back the same way.
        let mean = gathered.mean
        put.bind(4, mean &- gathered.low)
        put.bind(5, gathered.high &- mean)
        put.bind(6, Int64(gathered.sum - Int128(mean) * Int128(gathered.count)))
        put.bind(7, Int64(gathered.count))
        try put.run()
    }

    private func deleteSummedUp(_ content: Content) throws(StoreError) -> Bool {
        let oldest = content.statements.oldest
        defer { oldest.reset() }
        guard try oldest.step(), !oldest.isNull(0) else { return false }
        let first = oldest.integer(0)
        oldest.reset()
        guard first <= content.summed else { return false }
        let delete = content.statements.deleteReadings
        delete.bind(0, min(content.summed, first + Int64(HistoryFileLimits.stepReadings)))
        try delete.run()
        return true
    }

    // MARK: Forgetting

    private func forget(before date: Int64) {
        upkeep.forgetBefore = date
        upkeep.forgetNext = 1
    }

    private func forgetSome(_ content: Content) throws(StoreError) -> Bool {
        guard let date = upkeep.forgetBefore else { return false }
        for _ in 0..<HistoryFileLimits.stepSources {
            guard upkeep.forgetNext <= Int64(content.sources.count) else {
                upkeep.forgetBefore = nil
                try forgetBoots(content, before: date)
                return true
            }
            if try forget(upkeep.forgetNext, before: date, content) { return true }
            upkeep.forgetNext += 1
        }
        return true
    }

    /// - Returns: whether something was forgotten; there may be more.
    private func forget(
        _ source: Int64, before date: Int64, _ content: Content
    ) throws(StoreError) -> Bool {
        guard let (boot, slot) = try firstSlot(of: source, content) else { return false }
        let length = HistoryBounds.summaryMilliseconds
        let bound = Self.floor(date - boot.start, length) / length
        guard slot < bound else { return false }
        let delete = content.statements.deleteSummaries
        delete.bind(0, source)
        delete.bind(1, boot.id)
        delete.bind(2, min(bound, slot + Int64(HistoryFileLimits.stepReadings)))
        try delete.run()
        return true
    }

    private func firstSlot(
        of source: Int64, _ content: Content
    ) throws(StoreError) -> (Boot, slot: Int64)? {
        let first = content.statements.firstSlot
        first.bind(0, source)
        defer { first.reset() }
        guard try first.step() else { return nil }
        let id = first.integer(0)
        // Of a boot that is forgotten, as when its date was wrong, everything is old.
        let forgotten = Boot(id: id, name: "", offset: -1 << 60, phase: 0)
        return (content.boots[id] ?? forgotten, first.integer(1))
    }

    /// Boots of which nothing is left: a boot begins when the one before has ended.
    private func forgetBoots(_ content: Content, before date: Int64) throws(StoreError) {
        let oldest = content.statements.getAfter
        oldest.bind(0, content.summed)
        let kept = try oldest.step() ? oldest.integer(1) : Int64.max
        oldest.reset()
        let boots = content.boots.values.sorted { $0.id < $1.id }
        for (boot, next) in zip(boots, boots.dropFirst()) where boot.id < kept {
            guard boot.offset == nil || next.offset.map({ $0 < date }) ?? false else { continue }
            content.statements.deleteBoot.bind(0, boot.id)
            try content.statements.deleteBoot.run()
            self.content?.boots[boot.id] = nil
        }
    }

    // MARK: Size

    private var pages: Int64 {
        Int64(surroundings.bounds().megabytes) * 1_000_000 / Int64(HistoryFileLimits.pageBytes)
    }

    func restrictSize(of database: Database) throws(StoreError) {
        try database.execute("PRAGMA max_page_count = \(pages)")
    }

    private func usedPages(_ content: Content) throws(StoreError) -> Int64 {
        let all = try content.database.integer("PRAGMA page_count") ?? 0
        return all - (try content.database.integer("PRAGMA freelist_count") ?? 0)
    }

    private func isShort(_ content: Content) -> Bool {
        let used = (try? usedPages(content)) ?? 0
        return used > pages * Int64(HistoryFileLimits.softTenths) / 10
    }

    /// Forgets the oldest while the file is nearly full, and gives room back that it must not
    /// have.
    private func fitSize(_ content: Content, at now: Instant) throws(StoreError) -> Bool {
        guard isShort(content) else {
            let all = try content.database.integer("PRAGMA page_count") ?? 0
            guard all > pages else {
                try restrictSize(of: content.database)
                return false
            }
            try content.database.execute(
                "PRAGMA incremental_vacuum(\(HistoryFileLimits.stepPages))")
            return true
        }
        var oldest: Int64?
        for source in content.sources.values {
            guard let (boot, slot) = try firstSlot(of: source, content) else { continue }
            let start = boot.start + slot * HistoryBounds.summaryMilliseconds
            oldest = min(oldest ?? start, start)
        }
        if let oldest {
            forget(before: oldest + HistoryFileLimits.sizeStep)
            return true
        }
        return try beginWindow(content, at: now, isForced: true)
    }

    /// The greatest multiple of `step` that is not greater.
    static func floor(_ value: Int64, _ step: Int64) -> Int64 {
        let rest = value % step
        return value - (rest < 0 ? rest + step : rest)
    }
}

extension HistoryFile.Boot {
    /// The date at which its slot 0 begins.
    var start: Int64 { (offset ?? 0) - phase }
}

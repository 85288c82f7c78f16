internal import Base
internal import CSQLite
package import Matter
package import MatterNode

extension HistoryFile {
    package func readings(
        after sequence: Int64, limit: Int
    ) throws(HistoryError) -> [HistoryRow] {
        var rows: [HistoryRow] = []
        let limit = min(limit, HistoryFileLimits.stepReadings)
        if !wasOpen || sequence + 1 < batch.first {
            try reading { content throws(StoreError) in
                try readStored(content, after: sequence, limit: limit, into: &rows)
            }
        }
        let start = max(0, sequence - batch.first + 1)
        guard rows.count < limit, start < Int64(batch.readings.count) else { return rows }
        for index in Int(start)..<min(batch.readings.count, Int(start) + limit - rows.count) {
            let reading = batch.readings[index]
            rows.append(
                HistoryRow(
                    sequence: batch.first + Int64(index), source: reading.source,
                    value: reading.value, unixMilliseconds: dating.date(reading.at)))
        }
        return rows
    }

    private func readStored(
        _ content: Content, after sequence: Int64, limit: Int, into rows: inout [HistoryRow]
    ) throws(StoreError) {
        var sources: [Int64: ReadingSource] = [:]
        for (source, id) in content.sources { sources[id] = source }
        let get = content.statements.getReadings
        get.bind(0, max(sequence, content.summed))
        get.bind(1, Int64(limit))
        defer { get.reset() }
        while try get.step() {
            guard let source = sources[get.integer(2)] else { throw .corrupt }
            rows.append(
                HistoryRow(
                    sequence: get.integer(0), source: source,
                    value: get.isNull(4) ? nil : get.integer(4),
                    unixMilliseconds: offset(of: get.integer(1), content)
                        .map { $0 + get.integer(3) }))
        }
    }

    /// What a boot's monotonic times are behind the date; of this boot as known now.
    private func offset(of boot: Int64, _ content: Content) -> Int64? {
        let boot = content.boots[boot]
        return boot?.name == surroundings.boot ? dating.offset : boot?.offset
    }

    package func sources(of historyID: NodeID) throws(HistoryError) -> [ReadingSource] {
        var found: [ReadingSource] = []
        if content == nil { try reading { _ throws(StoreError) in } }
        for source in content?.sources.keys ?? [:].keys where source.historyID == historyID {
            found.append(source)
        }
        for reading in batch.readings
        where reading.source.historyID == historyID && !found.contains(reading.source) {
            found.append(reading.source)
        }
        return found.sorted {
            ($0.endpoint, $0.cluster, $0.attribute) < ($1.endpoint, $1.cluster, $1.attribute)
        }
    }

    // MARK: Scans

    package func advance(_ scan: inout HistoryScan) throws(HistoryError) {
        if let content, let summed = scan.position.summed, summed != content.summed {
            return scan.restart()
        }
        scan.position.summed = content?.summed
        switch scan.position.stage {
        case 0: try reading { content throws(StoreError) in try summaries(content, &scan) }
        case 1: try reading { content throws(StoreError) in try stored(content, &scan) }
        default:
            for reading in batch.readings where reading.source == scan.source {
                guard let value = reading.value, let date = dating.date(reading.at) else {
                    continue
                }
                scan.add(HistoryPoint.Summary(value), start: date, milliseconds: 0)
            }
            scan.end()
        }
    }

    private func summaries(_ content: Content, _ scan: inout HistoryScan) throws(StoreError) {
        guard let source = content.sources[scan.source] else {
            scan.position.stage = 2
            return
        }
        let length = HistoryBounds.summaryMilliseconds
        if let boot = content.boots[scan.position.boot], let offset = offset(of: boot.id, content) {
            let start = offset - boot.phase
            let get = content.statements.scanSummaries
            get.bind(0, source)
            get.bind(1, boot.id)
            let first = HistoryFile.floor(scan.range.lowerBound - start, length) / length
            get.bind(2, max(scan.position.mark, first))
            get.bind(3, Int64(HistoryFileLimits.stepReadings))
            defer { get.reset() }
            var rows = 0
            while try get.step() {
                let slot = get.integer(0)
                guard start + slot * length < scan.range.upperBound else { break }
                rows += 1
                scan.position.mark = slot + 1
                let low = get.integer(1)
                let mean = low &+ get.integer(2)
                let count = max(1, Int(get.integer(5)))
                scan.add(
                    HistoryPoint.Summary(
                        low: low, high: mean &+ get.integer(3),
                        sum: Int128(mean) * Int128(count) + Int128(get.integer(4)), count: count),
                    start: start + slot * length, milliseconds: length)
            }
            if rows == HistoryFileLimits.stepReadings { return }
        }
        let next = content.statements.nextBoot
        next.bind(0, source)
        next.bind(1, scan.position.boot)
        defer { next.reset() }
        if try next.step() {
            scan.position.boot = next.integer(0)
            scan.position.mark = .min
        } else {
            scan.position.stage = 1
            scan.position.mark = content.summed
        }
    }

    private func stored(_ content: Content, _ scan: inout HistoryScan) throws(StoreError) {
        guard let source = content.sources[scan.source] else { return }
        let begin = scan.position.mark
        let end = min(begin + HistoryFileLimits.scanReadings, batch.first - 1)
        let get = content.statements.scanReadings
        get.bind(0, begin)
        get.bind(1, end)
        get.bind(2, source)
        try get.forEachRow { _ throws(StoreError) in
            guard !get.isNull(2), let offset = offset(of: get.integer(0), content) else { return }
            scan.add(
                HistoryPoint.Summary(get.integer(2)), start: offset + get.integer(1),
                milliseconds: 0)
        }
        scan.position.mark = end
        if end >= batch.first - 1 { scan.position.stage = 2 }
    }

    /// - Throws: what is wrong, when nothing can be read; a damaged file is set aside.
    private func reading(
        _ body: (Content) throws(StoreError) -> Void
    ) throws(HistoryError) {
        var isRead = false
        if let content {
            attempt { () throws(StoreError) in
                try body(content)
                isRead = true
            }
        }
        guard isRead else { throw .cannotRead(trouble ?? .failed(code: SQLITE_CORRUPT)) }
    }
}

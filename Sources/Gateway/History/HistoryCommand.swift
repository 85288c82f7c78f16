internal import Base
internal import Matter
package import MatterNode

extension CommandRunner {
    func history(
        _ selector: NodeSelector, _ question: HistoryQuestion
    ) async throws(Explanation) -> Output {
        let (node, endpoint) = try node(selector)
        let now = surroundings.unixSeconds
        guard now > 0 else { throw Explanation.noDate }
        let until = question.until?.seconds(at: now) ?? now
        let since = question.since.seconds(at: until)
        guard since >= 0, since < until else { throw Explanation.emptyPeriod }
        let range = since * 1000..<until * 1000
        let sources = try sources(of: node, endpoint, question.quantity)
        var (series, isCutOff) = try await scan(sources, range, width: 0)
        var width: Int64?
        if isCutOff {
            let seconds = Self.width(of: range, series: sources.count)
            (series, _) = try await scan(sources, range, width: seconds * 1000)
            width = seconds
        }
        series = series.filter { !$0.points.isEmpty }
        guard !series.isEmpty else { throw Explanation.nothingInPeriod }
        let hasBlocks = await surroundings.picture(of: Array("x".utf8)) != nil
        return HistoryOutput(node: node, series: series, width: width, hasBlocks: hasBlocks)
            .output(isCSV: question.isCSV)
    }

    /// - Returns: also whether there is more than one answer takes.
    func scan(
        _ sources: [ReadingSource], _ range: Range<Int64>, width: Int64
    ) async throws(Explanation) -> ([HistorySeries], isCutOff: Bool) {
        var series: [HistorySeries] = []
        var count = 0
        for source in sources {
            var scan = HistoryScan(source, in: range, width: width)
            while !scan.isDone {
                try advance(&scan)
                // Devices have their turn between two steps.
                await pause()
                guard !Task.isCancelled else { throw Explanation.historyCancelled }
            }
            count += scan.points.count
            if scan.isCutOff || width == 0 && count > HistoryLimits.points {
                return ([], isCutOff: true)
            }
            series.append(HistorySeries(source: source, range: range, points: scan.points))
        }
        return (series, isCutOff: false)
    }

    private func advance(_ scan: inout HistoryScan) throws(Explanation) {
        let history = try surroundings.history()
        do throws(HistoryError) { try history.advance(&scan) } catch {
            throw Explanation(error)
        }
    }

    /// Where nobody else is on the loop there is nobody to wait for.
    private func pause() async {
        guard let loop = surroundings.agent?.loop else { return }
        try? await loop.sleep(for: .milliseconds(1))
    }

    /// What one bin covers in seconds, so that all series together are within the bound.
    static func width(of range: Range<Int64>, series: Int) -> Int64 {
        let bins = Int64(max(1, HistoryLimits.points / max(1, series) - 1))
        let least = (range.upperBound - range.lowerBound) / 1000 / bins + 1
        let steps: [Int64] = [
            60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
        ]
        return steps.first { $0 >= least } ?? (least + 86_399) / 86_400 * 86_400
    }

    /// Those that are meant: of the endpoint, and of the quantity by its word or a part of it.
    private func sources(
        of node: NodeRecord, _ endpoint: EndpointID?, _ word: String?
    ) throws(Explanation) -> [ReadingSource] {
        let history = try surroundings.history()
        let all: [ReadingSource]
        do throws(HistoryError) { all = try history.sources(of: node.historyID) } catch {
            throw Explanation(error)
        }
        guard !all.isEmpty else { throw Explanation.nothingRecorded }
        var fitting = all.filter { endpoint == nil || $0.endpoint == endpoint }
        if let word {
            let sought = TextMatch.folded(word)
            let exact = fitting.filter { TextMatch.folded(HistorySeries.name(of: $0)) == sought }
            fitting =
                exact.isEmpty && !sought.isEmpty
                ? fitting.filter {
                    TextMatch.contains(sought, in: TextMatch.folded(HistorySeries.name(of: $0)))
                } : exact
        }
        guard fitting.isEmpty else { return fitting }
        var names: [String] = []
        for source in all {
            let name = "\(HistorySeries.name(of: source)) (endpoint \(source.endpoint.rawValue))"
            if !names.contains(name) { names.append(name) }
        }
        throw Explanation(
            .unknownNode, "nothing is recorded by that name",
            remedy: "there is \(names.joined(separator: ", "))")
    }
}

extension Explanation {
    package init(_ error: HistoryError) {
        guard case .cannotRead(let trouble) = error else { preconditionFailure("one case") }
        self.init(
            .storeFailed, "the history cannot be read (\(Self.words(trouble)))",
            remedy: "see the disk's space and the rights of the state folder; readings are"
                + " recorded again when that is remedied")
    }

    /// What is told of the history while the agent runs.
    package init(_ notice: HistoryNotice) {
        switch notice {
        case .trouble(let trouble):
            self.init(
                .storeFailed, "readings are not recorded (\(Self.words(trouble)))",
                remedy: "see the disk's space and the rights of the state folder; the newest"
                    + " are kept in memory")
        case .resumed(let lost):
            self.init(
                .storeFailed, "readings are recorded again",
                remedy: lost == 0 ? "none were lost" : "\(lost) were lost meanwhile")
        case .setAside(let name):
            self.init(
                .storeFailed, "the history was damaged and is kept as \(name)",
                remedy: "a new one was begun; delete the old one if nobody wants to look at it")
        case .newer(let name):
            self.init(
                .notConfigured, "the history is of a newer version and is kept as \(name)",
                remedy: "a new one was begun; update matter-gateway and rename it to have it"
                    + " back")
        }
    }

    private static func words(_ trouble: HistoryTrouble) -> String {
        switch trouble {
        case .full: "there is no room left"
        case .readOnly: "it cannot be written"
        case .cannotOpen(let number): SystemErrorText.words(number)
        case .failed(let code): "SQLite error \(code)"
        }
    }

    fileprivate static let nothingRecorded = Explanation(
        .unavailable, "nothing is recorded of this device yet",
        remedy: "readings are recorded while the agent runs and the device answers: see status")
    fileprivate static let nothingInPeriod = Explanation(
        .unavailable, "nothing was recorded in that time",
        remedy: "ask for more of it: --since 7d, or --since 2026-11-01 --until 2026-11-08")
    fileprivate static let noDate = Explanation(
        .notConfigured, "the clock is not set, so that readings have no date yet",
        remedy: "set the date or connect a time server; what was recorded gets its date then")
    fileprivate static let emptyPeriod = Explanation(
        .usage, "that time ends before it begins",
        remedy: "give --since an earlier date than --until")
    fileprivate static let historyCancelled = Explanation(
        .interrupted, "cancelled", remedy: Remedy.tryAgain)
}

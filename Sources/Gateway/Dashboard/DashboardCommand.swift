internal import Base
internal import MatterNode

extension CommandRunner {
    /// Live where there is a terminal; else, or when it is asked for, as it is now.
    func dashboard(isLive: Bool) async throws(Explanation) -> Output {
        let agent = try agent()
        guard isLive, let screen = try await surroundings.openScreen() else {
            return DashboardOutput.snapshot(
                await states(of: agent), await agent.status, at: surroundings.now)
        }
        let hasBlocks = await surroundings.picture(of: Array("x".utf8)) != nil
        await Dashboard(agent, on: screen, self, hasBlocks: hasBlocks).run()
        return Output(lines: [], document: .null)
    }

    func dashboardContent(of agent: Agent) async -> DashboardContent {
        DashboardContent(
            await states(of: agent), await agent.status, at: surroundings.now)
    }

    private func states(of agent: Agent) async -> [NodeState] {
        if let keeping = agent.keeping { return await keeping.states() }
        return ((try? nodes()) ?? []).map { NodeState(node: $0) }
    }

    /// The last day of the first temperature that is recorded of it, in one line; empty where
    /// there is none or it cannot be had.
    func temperatureCourse(of node: NodeRecord) async -> String {
        let now = surroundings.unixSeconds * 1000
        let day: Int64 = 86_400_000
        guard now > day, let history = try? surroundings.history(),
            let sources = try? history.sources(of: node.historyID),
            let source = sources.first(where: { HistorySeries.name(of: $0) == "temperature" }),
            let found = try? await scan(
                [source], now - day..<now, width: day / Int64(DashboardOutput.courseColumns)),
            let series = found.0.first
        else { return "" }
        let hasBlocks = await surroundings.picture(of: Array("x".utf8)) != nil
        return DashboardOutput.course(series, hasBlocks: hasBlocks)
    }
}

extension CommandSurroundings {
    /// A command line of its own has no agent, and nothing that could be drawn.
    package func openScreen() async throws(Explanation) -> KeyScreen? { nil }
}

/// What `dashboard` says once, and parts of what it draws.
enum DashboardOutput {
    /// The member names are relied on by scripts.
    static func snapshot(
        _ states: [NodeState], _ status: AgentStatus, at now: Instant
    ) -> Output {
        let content = DashboardContent(states, status, at: now)
        var table = TextTable(["ROOM", "DEVICE", "TYPE", "VALUE", "AGE", "LINK"])
        for row in content.rows {
            table.add([row.room, row.name, row.kind, row.value, row.age, row.link])
        }
        let devices = content.rows.compactMap { row in
            states.first { $0.node.nodeID == row.nodeID }
        }.map { StateOutput.document(of: $0, at: now) }
        return Output(
            lines: [content.title] + (content.rows.isEmpty ? [] : table.lines),
            document: .object([
                ("window_open", .boolean(status.windowLeft != nil)),
                ("alerts", .integer(Int64(status.alerts))),
                ("online", .integer(Int64(states.count { StateOutput.isOnline($0.link) }))),
                ("devices", .array(devices)),
            ]))
    }

    /// Half an hour each.
    static let courseColumns = 48

    /// "temperature of 24 h: 18.20 °C ▁▂▅█ 23.10 °C": the lowest, the course, the highest.
    static func course(_ series: HistorySeries, hasBlocks: Bool) -> String {
        guard let all = series.summary else { return "" }
        let marks = Array(hasBlocks ? "▁▂▃▄▅▆▇█" : "_.-=+*#@")
        let span = max(1, Int128(all.high) - Int128(all.low))
        let line = series.columns(courseColumns).map { column -> Character in
            guard let column else { return " " }
            let level = (Int128(column.mean) - Int128(all.low)) * Int128(marks.count - 1) / span
            return marks[Int(min(Int128(marks.count - 1), max(0, level)))]
        }
        return "24 h: \(series.text(all.low)) \(String(line)) \(series.text(all.high))"
    }
}

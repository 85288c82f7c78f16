internal import Base
internal import Matter
internal import MatterNode

/// What is said of limits.
enum AlertOutput {
    /// To whoever is there, when one begins or ends to be passed.
    static func told(_ alert: AlertState) -> Output {
        var text = "\(name(alert)): \(text(alert))"
        if alert.isRaised {
            text +=
                alert.rule.condition == .offline
                ? ": \(Remedy.checkPower)" : ": see to it; alert list shows all limits"
        }
        return Output(lines: [text.escapingControls], document: .null)
    }

    static func added(_ rule: AlertRule, to node: NodeRecord) -> Output {
        Output(
            lines: [
                "\(DeviceOutput.callName(node)): limit \(rule.id): \(limit(rule))"
                    .escapingControls
            ],
            document: json(
                AlertState(rule: rule, node: node, isRaised: false, since: nil, value: nil),
                at: nil))
    }

    /// - Parameter now: nil where no agent runs, so that nobody knows how they stand.
    static func list(_ alerts: [AlertState], at now: Instant?) -> Output {
        let document = JSONValue.object([("alerts", .array(alerts.map { json($0, at: now) }))])
        guard !alerts.isEmpty else {
            return Output(
                lines: ["No limits: help alert says how to set one."], document: document)
        }
        var table = TextTable(["ID", "DEVICE", "LIMIT", "STATE"])
        for alert in alerts {
            table.add([
                alert.rule.id == 0 ? "" : "\(alert.rule.id)", name(alert), limit(alert.rule),
                state(alert, at: now),
            ])
        }
        return Output(lines: table.lines, document: document)
    }

    private static func state(_ alert: AlertState, at now: Instant?) -> String {
        guard let now else { return "" }
        guard let since = alert.since else { return "ok" }
        let time = AgentOutput.time(now - since)
        return "\(alert.isRaised ? "passed" : "beyond it") for \(time)"
    }

    static func name(_ alert: AlertState) -> String {
        alert.node.map(DeviceOutput.callName) ?? alert.rule.historyID.text
    }

    /// "temperature above 8.00 °C for 10 min (9.50 °C)", "offline for 10 min", and the same that
    /// it is so no longer.
    static func text(_ alert: AlertState) -> String {
        guard case .value(let word, _, _) = alert.rule.condition else {
            return alert.isRaised ? limit(alert.rule) : "answers again"
        }
        let value = kept(word)?.text(alert.value) ?? "no value"
        let limit = limit(alert.rule)
        return alert.isRaised ? "\(limit) (now \(value))" : "no longer \(limit) (now \(value))"
    }

    static func limit(_ rule: AlertRule) -> String {
        let seconds = rule.duration.components.seconds
        let time = seconds == 0 ? "" : " for \(duration(seconds))"
        guard case .value(let word, let isAbove, let limit) = rule.condition else {
            return "offline\(time)"
        }
        let place = rule.endpoint.map { " of endpoint \($0.rawValue)" } ?? ""
        guard let kept = kept(word) else { return "\(word)\(place)\(time)" }
        if case .flag = kept.meaning {
            return "\(word)\(place) \(kept.text(isAbove ? 1 : 0))\(time)"
        }
        return "\(word)\(place) \(isAbove ? "above" : "below") \(kept.text(limit))\(time)"
    }

    private static func kept(_ word: String) -> KeptAttribute? {
        KeptAttribute.all.first { $0.word == word }
    }

    /// `90 s`, `10 min`, `2 h`: as a person would have said it.
    static func duration(_ seconds: Int64) -> String {
        if seconds % 3600 == 0, seconds > 0 { return "\(seconds / 3600) h" }
        return seconds % 60 == 0 && seconds > 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    // The member names are relied on by scripts.
    static func json(_ alert: AlertState, at now: Instant?) -> JSONValue {
        let rule = alert.rule
        var word: JSONValue = .null
        var value: JSONValue = .null
        var limit: JSONValue = .null
        var condition = "offline"
        if case .value(let name, let isAbove, let number) = rule.condition {
            word = .string(name)
            condition = isAbove ? "above" : "below"
            limit = kept(name)?.json(number) ?? .integer(number)
            value = kept(name)?.json(alert.value) ?? .null
        }
        return .object([
            ("id", .integer(Int64(rule.id))),
            ("node_id", alert.node.map { .string($0.nodeID.text) } ?? .null),
            ("endpoint", rule.endpoint.map { .unsigned(fitting: $0.rawValue) } ?? .null),
            ("condition", .string(condition)), ("quantity", word), ("limit", limit),
            ("seconds", .integer(rule.duration.components.seconds)),
            ("raised", now == nil ? .null : .boolean(alert.isRaised)), ("value", value),
            (
                "since_seconds",
                now.flatMap { now in
                    alert.since.map { JSONValue.integer((now - $0).milliseconds / 1000) }
                } ?? .null
            ),
        ])
    }
}

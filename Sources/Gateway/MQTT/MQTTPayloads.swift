internal import Base
internal import Matter
internal import MatterNode

/// What is published, as JSON; names of members stay.
enum MQTTPayloads {
    /// One value alone: `21.5`, `true`, `null`.
    static func value(_ reading: Reading) -> JSONValue {
        let source = reading.source
        guard let kept = KeptAttribute.of(source.cluster, source.attribute) else {
            return reading.value.map { .integer($0) } ?? .null
        }
        return kept.json(reading.value)
    }

    /// - Parameter date: of an instant, in seconds since 1970; nil while the clock is not set.
    static func state(_ state: NodeState, date: (Instant) -> Int64?) -> JSONValue {
        let node = state.node
        let values = state.readings.prefix(MQTTLimits.values).map { reading in
            let source = reading.source
            let kept = KeptAttribute.of(source.cluster, source.attribute)
            return JSONValue.object([
                ("endpoint", .integer(Int64(source.endpoint.rawValue))),
                ("quantity", kept.map { .string($0.word) } ?? .null),
                ("path", .string(source.path.description)),
                ("value", value(reading)),
                ("unit", kept?.quantity.map { .string($0.unit) } ?? .null),
                ("time", time(date(reading.at))),
            ])
        }
        return .object([
            ("node_id", .string(node.nodeID.text)), ("name", .string(node.name)),
            ("room", .string(node.room)), ("vendor", .string(node.vendorName)),
            ("product", .string(node.productName)), ("serial", .string(node.serialNumber)),
            ("state", .string(state.link.word)), ("since", time(state.link.since.flatMap(date))),
            ("heard", time(state.heardAt.flatMap(date))), ("values", .array(values)),
        ])
    }

    static func history(
        _ rows: [HistoryRow], node: (HistoryRow) -> JSONValue
    ) -> JSONValue {
        .object([
            ("first", .integer(rows.first?.sequence ?? 0)),
            ("last", .integer(rows.last?.sequence ?? 0)),
            (
                "readings",
                .array(
                    rows.map { row in
                        let kept = KeptAttribute.of(row.source.cluster, row.source.attribute)
                        return .object([
                            ("sequence", .integer(row.sequence)), ("node_id", node(row)),
                            ("endpoint", .integer(Int64(row.source.endpoint.rawValue))),
                            ("quantity", kept.map { .string($0.word) } ?? .null),
                            ("path", .string(row.source.path.description)),
                            (
                                "value",
                                kept?.json(row.value)
                                    ?? row.value.map { .integer($0) } ?? .null
                            ),
                            (
                                "unix_milliseconds",
                                row.unixMilliseconds.map { .integer($0) } ?? .null
                            ),
                        ])
                    })
            ),
        ])
    }

    /// Of what consoles are told.
    static func event(_ text: String, level: LogLevel, time: Int64?) -> JSONValue {
        .object([
            ("time", self.time(time)), ("level", .string(level.word)), ("text", .string(text)),
        ])
    }

    static func time(_ seconds: Int64?) -> JSONValue {
        seconds.map { .string(UTCText.instant($0)) } ?? .null
    }
}

extension NodeState.Link {
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .online: "online"
        case .offline: "offline"
        case .left: "left"
        }
    }

    var since: Instant? {
        switch self {
        case .unknown: nil
        case .online(let since), .offline(let since), .left(let since): since
        }
    }
}

internal import Base
internal import Matter
package import MatterNode

/// What is said of nodes that are kept read: whether they are there, and how old values are.
package enum StateOutput {
    /// "Cellar 21.43 °C, 48.20 %", for a line that all devices share.
    package static func brief(_ state: NodeState) -> String? {
        let values = state.readings.filter { reading in
            KeptAttribute.of(reading.source.cluster, reading.source.attribute)?.isMeasured ?? false
        }.map(text)
        guard !values.isEmpty else { return nil }
        let name = DeviceOutput.callName(state.node)
        return "\(name) \(values.joined(separator: ", "))".escapingControls
    }

    /// "1/temperature-measurement/measured-value 21.43 °C"
    static func named(_ reading: Reading) -> String { "\(path(reading)) \(text(reading))" }

    /// "21.43 °C"
    package static func text(_ reading: Reading) -> String {
        KeptAttribute.of(reading.source.cluster, reading.source.attribute)?.text(reading.value)
            ?? "no value"
    }

    static func path(_ reading: Reading) -> ConcreteAttributePath {
        ConcreteAttributePath(
            endpoint: reading.source.endpoint, cluster: reading.source.cluster,
            attribute: reading.source.attribute)
    }

    package static func word(_ link: NodeState.Link) -> String {
        switch link {
        case .unknown: "not heard yet"
        case .online: "online"
        case .offline: "offline"
        case .left: "left"
        }
    }

    /// "online for 3 h 12 min"
    private static func words(_ link: NodeState.Link, at now: Instant) -> String {
        switch link {
        case .unknown: word(link)
        case .online(let since), .offline(let since), .left(let since):
            "\(word(link)) for \(AgentOutput.time(now - since))"
        }
    }

    static func age(_ instant: Instant?, at now: Instant) -> String {
        instant.map { "\(AgentOutput.time(now - $0)) ago" } ?? "never"
    }

    /// Of the devices that fit, as the running agent knows them.
    /// - Parameter all: how many there are.
    static func list(_ states: [NodeState], of all: Int, at now: Instant) -> Output {
        let devices = states.map { Self.document(of: $0, at: now) }
        let document = JSONValue.object([("devices", .array(devices))])
        guard !states.isEmpty else {
            return Output(lines: ["None of the \(all) devices."], document: document)
        }
        var table = TextTable(DeviceOutput.headings + ["HEARD", "STATE"])
        for state in states {
            table.add(
                DeviceOutput.cells(state.node) + [
                    age(state.heardAt, at: now), word(state.link),
                ])
        }
        return Output(lines: table.lines, document: document)
    }

    static func document(of state: NodeState, at now: Instant) -> JSONValue {
        .object(
            DeviceOutput.members(state.node) + [
                ("online", .boolean(isOnline(state.link))), ("problem", .null),
                ("state", json(state, at: now)),
            ])
    }

    /// Adds to what `show` says whether the device is there, and what it told last.
    static func add(_ state: NodeState, at now: Instant, to output: inout Output) {
        var sheet = TextSheet()
        sheet.add("state", words(state.link, at: now))
        sheet.add("last heard", age(state.heardAt, at: now))
        sheet.add("tells changes", state.isSubscribed ? "yes" : "no, it is asked")
        output.lines += [""] + sheet.lines
        if !state.readings.isEmpty {
            var table = TextTable(["KEPT VALUE", "", "AGE"])
            for reading in state.readings {
                table.add([
                    "\(path(reading))", text(reading), age(reading.at, at: now),
                ])
            }
            output.lines += [""] + table.lines
        }
        if case .object(let members) = output.document {
            output.document = .object(members + [("state", json(state, at: now))])
        }
    }

    static func isOnline(_ link: NodeState.Link) -> Bool {
        if case .online = link { true } else { false }
    }

    // The member names are relied on by scripts.
    private static func json(_ state: NodeState, at now: Instant) -> JSONValue {
        let word =
            switch state.link {
            case .unknown: "unknown"
            case .online: "online"
            case .offline: "offline"
            case .left: "left"
            }
        let readings = state.readings.map { reading -> JSONValue in
            let kept = KeptAttribute.of(reading.source.cluster, reading.source.attribute)
            return .object([
                ("path", .string("\(path(reading))")),
                ("value", kept?.json(reading.value) ?? .null),
                ("unit", kept?.quantity.map { .string($0.unit) } ?? .null),
                ("age_seconds", seconds(since: reading.at, at: now)),
            ])
        }
        return .object([
            ("link", .string(word)), ("subscribed", .boolean(state.isSubscribed)),
            ("heard_seconds", state.heardAt.map { seconds(since: $0, at: now) } ?? .null),
            ("readings", .array(readings)),
        ])
    }

    private static func seconds(since instant: Instant, at now: Instant) -> JSONValue {
        .integer((now - instant).milliseconds / 1000)
    }
}

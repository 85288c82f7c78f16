internal import Base
internal import Matter
internal import MatterNode

/// Temperatures of setpoints, of which people set one digit behind the point.
enum TemperatureText {
    /// Hundredths of a degree as "21.5 °C"; with both digits where the second is none.
    static func tenths(_ hundredths: Int16) -> String {
        hundredths % 10 == 0
            ? Quantity.tenthsOfDegree.text(Int64(hundredths / 10))
            : Quantity.temperature.text(Int64(hundredths))
    }
}

/// What `level`, `thermostat` and `fan` say. The member names are relied on by scripts.
enum ControlOutput {
    typealias Members = [(key: String, value: JSONValue)]

    static func done(
        _ node: NodeRecord, _ endpoint: EndpointID, _ text: String, _ members: Members
    ) -> Output {
        Output(
            lines: ["\(DeviceOutput.callName(node)): \(text)".escapingControls],
            document: document(node, endpoint, members))
    }

    static func state(
        _ state: ThermostatState, of node: NodeRecord, _ endpoint: EndpointID
    ) -> Output {
        var sheet = TextSheet()
        sheet.add("mode", state.mode?.name ?? "not known")
        sheet.add("now", state.activity?.rawValue ?? "")
        sheet.add("temperature", state.localTemperature.map(TemperatureText.tenths) ?? "")
        sheet.add("heats to", state.heatingSetpoint.map(TemperatureText.tenths) ?? "")
        sheet.add("cools to", state.coolingSetpoint.map(TemperatureText.tenths) ?? "")
        sheet.add("heating demand", state.heatingDemand.map { "\($0) %" } ?? "")
        sheet.add("cooling demand", state.coolingDemand.map { "\($0) %" } ?? "")
        return Output(lines: sheet.lines, document: document(node, endpoint, members(state)))
    }

    static func state(_ state: FanState, of node: NodeRecord, _ endpoint: EndpointID) -> Output {
        var sheet = TextSheet()
        sheet.add("mode", state.mode?.name ?? "not known")
        sheet.add("now", state.percentCurrent.map { "\($0) %" } ?? "")
        sheet.add("set to", state.percentSetting.map { "\($0) %" } ?? "")
        sheet.add("modes", state.modes.map { OpenEnum($0).name }.joined(separator: ", "))
        return Output(lines: sheet.lines, document: document(node, endpoint, members(state)))
    }

    /// After a change: the state as it is to be.
    /// - Parameter side: of a setpoint, which may be without effect in the present mode.
    static func set(
        _ state: ThermostatState, of node: NodeRecord, _ endpoint: EndpointID, _ text: String,
        _ side: ThermostatState.Side? = nil
    ) -> Output {
        var output = done(node, endpoint, text, members(state))
        if let side, !state.follows(side), let mode = state.mode?.name {
            output.notices = [
                "its mode is \(mode), in which this has no effect: thermostat NODE"
                    + " \(side.rawValue) sets the mode"
            ]
        }
        return output
    }

    static func set(
        _ state: FanState, of node: NodeRecord, _ endpoint: EndpointID, _ text: String
    ) -> Output {
        done(node, endpoint, text, members(state))
    }

    private static func members(_ state: ThermostatState) -> Members {
        [
            ("mode", text(state.mode?.name)), ("activity", text(state.activity?.rawValue)),
            ("local_temperature", degrees(state.localTemperature)),
            ("heating_setpoint", degrees(state.heatingSetpoint)),
            ("cooling_setpoint", degrees(state.coolingSetpoint)),
            ("heating_demand", number(state.heatingDemand)),
            ("cooling_demand", number(state.coolingDemand)),
            ("modes", .array(state.modes.map { .string(OpenEnum($0).name) })),
        ]
    }

    private static func members(_ state: FanState) -> Members {
        [
            ("mode", text(state.mode?.name)), ("percent_current", number(state.percentCurrent)),
            ("percent_setting", number(state.percentSetting)),
            ("modes", .array(state.modes.map { .string(OpenEnum($0).name) })),
        ]
    }

    private static func document(
        _ node: NodeRecord, _ endpoint: EndpointID, _ members: Members
    ) -> JSONValue {
        .object(
            [
                ("node_id", .string(node.nodeID.text)),
                ("endpoint", .unsigned(fitting: endpoint.rawValue)),
            ] + members)
    }

    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    private static func degrees(_ hundredths: Int16?) -> JSONValue {
        hundredths.map { .number(Double($0) / 100) } ?? .null
    }

    private static func number(_ number: UInt8?) -> JSONValue {
        number.map { .integer(Int64($0)) } ?? .null
    }
}

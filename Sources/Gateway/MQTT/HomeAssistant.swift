internal import Base
internal import Matter
internal import MatterNode

/// What Home Assistant is told of a device, so that it appears there by itself: its MQTT
/// discovery of whole devices, one retained message each.
struct HomeAssistant {
    let topics: MQTTTopics
    /// Whether devices may be switched and set over MQTT.
    let controls: Bool

    /// Nil for one that has nothing to show.
    func configuration(of state: NodeState) -> JSONValue? {
        let node = state.node
        var components: [(key: String, value: JSONValue)] = []
        for reading in state.readings.prefix(MQTTLimits.values) {
            guard let component = component(reading.source, of: state) else { continue }
            components.append(component)
        }
        if controls { components += thermostats(of: state) }
        guard !components.isEmpty else { return nil }
        var device: [(key: String, value: JSONValue)] = [
            ("identifiers", .array([.string(topics.identifier(node.nodeID))])),
            ("name", .string(DeviceOutput.callName(node))),
        ]
        for (key, text) in [
            ("manufacturer", node.vendorName), ("model", node.productName),
            ("serial_number", node.serialNumber), ("suggested_area", node.room),
        ] where !text.isEmpty { device.append((key, .string(text))) }
        return .object([
            ("device", .object(device)),
            (
                "origin",
                .object([
                    ("name", .string("matter-gateway")),
                    ("sw_version", .string(GatewayVersion.text)),
                ])
            ),
            (
                "availability",
                .array([
                    .object([("topic", .string(topics.status))]),
                    .object([("topic", .string(topics.availability(node.nodeID)))]),
                ])
            ),
            ("availability_mode", .string("all")),
            ("components", .object(components)),
        ])
    }

    // MARK: Components

    /// A value as Home Assistant has it.
    private enum Kind {
        /// - Parameters: the device class and how its statistics are made.
        case sensor(String?, state: String?)
        /// - Parameter isOn: the payload that stands for on.
        case binary(String?, isOn: String)
        case onOff
        case level
        case hidden
    }

    private func component(
        _ source: ReadingSource, of state: NodeState
    ) -> (key: String, value: JSONValue)? {
        guard let kept = KeptAttribute.of(source.cluster, source.attribute) else { return nil }
        let types = state.node.endpoints.first { $0.endpoint == source.endpoint }?.deviceTypes ?? []
        let hasLevel = state.readings.contains {
            $0.source.endpoint == source.endpoint && $0.source.cluster == LevelControl.id
        }
        var members: [(key: String, value: JSONValue)]
        let topic = topics.value(source, of: state.node.nodeID)
        switch Self.kind(kept.word, types) {
        case .hidden: return nil
        case .sensor(let deviceClass, let statistics):
            members = sensor(kept, deviceClass, statistics)
        case .binary(let deviceClass, let isOn): members = binary(deviceClass, isOn: isOn)
        case .onOff: members = onOff(source, of: state, types, hasLevel: hasLevel)
        case .level:
            if controls, Self.isLight(types) { return nil }
            members = sensor(kept, nil, "measurement")
        }
        let key = "\(source.endpoint.rawValue)_\(kept.word)"
        members.append(("state_topic", .string(topic)))
        members.append(("unique_id", .string(topics.identifier(state.node.nodeID) + "_" + key)))
        members.append(("name", .string(name(kept.word, source, of: state))))
        return (key, .object(members))
    }

    /// With the endpoint where the device has the same twice.
    private func name(_ word: String, _ source: ReadingSource, of state: NodeState) -> String {
        let isTwice = state.readings.contains {
            $0.source.endpoint != source.endpoint && $0.source.cluster == source.cluster
                && $0.source.attribute == source.attribute
        }
        return isTwice ? "\(word) \(source.endpoint.rawValue)" : word
    }

    private static func kind(_ word: String, _ types: [DeviceTypeID]) -> Kind {
        switch word {
        case "temperature", "heating-setpoint", "cooling-setpoint":
            .sensor("temperature", state: "measurement")
        case "humidity": .sensor("humidity", state: "measurement")
        case "pressure": .sensor("pressure", state: "measurement")
        case "power": .sensor("power", state: "measurement")
        case "energy": .sensor("energy", state: "total_increasing")
        case "battery": .sensor("battery", state: "measurement")
        case "co2": .sensor("carbon_dioxide", state: "measurement")
        case "pm25": .sensor("pm25", state: "measurement")
        case "flow": .sensor("volume_flow_rate", state: "measurement")
        case "occupancy": .binary("occupancy", isOn: "true")
        case "contact": contact(types)
        case "on-off": .onOff
        case "level": .level
        case "running": .hidden
        default: .sensor(nil, state: nil)
        }
    }

    /// Boolean State means what the device type says. Device Library, sections 7.1, 7.11 to 7.13.
    private static func contact(_ types: [DeviceTypeID]) -> Kind {
        let numbers = types.map(\.rawValue)
        if numbers.contains(0x0041) { return .binary("cold", isOn: "true") }
        if numbers.contains(0x0043) || numbers.contains(0x0044) {
            return .binary("moisture", isOn: "true")
        }
        // It is open when there is no contact.
        return .binary("opening", isOn: "false")
    }

    private static func isLight(_ types: [DeviceTypeID]) -> Bool {
        types.contains {
            (0x0100...0x0102).contains($0.rawValue) || $0.rawValue == 0x010C
                || $0.rawValue == 0x010D
        }
    }

    private func sensor(
        _ kept: KeptAttribute, _ deviceClass: String?, _ statistics: String?
    ) -> [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [
            ("platform", .string("sensor")),
            ("value_template", .string("{{ 'None' if value == 'null' else value }}")),
        ]
        if let deviceClass { members.append(("device_class", .string(deviceClass))) }
        if let statistics { members.append(("state_class", .string(statistics))) }
        if let unit = kept.quantity?.unit {
            members.append(("unit_of_measurement", .string(unit)))
        }
        return members
    }

    private func binary(
        _ deviceClass: String?, isOn: String
    ) -> [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [
            ("platform", .string("binary_sensor")),
            ("payload_on", .string(isOn)),
            ("payload_off", .string(isOn == "true" ? "false" : "true")),
            ("value_template", .string("{{ 'None' if value == 'null' else value }}")),
        ]
        if let deviceClass { members.append(("device_class", .string(deviceClass))) }
        return members
    }

    private func onOff(
        _ source: ReadingSource, of state: NodeState, _ types: [DeviceTypeID], hasLevel: Bool
    ) -> [(key: String, value: JSONValue)] {
        guard controls else { return binary("power", isOn: "true") }
        let endpoint = source.endpoint.rawValue
        let order = topics.setting(state.node.nodeID)
        let isLight = Self.isLight(types)
        var members: [(key: String, value: JSONValue)] = [
            ("platform", .string(isLight ? "light" : "switch")),
            ("command_topic", .string(order)),
            ("payload_on", .string("{\"endpoint\":\(endpoint),\"on\":true}")),
            ("payload_off", .string("{\"endpoint\":\(endpoint),\"on\":false}")),
        ]
        guard isLight else {
            members.append(("state_on", .string("true")))
            members.append(("state_off", .string("false")))
            return members
        }
        // A light says what it is with the payloads by which it is switched.
        members.append(
            (
                "state_value_template",
                .string("{\"endpoint\":\(endpoint),\"on\":{{ value }}}")
            ))
        guard hasLevel else { return members }
        let level = ReadingSource(
            historyID: source.historyID, endpoint: source.endpoint, cluster: LevelControl.id,
            attribute: LevelControl.currentLevel.id)
        members += [
            ("brightness_state_topic", .string(topics.value(level, of: state.node.nodeID))),
            ("brightness_scale", .integer(100)),
            (
                "brightness_value_template",
                .string("{{ (value | float(0) * 100 / 254) | round }}")
            ),
            ("brightness_command_topic", .string(order)),
            (
                "brightness_command_template",
                .string("{\"endpoint\":\(endpoint),\"level\":{{ value }}}")
            ),
            ("on_command_type", .string("first")),
        ]
        return members
    }

    // MARK: Thermostats

    private func thermostats(of state: NodeState) -> [(key: String, value: JSONValue)] {
        let node = state.node.nodeID
        func source(_ endpoint: EndpointID, _ attribute: AttributeID) -> ReadingSource? {
            state.readings.first {
                $0.source.endpoint == endpoint && $0.source.cluster == Thermostat.id
                    && $0.source.attribute == attribute
            }?.source
        }
        var found: [(key: String, value: JSONValue)] = []
        for reading in state.readings {
            let endpoint = reading.source.endpoint
            guard reading.source.cluster == Thermostat.id,
                reading.source.attribute == Thermostat.localTemperature.id,
                let setpoint = source(endpoint, Thermostat.occupiedHeatingSetpoint.id)
            else { continue }
            let key = "\(endpoint.rawValue)_thermostat"
            var members: [(key: String, value: JSONValue)] = [
                ("platform", .string("climate")), ("name", .string("thermostat")),
                ("unique_id", .string(topics.identifier(node) + "_" + key)),
                ("temperature_unit", .string("C")), ("temp_step", .number(0.5)),
                ("current_temperature_topic", .string(topics.value(reading.source, of: node))),
                ("temperature_state_topic", .string(topics.value(setpoint, of: node))),
                ("temperature_command_topic", .string(topics.setting(node))),
                (
                    "temperature_command_template",
                    .string("{\"endpoint\":\(endpoint.rawValue),\"heat\":{{ value }}}")
                ),
            ]
            if let mode = source(endpoint, Thermostat.systemMode.id) {
                members += [
                    ("modes", .array([.string("off"), .string("heat")])),
                    ("mode_state_topic", .string(topics.value(mode, of: node))),
                    // Application Clusters §4.3.10.26: 0 is off, 4 is heat.
                    (
                        "mode_state_template",
                        .string("{{ {'0': 'off', '4': 'heat'}.get(value, 'None') }}")
                    ),
                    ("mode_command_topic", .string(topics.setting(node))),
                    (
                        "mode_command_template",
                        .string("{\"endpoint\":\(endpoint.rawValue),\"mode\":\"{{ value }}\"}")
                    ),
                ]
            }
            found.append((key, .object(members)))
        }
        return found
    }
}

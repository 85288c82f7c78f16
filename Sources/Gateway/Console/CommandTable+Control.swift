internal import Matter

extension CommandTable {
    static let level = CommandEntry(
        name: .level, arguments: [.node, .one("PERCENT")], options: [.over],
        summary: "set how bright, fast or open a device is",
        details: [
            "PERCENT is 0 to 100. 0 switches it off, anything else switches it on; a device that"
                + " cannot go as low or as high goes as far as it can.",
            nodeDetails, endpointDetails,
        ],
        examples: ["level \"hall lamp\" 40", "level lamp/2 100 --over 10"])

    static let thermostat = CommandEntry(
        name: .thermostat, arguments: [.node, .optional("MODE"), .optional("T")], options: [],
        summary: "show or set a thermostat",
        details: [
            "Without MODE, how warm it is, what the thermostat does and what it is set to.",
            "MODE is off, heat, cool, auto, or emergency-heat, precooling, fan-only, dry or sleep"
                + " where it has such.",
            "heat T and cool T set the temperature that it heats or cools to, in degrees Celsius"
                + " with at most one digit behind the point. They leave its mode as it is.",
            nodeDetails, endpointDetails,
        ],
        examples: [
            "thermostat \"living room\"", "thermostat \"living room\" heat",
            "thermostat \"living room\" heat 21.5", "thermostat aircon/1 off --json",
        ])

    static let fan = CommandEntry(
        name: .fan, arguments: [.node, .optional("SPEED")], options: [],
        summary: "show or set a fan",
        details: [
            "SPEED is off, low, medium, high, auto, or 0 to 100 in percent of the fastest. A fan"
                + " has some of the words only, and says which. Without SPEED, how fast it turns.",
            nodeDetails, endpointDetails,
        ],
        examples: ["fan purifier", "fan purifier low", "fan purifier 60"])
}

/// Which of our commands fit what an endpoint has.
enum FittingCommands {
    /// What people use most comes first.
    static func of(_ clusters: [ClusterID]) -> [CommandName] {
        table.filter { clusters.contains($0.cluster) }.flatMap(\.commands)
    }

    private static let table: [(cluster: ClusterID, commands: [CommandName])] = [
        (OnOff.id, [.on, .off, .toggle]),
        (LevelControl.id, [.level]),
        (Thermostat.id, [.thermostat]),
        (FanControl.id, [.fan]),
        (Identify.id, [.identify]),
    ]
}

/// What the device types of Descriptor's DeviceTypeList are called. Device Library 1.4.
package enum DeviceTypes {
    /// Nil for types that are newer or a maker's own.
    package static func name(_ id: DeviceTypeID) -> String? {
        table.first { $0.id == id.rawValue }?.name.description
    }

    /// Whether it says how a device is built or kept, not what it is good for: the classes node
    /// and utility. Device Library §2.
    package static func isUtility(_ id: DeviceTypeID) -> Bool { utilities.contains(id.rawValue) }

    private static let utilities: [UInt32] = [
        0x0011, 0x0012, 0x0013, 0x0014, 0x0016, 0x0019, 0x0130, 0x050D, 0x0510,
    ]

    /// In the order of their ids: Device Library §2 (utility), §4 (lights), §5 (plugs and
    /// actuators), §6 (switches), §7 (sensors), §8 (closures), §9 (heating and air), §10 and
    /// §11 (media and generic), §12 to §14 (robots, appliances, energy), §15 (networks).
    static let table: [(id: UInt32, name: StaticString)] = [
        (0x000A, "door lock"),
        (0x000B, "door lock controller"),
        (0x000E, "aggregator"),
        (0x000F, "generic switch"),
        (0x0011, "power source"),
        (0x0012, "OTA requestor"),
        (0x0013, "bridged node"),
        (0x0014, "OTA provider"),
        (0x0015, "contact sensor"),
        (0x0016, "root node"),
        (0x0017, "solar power"),
        (0x0018, "battery storage"),
        (0x0019, "secondary network interface"),
        (0x0022, "speaker"),
        (0x0023, "casting video player"),
        (0x0024, "content app"),
        (0x0027, "mode select"),
        (0x0028, "basic video player"),
        (0x0029, "casting video client"),
        (0x002A, "video remote control"),
        (0x002B, "fan"),
        (0x002C, "air quality sensor"),
        (0x002D, "air purifier"),
        (0x0041, "water freeze detector"),
        (0x0042, "water valve"),
        (0x0043, "water leak detector"),
        (0x0044, "rain sensor"),
        (0x0045, "soil sensor"),
        (0x0070, "refrigerator"),
        (0x0071, "temperature controlled cabinet"),
        (0x0072, "room air conditioner"),
        (0x0073, "laundry washer"),
        (0x0074, "robotic vacuum cleaner"),
        (0x0075, "dishwasher"),
        (0x0076, "smoke and CO alarm"),
        (0x0077, "cook surface"),
        (0x0078, "cooktop"),
        (0x0079, "microwave oven"),
        (0x007A, "extractor hood"),
        (0x007B, "oven"),
        (0x007C, "laundry dryer"),
        (0x0090, "network infrastructure manager"),
        (0x0091, "Thread border router"),
        (0x0100, "on/off light"),
        (0x0101, "dimmable light"),
        (0x0103, "on/off light switch"),
        (0x0104, "dimmer switch"),
        (0x0105, "color dimmer switch"),
        (0x0106, "light sensor"),
        (0x0107, "occupancy sensor"),
        (0x010A, "on/off plug"),
        (0x010B, "dimmable plug"),
        (0x010C, "color temperature light"),
        (0x010D, "extended color light"),
        (0x010F, "mounted on/off control"),
        (0x0110, "mounted dimmable load control"),
        (0x0130, "joint fabric administrator"),
        (0x0202, "window covering"),
        (0x0203, "window covering controller"),
        (0x0301, "thermostat"),
        (0x0302, "temperature sensor"),
        (0x0303, "pump"),
        (0x0304, "pump controller"),
        (0x0305, "pressure sensor"),
        (0x0306, "flow sensor"),
        (0x0307, "humidity sensor"),
        (0x0309, "heat pump"),
        (0x030A, "thermostat controller"),
        (0x050C, "vehicle charger"),
        (0x050D, "device energy management"),
        (0x050F, "water heater"),
        (0x0510, "electrical sensor"),
        (0x0840, "control bridge"),
        (0x0850, "on/off sensor"),
    ]
}

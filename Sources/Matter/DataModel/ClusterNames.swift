/// What clusters without a table of their own are called: those that a device may have and that
/// people meet in what it offers. Core §9 and §11, Application Clusters 1.4.
enum ClusterNames {
    static func name(_ id: ClusterID) -> StaticString? {
        table.first { $0.id == id.rawValue }?.name
    }

    static func id(matching typed: some StringProtocol) -> ClusterID? {
        table.first { ConsoleName.matches($0.name.description, typed) }.map { ClusterID($0.id) }
    }

    /// In the order of their ids.
    static let table: [(id: UInt32, name: StaticString)] = [
        (0x001C, "pulse-width-modulation"),
        (0x001E, "binding"),
        (0x0025, "actions"),
        (0x0029, "ota-software-update-provider"),
        (0x002A, "ota-software-update-requestor"),
        (0x002B, "localization-configuration"),
        (0x002C, "time-format-localization"),
        (0x002D, "unit-localization"),
        (0x002E, "power-source-configuration"),
        (0x0032, "diagnostic-logs"),
        (0x0034, "software-diagnostics"),
        (0x0037, "ethernet-network-diagnostics"),
        (0x003B, "switch"),
        (0x0040, "fixed-label"),
        (0x0041, "user-label"),
        (0x0048, "oven-cavity-operational-state"),
        (0x0049, "oven-mode"),
        (0x004A, "laundry-dryer-controls"),
        (0x0050, "mode-select"),
        (0x0051, "laundry-washer-mode"),
        (0x0052, "refrigerator-and-temperature-controlled-cabinet-mode"),
        (0x0053, "laundry-washer-controls"),
        (0x0054, "rvc-run-mode"),
        (0x0055, "rvc-clean-mode"),
        (0x0056, "temperature-control"),
        (0x0057, "refrigerator-alarm"),
        (0x0059, "dishwasher-mode"),
        (0x005C, "smoke-co-alarm"),
        (0x005D, "dishwasher-alarm"),
        (0x005E, "microwave-oven-mode"),
        (0x005F, "microwave-oven-control"),
        (0x0060, "operational-state"),
        (0x0061, "rvc-operational-state"),
        (0x0062, "scenes-management"),
        (0x0071, "hepa-filter-monitoring"),
        (0x0072, "activated-carbon-filter-monitoring"),
        (0x0080, "boolean-state-configuration"),
        (0x0081, "valve-configuration-and-control"),
        (0x0094, "water-heater-management"),
        (0x0096, "demand-response-load-control"),
        (0x0097, "messages"),
        (0x0098, "device-energy-management"),
        (0x0099, "energy-evse"),
        (0x009B, "energy-preference"),
        (0x009D, "energy-evse-mode"),
        (0x009E, "water-heater-mode"),
        (0x009F, "device-energy-management-mode"),
        (0x0102, "window-covering"),
        (0x0150, "service-area"),
        (0x0200, "pump-configuration-and-control"),
        (0x0204, "thermostat-user-interface-configuration"),
        (0x0301, "ballast-configuration"),
        (0x040C, "carbon-monoxide-concentration-measurement"),
        (0x040D, "carbon-dioxide-concentration-measurement"),
        (0x0413, "nitrogen-dioxide-concentration-measurement"),
        (0x0415, "ozone-concentration-measurement"),
        (0x042A, "pm25-concentration-measurement"),
        (0x042B, "formaldehyde-concentration-measurement"),
        (0x042C, "pm1-concentration-measurement"),
        (0x042D, "pm10-concentration-measurement"),
        (0x042E, "total-volatile-organic-compounds-concentration-measurement"),
        (0x042F, "radon-concentration-measurement"),
        (0x0451, "wi-fi-network-management"),
        (0x0452, "thread-border-router-management"),
        (0x0453, "thread-network-directory"),
        (0x0503, "wake-on-lan"),
        (0x0504, "channel"),
        (0x0505, "target-navigator"),
        (0x0506, "media-playback"),
        (0x0507, "media-input"),
        (0x0508, "low-power"),
        (0x0509, "keypad-input"),
        (0x050A, "content-launcher"),
        (0x050B, "audio-output"),
        (0x050C, "application-launcher"),
        (0x050D, "application-basic"),
        (0x050E, "account-login"),
    ]
}

extension Clusters {
    /// As the console spells it; nil for clusters that are newer or a maker's own.
    package static func name(_ id: ClusterID) -> StaticString? {
        cluster(id)?.name ?? ClusterNames.name(id)
    }
}

package import Matter

/// The names of clusters. Core §9 and §11, Application Clusters 1.4.
package enum ClusterNames {
    package static func name(_ cluster: ClusterID) -> String? {
        table.first { $0.id == cluster.rawValue }.map(\.name.description)
    }

    /// The name, or `cluster 0x0402` where it is not known here.
    package static func text(_ cluster: ClusterID) -> String {
        name(cluster) ?? "cluster \(NumberText.hexadecimal(cluster.rawValue, digits: 4))"
    }

    /// - Parameter folded: as `PathName.folded`.
    static func cluster(named folded: String) -> ClusterID? {
        table.first { PathName.folded($0.name.description) == folded }.map { ClusterID($0.id) }
    }

    private static let table: [(id: UInt32, name: StaticString)] = [
        (0x0003, "Identify"), (0x0004, "Groups"), (0x0006, "On/Off"), (0x0008, "Level Control"),
        (0x001C, "Pulse Width Modulation"), (0x001D, "Descriptor"), (0x001E, "Binding"),
        (0x001F, "Access Control"), (0x0025, "Actions"), (0x0028, "Basic Information"),
        (0x0029, "OTA Software Update Provider"), (0x002A, "OTA Software Update Requestor"),
        (0x002B, "Localization Configuration"), (0x002C, "Time Format Localization"),
        (0x002D, "Unit Localization"), (0x002E, "Power Source Configuration"),
        (0x002F, "Power Source"), (0x0030, "General Commissioning"),
        (0x0031, "Network Commissioning"), (0x0032, "Diagnostic Logs"),
        (0x0033, "General Diagnostics"), (0x0034, "Software Diagnostics"),
        (0x0035, "Thread Network Diagnostics"), (0x0036, "Wi-Fi Network Diagnostics"),
        (0x0037, "Ethernet Network Diagnostics"), (0x0038, "Time Synchronization"),
        (0x0039, "Bridged Device Basic Information"), (0x003B, "Switch"),
        (0x003C, "Administrator Commissioning"), (0x003E, "Operational Credentials"),
        (0x003F, "Group Key Management"), (0x0040, "Fixed Label"), (0x0041, "User Label"),
        (0x0045, "Boolean State"), (0x0046, "ICD Management"),
        (0x0048, "Oven Cavity Operational State"), (0x0049, "Oven Mode"),
        (0x004A, "Laundry Dryer Controls"), (0x0050, "Mode Select"),
        (0x0051, "Laundry Washer Mode"),
        (0x0052, "Refrigerator And Temperature Controlled Cabinet Mode"),
        (0x0053, "Laundry Washer Controls"), (0x0054, "RVC Run Mode"), (0x0055, "RVC Clean Mode"),
        (0x0056, "Temperature Control"), (0x0057, "Refrigerator Alarm"),
        (0x0059, "Dishwasher Mode"), (0x005B, "Air Quality"), (0x005C, "Smoke CO Alarm"),
        (0x005D, "Dishwasher Alarm"), (0x005E, "Microwave Oven Mode"),
        (0x005F, "Microwave Oven Control"), (0x0060, "Operational State"),
        (0x0061, "RVC Operational State"), (0x0062, "Scenes Management"),
        (0x0071, "HEPA Filter Monitoring"), (0x0072, "Activated Carbon Filter Monitoring"),
        (0x0080, "Boolean State Configuration"), (0x0081, "Valve Configuration And Control"),
        (0x0090, "Electrical Power Measurement"), (0x0091, "Electrical Energy Measurement"),
        (0x0094, "Water Heater Management"), (0x0096, "Demand Response Load Control"),
        (0x0097, "Messages"), (0x0098, "Device Energy Management"), (0x0099, "Energy EVSE"),
        (0x009B, "Energy Preference"), (0x009C, "Power Topology"), (0x009D, "Energy EVSE Mode"),
        (0x009E, "Water Heater Mode"), (0x009F, "Device Energy Management Mode"),
        (0x0101, "Door Lock"), (0x0102, "Window Covering"), (0x0150, "Service Area"),
        (0x0200, "Pump Configuration And Control"), (0x0201, "Thermostat"), (0x0202, "Fan Control"),
        (0x0204, "Thermostat User Interface Configuration"), (0x0300, "Color Control"),
        (0x0301, "Ballast Configuration"), (0x0400, "Illuminance Measurement"),
        (0x0402, "Temperature Measurement"), (0x0403, "Pressure Measurement"),
        (0x0404, "Flow Measurement"), (0x0405, "Relative Humidity Measurement"),
        (0x0406, "Occupancy Sensing"), (0x040C, "Carbon Monoxide Concentration Measurement"),
        (0x040D, "Carbon Dioxide Concentration Measurement"),
        (0x0413, "Nitrogen Dioxide Concentration Measurement"),
        (0x0415, "Ozone Concentration Measurement"),
        (0x042A, "PM2.5 Concentration Measurement"),
        (0x042B, "Formaldehyde Concentration Measurement"),
        (0x042C, "PM1 Concentration Measurement"), (0x042D, "PM10 Concentration Measurement"),
        (0x042E, "Total Volatile Organic Compounds Concentration Measurement"),
        (0x042F, "Radon Concentration Measurement"), (0x0503, "Wake On LAN"), (0x0504, "Channel"),
        (0x0505, "Target Navigator"), (0x0506, "Media Playback"), (0x0507, "Media Input"),
        (0x0508, "Low Power"), (0x0509, "Keypad Input"), (0x050A, "Content Launcher"),
        (0x050B, "Audio Output"), (0x050C, "Application Launcher"), (0x050D, "Application Basic"),
        (0x050E, "Account Login"), (0x0451, "Wi-Fi Network Management"),
        (0x0452, "Thread Border Router Management"), (0x0453, "Thread Network Directory"),
    ]
}

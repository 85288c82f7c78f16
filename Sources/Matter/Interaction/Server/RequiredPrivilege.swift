/// The privilege that an access needs, where it is not the usual one: view to read, operate to
/// write and to invoke. As the access columns of the clusters' tables have it, Core §9 and §11,
/// Application Clusters 1.4.
enum RequiredPrivilege {
    typealias Privilege = AccessControl.Privilege

    static func read(_ path: ConcreteAttributePath) -> Privilege {
        administeredReads.contains { $0.holds(path.cluster, path.attribute.rawValue) }
            ? .administer : .view
    }

    static func write(_ path: ConcreteAttributePath) -> Privilege {
        let (cluster, attribute) = (path.cluster, path.attribute.rawValue)
        if administeredWrites.contains(where: { $0.holds(cluster, attribute) }) {
            return .administer
        }
        return managedWrites.contains { $0.holds(cluster, attribute) } ? .manage : .operate
    }

    static func invoke(_ cluster: ClusterID, _ command: CommandID) -> Privilege {
        if administeredCommands.contains(where: { $0.holds(cluster, command.rawValue) }) {
            return .administer
        }
        return managedCommands.contains { $0.holds(cluster, command.rawValue) }
            ? .manage : .operate
    }

    /// All events of Access Control are for administrators (Core §9.10.9); others are viewed.
    static func read(eventsOf cluster: ClusterID) -> Privilege {
        cluster == AccessControl.id ? .administer : .view
    }

    /// Whether a command acts on the accessor's fabric and so needs one (quality F).
    static func needsFabric(_ cluster: ClusterID, _ command: CommandID) -> Bool {
        fabricCommands.contains { $0.holds(cluster, command.rawValue) }
    }

    /// Some numbers of one cluster.
    private struct Row {
        let cluster: UInt32
        /// Nil for all.
        let numbers: [UInt32]?

        init(_ cluster: UInt32, _ numbers: [UInt32]? = nil) {
            self.cluster = cluster
            self.numbers = numbers
        }

        func holds(_ id: ClusterID, _ number: UInt32) -> Bool {
            cluster == id.rawValue && numbers?.contains(number) ?? true
        }
    }

    private static let administeredReads = [
        Row(0x001F, [0x0000, 0x0001]),  // Access Control: ACL, Extension
        Row(0x0030, [0x0005, 0x0006, 0x0007, 0x0008, 0x0009]),  // General Commissioning: TC…
        Row(0x0031, [0x0000, 0x0001, 0x0005, 0x0006, 0x0007]),  // Network Commissioning
        Row(0x003E, [0x0000]),  // Operational Credentials: NOCs
        Row(0x0046, [0x0003, 0x0004]),  // ICD Management: RegisteredClients, ICDCounter
    ]

    private static let administeredWrites = [
        Row(0x001F),
        Row(0x0028, [0x0006]),  // Basic Information: Location
        Row(0x0030),
        Row(0x0031),
        // Door Lock: local programming, PIN rules
        Row(0x0101, [0x0028, 0x002C, 0x0030, 0x0031, 0x0032, 0x0033, 0x0035]),
    ]

    private static let managedWrites = [
        Row(0x0006, [0x4003]),  // On/Off: StartUpOnOff
        Row(0x0008, [0x4000]),  // Level Control: StartUpCurrentLevel
        Row(0x001E),  // Binding
        Row(0x0028),  // Basic Information
        Row(0x002B), Row(0x002C), Row(0x002D),  // localization
        Row(0x0039),  // Bridged Device Basic Information
        Row(0x003F),  // Group Key Management
        Row(0x0041),  // User Label
        Row(0x0080),  // Boolean State Configuration
        Row(0x0101),  // Door Lock
        // Thermostat: all but the setpoints that people turn
        Row(
            0x0201,
            [
                0x0009, 0x0010, 0x0015, 0x0016, 0x0017, 0x0018, 0x0019, 0x001A, 0x001B, 0x001C,
                0x0023, 0x0024, 0x0025, 0x0034, 0x0037, 0x003A, 0x0040, 0x0041, 0x0042, 0x0043,
                0x0044, 0x0045, 0x0047, 0x0050, 0x0051,
            ]),
        Row(0x0204),  // Thermostat User Interface Configuration
        // Color Control: the primaries' and white point's calibration, start-up color
        Row(0x0300, [0x0030, 0x0031, 0x0032, 0x0033, 0x0034, 0x0036, 0x0037, 0x0038, 0x003A]),
        Row(0x0300, [0x003B, 0x003C, 0x4010]),
        Row(0x0406),  // Occupancy Sensing
    ]

    private static let administeredCommands = [
        Row(0x001F), Row(0x0030), Row(0x0031), Row(0x003C), Row(0x003E), Row(0x003F),
        Row(0x0038, [0x00, 0x01, 0x05]),  // Time Synchronization: time, its source, default NTP
        // Door Lock: schedules, users, credentials
        Row(
            0x0101,
            [
                0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x1A, 0x1B, 0x1D, 0x22,
                0x24, 0x26, 0x28, 0x29,
            ]),
    ]

    private static let managedCommands = [
        Row(0x0003),  // Identify
        Row(0x0004, [0x00, 0x03, 0x04, 0x05]),  // Groups: all but the questions
        Row(0x0033, [0x00]),  // General Diagnostics: TestEventTrigger
        Row(0x0034), Row(0x0035), Row(0x0037),  // ResetCounts and the like of diagnostics
        Row(0x0038),
        Row(0x0046, [0x00, 0x02]),  // ICD Management: RegisterClient, UnregisterClient
        Row(0x0201, [0x01, 0x03, 0xFE]),  // Thermostat: weekly schedule, AtomicRequest
    ]

    private static let fabricCommands = [
        Row(0x0004), Row(0x003F), Row(0x0062),  // Groups, Group Key Management, Scenes
        Row(0x001F, [0x00]),  // ReviewFabricRestrictions
        Row(0x0030, [0x04]),  // CommissioningComplete
        Row(0x0038, [0x01]),  // SetTrustedTimeSource
        // UpdateNOC, UpdateFabricLabel, SetVIDVerificationStatement
        Row(0x003E, [0x07, 0x09, 0x0C]),
        Row(0x0046, [0x00, 0x02]),  // RegisterClient, UnregisterClient
    ]
}

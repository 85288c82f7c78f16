internal import Base
internal import MatterNode

/// What `backup`, `restore` and `factory-reset` say. The members' names are relied on by scripts.
enum KeepingOutput {
    static func saved(_ backup: Backup, in path: String, bytes: Int) -> Output {
        let content = backup.content
        return Output(
            lines: [
                "\(path): \(devices(content.nodes.count)) saved (\(bytes) octets)"
                    .escapingControls,
                "Keep it where this board is not, and its passphrase somewhere else.",
            ],
            document: document(
                backup, [("file", .string(path)), ("bytes", .integer(Int64(bytes)))]))
    }

    /// - Parameter aside: where what was there before is.
    static func restored(_ backup: Backup, aside: String?) -> Output {
        var lines = ["Restored: \(description(backup))."]
        if let aside { lines.append("What was here before is kept as \(aside).") }
        lines.append(stayOff)
        return Output(
            lines: lines.map(\.escapingControls),
            document: document(
                backup, [("replaced_file", aside.map { JSONValue.string($0) } ?? .null)]))
    }

    static func erased(_ present: PresentState) -> Output {
        var lines = ["Erased: this gateway has no identity any more, nor any device."]
        switch present.devices {
        case 0: break
        case 1:
            lines.append(
                "1 device is left without this administrator: it must be reset as its leaflet"
                    + " says before it can be added here again.")
        case let count?:
            lines.append(
                "\(count) devices are left without this administrator: each must be reset as its"
                    + " leaflet says before it can be added here again.")
        case nil:
            lines.append(
                "The state was damaged; devices that were added must be reset as their leaflets"
                    + " say before they can be added here again.")
        }
        return Output(
            lines: lines,
            document: .object([
                ("erased", .boolean(true)),
                ("devices_left", present.devices.map { .integer(Int64($0)) } ?? .null),
            ]))
    }

    // MARK: Questions

    static func question(_ path: String, _ backup: Backup, _ present: PresentState) -> String {
        let place =
            switch present {
            case .damaged: "the damaged state"
            case .empty: "an empty state"
            case .content(let content):
                "all that this gateway keeps (\(devices(content.nodes.count)))"
            }
        return "\(path), \(description(backup)), takes the place of \(place). \(stayOff)"
            .escapingControls
    }

    static func question(saving content: StoreContent, _ path: String) -> String {
        "\(path) will hold the keys to \(devices(content.nodes.count))."
            .escapingControls
    }

    static func question(erasing present: PresentState) -> String {
        let what =
            switch present.devices {
            case nil: "The damaged state"
            case 0: "All that this gateway keeps"
            case 1: "This gateway's identity and its only device, which must then be reset by hand,"
            case let count?:
                "This gateway's identity and its \(count) devices, each of which must then be"
                    + " reset by hand,"
            }
        return "\(what) will be erased, with every copy on this board."
    }

    // MARK: Words

    static func devices(_ count: Int) -> String {
        switch count {
        case 0: "no device"
        case 1: "1 device"
        default: "\(count) devices"
        }
    }

    /// `a backup of 2026-11-30T08:15:00Z with 3 devices`.
    static func description(_ backup: Backup) -> String {
        let time = backup.createdAt > 0 ? " of \(UTCText.instant(backup.createdAt))" : ""
        return "a backup\(time) with \(devices(backup.content.nodes.count))"
    }

    private static let stayOff =
        "The gateway that it was made on must stay off from now on: two of one identity make"
        + " devices fail with both."

    private static func document(
        _ backup: Backup, _ more: [(key: String, value: JSONValue)]
    ) -> JSONValue {
        let content = backup.content
        let time = backup.createdAt
        return .object(
            more + [
                ("fabric_id", .string(content.fabric.fabricID.text)),
                ("created_at", time > 0 ? .string(UTCText.instant(time)) : .null),
                ("devices", .integer(Int64(content.nodes.count))),
                ("settings", .integer(Int64(content.settings.count))),
                ("authorities", .integer(Int64(content.authorities.count))),
                ("wifi", .boolean(content.networks.networks.wiFi != nil)),
                ("thread", .boolean(content.networks.networks.thread != nil)),
            ])
    }
}

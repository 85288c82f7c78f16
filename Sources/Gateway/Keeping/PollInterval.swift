internal import Base
package import Matter
package import MatterNode

/// The interval of one device, where people have set one; kept among the settings.
///
/// It is of a place and not of a node, as limits of values are: it stays when a dead device is
/// replaced.
package struct PollInterval: Equatable, Sendable {
    package let place: NodeID
    /// Within `ConsoleLimits.pollSeconds`.
    package let seconds: Int

    /// - Precondition: `seconds` are within `ConsoleLimits.pollSeconds`.
    package init(of place: NodeID, seconds: Int) {
        precondition(ConsoleLimits.pollSeconds.contains(seconds), "checked where it was typed")
        self.place = place
        self.seconds = seconds
    }

    /// Nil for a record of something else, or of a value that this version does not allow.
    package init?(_ record: SettingRecord) {
        guard record.key.hasPrefix(Self.prefix),
            let place = IdentifierText.number(
                record.key.dropFirst(Self.prefix.count), max: .max),
            let seconds = Words.number(Array(record.value.utf8)),
            ConsoleLimits.pollSeconds.contains(seconds)
        else { return nil }
        self.init(of: NodeID(place), seconds: seconds)
    }

    package var record: SettingRecord {
        SettingRecord(key: Self.key(of: place), value: String(seconds))
    }

    package static func key(of place: NodeID) -> String { prefix + place.text }

    /// Older versions take it for a setting that they do not know.
    private static let prefix = "\(SettingKey.pollInterval.rawValue)/"
}

/// What a person wants of it.
package enum PollOrder: Equatable, Sendable {
    case show
    case set(seconds: Int)
    /// As all others.
    case clear

    /// - Parameter word: behind the device, if there is one.
    init(_ word: [UInt8]?) throws(UsageError) {
        guard let word else {
            self = .show
            return
        }
        if word == Array("default".utf8) {
            self = .clear
            return
        }
        guard let seconds = Words.number(word), ConsoleLimits.pollSeconds.contains(seconds) else {
            throw .numberOutOfRange(.poll, ConsoleLimits.pollSeconds)
        }
        self = .set(seconds: seconds)
    }
}

extension CommandRunner {
    func poll(_ selector: NodeSelector, _ order: PollOrder) throws(Explanation) -> Output {
        let record = try node(selector).node
        let store = try surroundings.store()
        try stored { () throws(StoreError) in
            switch order {
            case .show: break
            case .set(let seconds):
                try store.save(PollInterval(of: record.historyID, seconds: seconds).record)
            case .clear: try store.removeSetting(PollInterval.key(of: record.historyID))
            }
        }
        let settings = try stored { () throws(StoreError) in try Settings(store) }
        let own = settings.pollSeconds(ofPlace: record.historyID)
        let seconds = own ?? settings.pollSeconds
        var line = "\(DeviceOutput.callName(record)): asked after \(seconds) s of silence"
        if own == nil { line += ", as \(SettingKey.pollInterval.rawValue) is set" }
        return Output(
            lines: [line.escapingControls],
            document: .object([
                ("node_id", .string(record.nodeID.text)),
                ("poll_seconds", .integer(Int64(seconds))), ("is_own", .boolean(own != nil)),
            ]))
    }
}

extension CommandTable {
    static let poll = CommandEntry(
        name: .poll, arguments: [.node, .optional("SECONDS|default")], options: [],
        summary: "say after how long a silence a device is asked",
        details: [
            "Devices tell what they measure by themselves; one that said nothing for so long is"
                + " asked, and so is what a device does not tell. SECONDS are"
                + " \(ConsoleLimits.pollSeconds.lowerBound) to"
                + " \(ConsoleLimits.pollSeconds.upperBound); default goes back to what settings"
                + " poll-interval says; without either, it is shown.",
            "A device that sleeps is never asked: it keeps its own intervals. A device that takes"
                + " another's place keeps what was set.",
            nodeDetails,
        ],
        examples: ["poll cellar 30", "poll cellar default", "poll cellar --json"])
}

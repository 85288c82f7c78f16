internal import Base
package import Matter
package import MatterNode

/// What people can set, by the words for it.
package enum SettingKey: String, CaseIterable, Sendable {
    case siteName = "site-name"
    case adminVendorID = "admin-vendor-id"
    case pollInterval = "poll-interval"
    case offlineLimit = "offline-limit"
    case historyDays = "history-days"
    case historySize = "history-size"
}

/// The settings as the gateway uses them. What was never set is the default.
package struct Settings: Equatable, Sendable {
    /// What devices call our fabric; empty is nothing. Core §11.18.4.5 (Label).
    package private(set) var siteName = ""
    /// Under which vendor this gateway administers devices: test vendor 1 until an installation
    /// has its own.
    package private(set) var adminVendorID = VendorID(0xFFF1)
    /// Of readings.
    package private(set) var historyBounds = HistoryBounds()

    /// Between two polls of a device that says nothing by itself.
    package private(set) var pollSeconds = Int(KeepingLimits.pollInterval.components.seconds)
    /// How long a device may be away before people are told.
    package private(set) var offlineMinutes =
        Int(KeepingLimits.offlineLimit.components.seconds / 60)

    /// Of single places.
    package private(set) var pollIntervals: [PollInterval] = []

    package init() {}

    /// A value that a newer or older version allowed and this one does not counts as not set.
    package init(_ records: [SettingRecord]) {
        for record in records {
            if let interval = PollInterval(record) { pollIntervals.append(interval) }
            guard let key = SettingKey(rawValue: record.key) else { continue }
            do throws(SettingError) { try set(key, record.value) } catch { continue }
        }
    }

    package init(_ store: any Store) throws(StoreError) {
        self.init(try store.settings())
    }

    /// Nil where `pollSeconds` holds.
    package func pollSeconds(ofPlace place: NodeID) -> Int? {
        pollIntervals.first { $0.place == place }?.seconds
    }

    /// The value as it is stored and shown.
    package func text(_ key: SettingKey) -> String {
        switch key {
        case .siteName: siteName
        case .adminVendorID: adminVendorID.text
        case .pollInterval: "\(pollSeconds)"
        case .offlineLimit: "\(offlineMinutes)"
        case .historyDays: String(historyBounds.days)
        case .historySize: String(historyBounds.megabytes)
        }
    }

    /// - Parameter text: as a person types it.
    package mutating func set(_ key: SettingKey, _ text: String) throws(SettingError) {
        switch key {
        case .siteName:
            guard text.utf8.count <= ConsoleLimits.siteNameBytes else { throw .siteNameTooLong }
            guard text.unicodeScalars.allSatisfy(\.isPlain) else { throw .controls }
            siteName = text
        case .adminVendorID:
            let digits =
                text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
            guard digits.utf8.count <= 4, let number = UInt16(digits, radix: 16),
                digits.utf8.first != UInt8(ascii: "+"), number != 0
            else { throw .noVendorID }
            adminVendorID = VendorID(number)
        case .pollInterval: pollSeconds = try Self.number(text, ConsoleLimits.pollSeconds)
        case .offlineLimit:
            offlineMinutes = try Self.number(text, KeepingLimits.offlineMinutes)
        case .historyDays:
            historyBounds.days = try Self.number(text, ConsoleLimits.historyDays)
        case .historySize:
            historyBounds.megabytes = try Self.number(text, ConsoleLimits.historySize)
        }
    }

    private static func number(
        _ text: String, _ range: ClosedRange<Int>
    ) throws(SettingError) -> Int {
        guard let number = Words.number(Array(text.utf8)), range.contains(number) else {
            throw .outOfRange(range)
        }
        return number
    }
}

/// Why a value is refused.
package enum SettingError: Error, Equatable {
    case siteNameTooLong
    case controls
    /// Not one to four hexadecimal digits, or zero.
    case noVendorID
    case outOfRange(ClosedRange<Int>)
    /// Devices know the vendor id that they were added under, and would not be told another.
    case hasDevices(Int)
}

extension SettingKey {
    /// One line, without a full stop.
    package var text: String {
        switch self {
        case .siteName:
            "what devices that are added from now on call this gateway's fabric; at most"
                + " \(ConsoleLimits.siteNameBytes) octets"
        case .adminVendorID:
            "the vendor id under which this gateway administers devices, in hexadecimal; only"
                + " before the first device"
        case .pollInterval:
            "seconds after which a device that said nothing by itself is asked;"
                + " \(ConsoleLimits.pollSeconds.lowerBound) to"
                + " \(ConsoleLimits.pollSeconds.upperBound)"
        case .offlineLimit:
            "minutes that a device may be away before that is told and shown by the lamp;"
                + " \(KeepingLimits.offlineMinutes.lowerBound) to"
                + " \(KeepingLimits.offlineMinutes.upperBound)"
        case .historyDays:
            "for how many days readings are kept (\(ConsoleLimits.historyDays.lowerBound) to"
                + " \(ConsoleLimits.historyDays.upperBound))"
        case .historySize:
            "how large history.db may grow, in units of a million octets"
                + " (\(ConsoleLimits.historySize.lowerBound) to"
                + " \(ConsoleLimits.historySize.upperBound)); then the oldest readings go"
        }
    }
}

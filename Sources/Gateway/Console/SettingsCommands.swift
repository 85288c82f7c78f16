internal import Base
internal import Matter
internal import MatterNode

extension CommandRunner {
    func settings(_ key: SettingKey?, _ value: String?) throws(Explanation) -> Output {
        let store = try surroundings.store()
        if let key, let value {
            var settings = Settings()
            if !value.isEmpty {
                do throws(SettingError) { try settings.set(key, value) } catch {
                    throw Explanation(error)
                }
            }
            if key == .adminVendorID { try administer(as: settings.adminVendorID, store) }
            let record = SettingRecord(key: key.rawValue, value: settings.text(key))
            try stored { () throws(StoreError) in
                value.isEmpty ? try store.removeSetting(record.key) : try store.save(record)
            }
        }
        let records = try stored { () throws(StoreError) in try store.settings() }
        return SettingsOutput.list(records, only: key)
    }

    /// A fabric that nobody was added to yet takes the new vendor id.
    private func administer(
        as vendorID: VendorID, _ store: any Store
    ) throws(Explanation) {
        let nodes = try stored { () throws(StoreError) in try store.nodes() }
        guard nodes.isEmpty else { throw Explanation(SettingError.hasDevices(nodes.count)) }
        try stored { () throws(StoreError) in
            guard var fabric = try store.fabric() else { return }
            fabric.adminVendorID = vendorID
            try store.save(fabric)
        }
    }
}

/// What `settings` says.
enum SettingsOutput {
    /// - Parameter only: one alone, as its value.
    static func list(_ records: [SettingRecord], only key: SettingKey?) -> Output {
        let settings = Settings(records)
        func document(_ key: SettingKey) -> JSONValue {
            .object([
                ("key", .string(key.rawValue)), ("value", .string(settings.text(key))),
                ("default", .string(Settings().text(key))),
                ("is_set", .boolean(isSet(key, records))), ("text", .string(key.text)),
            ])
        }
        if let key {
            let value = settings.text(key)
            return Output(
                lines: [value.isEmpty ? "(none)" : value.escapingControls],
                document: document(key))
        }
        var table = TextTable(["KEY", "VALUE", "DEFAULT", "SET"])
        for key in SettingKey.allCases {
            table.add([
                key.rawValue, settings.text(key), Settings().text(key),
                isSet(key, records) ? "yes" : "no",
            ])
        }
        return Output(
            lines: table.lines,
            document: .object([("settings", .array(SettingKey.allCases.map(document)))]))
    }

    private static func isSet(_ key: SettingKey, _ records: [SettingRecord]) -> Bool {
        records.contains { $0.key == key.rawValue }
    }
}

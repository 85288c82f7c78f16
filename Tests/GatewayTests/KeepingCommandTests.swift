import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commands on what is kept")
struct KeepingCommandTests {
    private let building: Building

    init() throws {
        building = try Building()
    }

    private func fill(_ building: Building) throws {
        try building.records.save(building.fabric.record)
        _ = try building.device(1, name: "Lamp")
    }

    @Test("what was backed up comes back on a board that was erased")
    func saveAndRestore() throws {
        try fill(building)
        #expect(try building.run("settings site-name Mill").exitCode == .ok)
        building.passphrases = ["four words are fine", "four words are fine"]
        let saved = try building.run("backup x.backup --yes")
        #expect(saved.exitCode == .ok)
        #expect(saved.lines.first?.hasPrefix("x.backup: 1 device saved (") == true)
        #expect(saved.document["devices"] == .integer(1))
        #expect(saved.document["created_at"] == .string("2026-04-24T03:06:40Z"))

        let other = try Building()
        other.files = building.files
        other.passphrases = ["four words are fine"]
        other.confirms = true
        let restored = try other.run("restore x.backup")
        #expect(restored.exitCode == .ok, "\(restored.notices)")
        #expect(
            restored.lines.first
                == "Restored: a backup of 2026-04-24T03:06:40Z with 1 device.")
        #expect(restored.lines.last?.contains("must stay off") == true)
        #expect(restored.document["replaced_file"] == .null)
        #expect(try other.records.nodes() == building.records.nodes())
        #expect(try other.records.settings() == building.records.settings())
        #expect(try other.records.fabric()?.rootKey == building.fabric.record.rootKey)
        #expect(try other.records.events(limit: 1).first?.kind == .restored)
        #expect(
            other.questions == [
                "x.backup, a backup of 2026-04-24T03:06:40Z with 1 device, takes the place of an"
                    + " empty state. The gateway that it was made on must stay off from now on: two"
                    + " of one identity make devices fail with both."
            ])
    }

    @Test("a backup asks for a word first, and without it nothing is saved")
    func confirmation() throws {
        try fill(building)
        #expect(
            try building.run("backup x.backup").notices
                == ["nothing was saved: type the word that is shown, or use --yes"])
        #expect(building.questions == ["x.backup will hold the keys to 1 device."])
        #expect(building.files.isEmpty)
        building.confirms = true
        building.passphrases = ["four words are fine", "four words are fine"]
        #expect(try building.run("backup x.backup").exitCode == .ok)
    }

    @Test("a backup asks for a long passphrase, twice, and says why")
    func passphrases() throws {
        try fill(building)
        building.passphrases = ["short"]
        let short = try building.run("backup x.backup --yes")
        #expect(short.exitCode == .dataError)
        #expect(short.notices.first?.contains("can try millions of short ones") == true)
        building.passphrases = ["four words are fine", "four words are fine "]
        let other = try building.run("backup x.backup --yes")
        #expect(other.notices == ["the two passphrases are not the same: try again"])
        #expect(building.files.isEmpty)
    }

    @Test("a file that is there is replaced with --force alone, and nothing is saved of nothing")
    func refusals() throws {
        building.files["x.backup"] = [1]
        #expect(
            try building.run("backup x.backup --yes").notices
                == ["x.backup is there already: name another, or use --force"])
        #expect(
            try building.run("backup y.backup --yes").notices
                == ["there is nothing to save yet: add a device first: pair PAYLOAD"])
        try fill(building)
        building.passphrases = ["four words are fine", "four words are fine"]
        #expect(try building.run("backup x.backup --force --yes").exitCode == .ok)
        #expect(building.files["x.backup"]?.count ?? 0 > 100)
    }

    @Test("another fabric with devices is replaced with --force alone, the same one without")
    func otherFabric() throws {
        try fill(building)
        building.passphrases = ["four words are fine", "four words are fine"]
        _ = try building.run("backup x.backup --yes")
        building.passphrases = ["four words are fine"]
        #expect(try building.run("restore x.backup --yes").exitCode == .ok)

        let other = try Building()
        var random = SeededRandom(seed: 99)
        try other.records.save(Fabric.create(adminVendorID: VendorID(1), using: &random))
        _ = try other.device(9, name: "Other")
        other.files = building.files
        other.passphrases = ["four words are fine"]
        let refused = try other.run("restore x.backup --yes")
        #expect(refused.exitCode == .noPermission)
        #expect(refused.notices.first?.contains("1 device of another fabric") == true)
        #expect(try other.records.nodes().map(\.name) == ["Other"])
        other.passphrases = ["four words are fine"]
        let forced = try other.run("restore x.backup --yes --force")
        #expect(forced.exitCode == .ok)
        #expect(forced.lines[1] == "What was here before is kept as memory.replaced.")
        #expect(try other.records.nodes().map(\.name) == ["Lamp"])
    }

    @Test("what is no backup, a wrong passphrase and a word not typed change nothing")
    func restoreRefusals() throws {
        try fill(building)
        building.passphrases = ["four words are fine", "four words are fine"]
        _ = try building.run("backup x.backup --yes")
        building.files["y"] = Array("hello".utf8)
        let calls = building.records.calls.count
        #expect(
            try building.run("restore y --yes").notices
                == ["y: it is no backup of matter-gateway: see whether it is the right file"])
        building.passphrases = ["four words are fin"]
        #expect(try building.run("restore x.backup --yes").exitCode == .noPermission)
        building.passphrases = ["four words are fine"]
        #expect(try building.run("restore x.backup").exitCode == .usage)
        let since = building.records.calls[calls...]
        #expect(!since.contains { $0.hasPrefix("replace") || $0.hasPrefix("save") })
    }

    @Test("a damaged store is left aside and replaced")
    func damaged() throws {
        try fill(building)
        building.passphrases = ["four words are fine", "four words are fine"]
        _ = try building.run("backup x.backup --yes")
        let other = try Building()
        other.files = building.files
        other.isDamaged = true
        other.passphrases = ["four words are fine"]
        let restored = try other.run("restore x.backup --yes")
        #expect(restored.lines[1] == "What was here before is kept as memory.damaged-1.")
        #expect(try other.records.nodes().count == 1)
    }

    @Test("a factory reset says what is left to do at the devices, and asks first")
    func factoryReset() throws {
        try fill(building)
        _ = try building.device(2, name: "Plug")
        #expect(try building.run("factory-reset").exitCode == .usage)
        #expect(!building.isErased)
        #expect(
            building.questions == [
                "This gateway's identity and its 2 devices, each of which must then be reset by"
                    + " hand, will be erased, with every copy on this board."
            ])
        building.confirms = true
        let erased = try building.run("factory-reset")
        #expect(building.isErased)
        #expect(erased.lines.last?.hasPrefix("2 devices are left") == true)
        #expect(erased.document.text == #"{"erased":true,"devices_left":2}"#)
        building.isDamaged = true
        #expect(
            try building.run("factory-reset --yes").document.text
                == #"{"erased":true,"devices_left":null}"#)
    }
}

@Suite("Settings")
struct SettingsTests {
    private let building: Building

    init() throws {
        building = try Building()
    }

    @Test("all settings are listed with their defaults; one alone is its value")
    func list() throws {
        #expect(
            try building.run("settings").lines == [
                "KEY              VALUE   DEFAULT  SET", "site-name        -       -        no",
                "admin-vendor-id  0xFFF1  0xFFF1   no", "poll-interval    60      60       no",
                "offline-limit    10      10       no", "history-days     365     365      no",
                "history-size     200     200      no",
            ])
        #expect(try building.run("settings admin-vendor-id").lines == ["0xFFF1"])
        #expect(try building.run("settings site-name").lines == ["(none)"])
        let document = try building.run("settings site-name Hall").document
        #expect(document["value"] == .string("Hall"))
        #expect(document["is_set"] == .boolean(true))
        #expect(document["default"] == .string(""))
        #expect(try building.run("settings").lines[1] == "site-name        Hall    -        yes")
        #expect(try building.run("settings site-name \"\"").lines == ["(none)"])
        #expect(try building.records.settings().isEmpty)
    }

    @Test(
        "what a setting cannot be is refused, and nothing is kept",
        arguments: [
            "site-name 123456789012345678901234567890123", "site-name a\u{7}", "admin-vendor-id 0",
            "admin-vendor-id 0x", "admin-vendor-id 10000", "admin-vendor-id x",
            "admin-vendor-id +FF1", "poll-interval 1", "poll-interval 60s", "offline-limit 0",
            "history-days 0", "history-size 1x",
        ])
    func refused(words: String) throws {
        let output = try building.run("settings " + words)
        #expect(output.exitCode == .dataError)
        #expect(try building.records.settings().isEmpty)
    }

    @Test("an unknown key is answered with those there are")
    func unknown() throws {
        var message = ""
        do throws(UsageError) {
            _ = try CommandParser.parse([Array("settings".utf8), Array("sitename".utf8)])
        } catch { message = error.description }
        #expect(
            message == "\"sitename\" is no setting: there are site-name, admin-vendor-id,"
                + " poll-interval, offline-limit, history-days, history-size")
    }

    @Test("the vendor id reaches a fabric without devices, and is refused to one with some")
    func adminVendorID() throws {
        try building.records.save(building.fabric.record)
        #expect(try building.run("settings admin-vendor-id 0x1fF2").lines == ["0x1FF2"])
        #expect(try building.records.fabric()?.adminVendorID == VendorID(0x1FF2))
        _ = try building.device(1, name: "Lamp")
        let refused = try building.run("settings admin-vendor-id FFF2")
        #expect(refused.exitCode == .noPermission)
        #expect(
            refused.notices == [
                "1 device knows this gateway by the vendor id that it has: remove them first, and"
                    + " add them again afterwards"
            ])
        #expect(try building.records.fabric()?.adminVendorID == VendorID(0x1FF2))
    }

    @Test("what another version set counts as not set")
    func foreign() throws {
        let settings = Settings([
            SettingRecord(key: "future", value: "1"),
            SettingRecord(key: "admin-vendor-id", value: "blue"),
            SettingRecord(key: "site-name", value: "Mill"),
        ])
        #expect(settings.siteName == "Mill")
        #expect(settings.adminVendorID == VendorID(0xFFF1))
    }
}

@Suite("Authorities that are added")
struct AuthorityCommandTests {
    private let building: Building
    private let attestation = DeviceAttestation.shared

    init() throws {
        building = try Building()
        building.files = [
            "paa.der": attestation.paa, "pai.der": attestation.pai, "dac.der": attestation.dac,
            "text": Array("hello".utf8), "folder/a.der": attestation.paa,
            "folder/b.txt": Array("hello".utf8),
        ]
    }

    @Test("an authority is kept with its certificate, said by name, and known the second time")
    func add() throws {
        let added = try building.run("authorities add paa.der")
        #expect(added.exitCode == .ok)
        #expect(added.lines.count == 2)
        #expect(added.lines[1].hasPrefix("PAA   any     "))
        let record = try #require(try building.records.authorities().first)
        #expect(record.certificate == attestation.paa)
        let again = try building.run("authorities add paa.der")
        #expect(again.lines == ["No authority was added.", "Known before: 1."])
        #expect(again.exitCode == .ok)
        #expect(try building.records.authorities().count == 1)
        let keyID = record.keyID
        let removed = try building.run("authorities remove \(Hex.upper(keyID.span))")
        #expect(removed.lines == ["PAA: removed; it is not believed any more"])
        #expect(try building.records.authorities().isEmpty)
    }

    @Test(
        "what is no authority's certificate is refused by name",
        arguments: [
            ("pai.der", "pai.der: this is a certificate of an intermediate (PAI)"),
            ("dac.der", "dac.der: this is a certificate of a device (DAC)"),
            ("text", "text: there is no certificate in it"), ("none", "no file"),
        ])
    func refused(file: String, words: String) throws {
        let output = try building.run("authorities add \(file)")
        #expect(output.exitCode != .ok)
        #expect(output.notices.first?.hasPrefix(words) == true, "\(output.notices)")
        #expect(try building.records.authorities().isEmpty)
    }

    @Test("a certificate that its own key did not sign is refused")
    func forged() throws {
        var bytes = attestation.paa
        bytes[bytes.count - 1] ^= 1
        building.files["forged.der"] = bytes
        #expect(try building.run("authorities add forged.der").exitCode == .dataError)
        #expect(try building.records.authorities().isEmpty)
    }

    @Test("of a folder, what is right is taken and what is not is named")
    func folder() throws {
        let output = try building.run("authorities add folder")
        #expect(output.exitCode == .ok)
        #expect(output.notices == ["skipped: folder/b.txt: there is no certificate in it"])
        #expect(try building.records.authorities().count == 1)
    }

    @Test("more than there can be are refused, and none is added")
    func bound() throws {
        let full = (0..<Limits.addedAuthorities).map { number in
            var keyID = FixedBytes<20>()
            keyID[0] = UInt8(number & 0xFF)
            keyID[1] = UInt8(number >> 8)
            return AuthorityRecord(keyID: keyID, certificate: [])
        }
        try building.records.save(full)
        let output = try building.run("authorities add paa.der")
        #expect(output.exitCode == .noPermission)
        #expect(output.notices.first?.contains("1001 added authorities, and 1000") == true)
        #expect(try building.records.authorities().count == Limits.addedAuthorities)
    }

    @Test("one that is built in or was not added is not removed")
    func remove() throws {
        let builtIn = try #require(TrustAnchors().authorities().first?.subjectKeyID)
        #expect(
            try building.run("authorities remove \(Hex.lower(builtIn.span))").notices == [
                "this authority is built in: authorities list shows those that were added"
            ])
        let none = String(repeating: "00", count: 20)
        #expect(try building.run("authorities remove \(none)").exitCode == .noPermission)
        #expect(throws: UsageError.notAKeyID) { _ = try building.run("authorities remove 00") }
        #expect(throws: UsageError.missingArgument(.authorities, placeholder: "FILE")) {
            _ = try building.run("authorities add")
        }
    }
}

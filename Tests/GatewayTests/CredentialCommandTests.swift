import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("Commands on the networks that devices are given")
struct CredentialCommandTests {
    private let building: Building
    private static let passphrase = "correct horse"
    /// Made up; the key is a pattern.
    private static let key = "000102030405060708090a0b0c0d0e0f"
    private static let dataset =
        "0e080000000000010000000300000f35060004001fffe002081122334455667788"
        + "0708fd001122334455660510" + key + "030c4d6174746572204c6162203101" + "02abcd"
        + "04100f0e0d0c0b0a090807060504030201000c0402a0f7f8"

    init() throws {
        building = try Building()
    }

    private func kept() throws -> DeviceNetworks { try building.records.networks().networks }

    /// All that a person, a script or a log could see of an output.
    private func text(_ output: Output) -> String {
        output.standardOutput(isJSON: false) + output.standardOutput(isJSON: true)
            + output.standardError
    }

    @Test("a passphrase is asked for, kept, and shown by no command")
    func set() throws {
        building.passphrases = [Self.passphrase]
        let set = try building.run("wifi set \"Mill Lane 5\"")
        #expect(set.exitCode == .ok)
        #expect(set.lines == ["Wi-Fi \"Mill Lane 5\" is used for devices from now on"])
        #expect(building.prompts == ["passphrase of \"Mill Lane 5\""])
        #expect(try kept().wiFi?.ssid == Array("Mill Lane 5".utf8))
        #expect(try kept().wiFi?.credentials == Secret(Array(Self.passphrase.utf8).span))
        let shown = try building.run("wifi show")
        #expect(
            shown.lines == [
                "Wi-Fi:     \"Mill Lane 5\"", "security:  a passphrase", "hidden:    no",
                "set:       2026-04-24T03:06:40Z",
            ])
        let document =
            #"{"is_set":true,"ssid":"Mill Lane 5","ssid_hex":"4d696c6c204c616e652035","#
            + #""security":"passphrase","hidden":false,"since":"2026-04-24T03:06:40Z"}"#
        #expect(shown.document.text == document)
        #expect(set.document.text == document)
        let events = try building.records.events(limit: 9)
        #expect(events.map(\.text) == ["Wi-Fi \"Mill Lane 5\" is used for devices"])
        for text in [text(set), text(shown), events[0].text] + building.prompts {
            #expect(!text.contains(Self.passphrase))
        }
    }

    @Test("it is forgotten, once")
    func forget() throws {
        building.passphrases = [Self.passphrase]
        _ = try building.run("wifi set Home --hidden")
        #expect(try kept().wiFi?.isHidden == true)
        let forgotten = try building.run("wifi forget")
        #expect(forgotten.document.text == #"{"forgotten":true}"#)
        #expect(try kept().wiFi == nil)
        #expect(try building.run("wifi forget").lines == ["no Wi-Fi network was set"])
        let none = try building.run("wifi show")
        #expect(none.lines == ["no Wi-Fi network is set: wifi set SSID gives devices one"])
        #expect(none.document["is_set"] == .boolean(false))
        #expect(none.document["ssid"] == .null)
        let events = try building.records.events(limit: 1)
        #expect(events.map(\.text) == ["Wi-Fi for devices was forgotten"])
    }

    @Test("without SSID its name is asked for first, where somebody can answer")
    func asksForName() throws {
        building.passphrases = ["Küche 5", Self.passphrase]
        #expect(try building.run("wifi set").exitCode == .ok)
        #expect(
            building.prompts == ["name of the network (SSID)", "passphrase of \"Küche 5\""])
        #expect(try kept().wiFi?.ssid == Array("Küche 5".utf8))
        building.hasTerminal = false
        let refused = try building.run("wifi set")
        #expect(refused.exitCode == .usage)
        #expect(refused.notices.first?.hasPrefix("the network is not named: wifi set SSID") == true)
    }

    @Test("open networks, names that are no text, and keys of 64 digits")
    func kinds() throws {
        #expect(try building.run("wifi set Guests --open").exitCode == .ok)
        #expect(building.prompts.isEmpty)
        #expect(try building.run("wifi show").document["security"] == .string("open"))
        let key = String(repeating: "aB", count: 32)
        building.passphrases = [key]
        let set = try building.run("wifi set FF00 --hex")
        #expect(set.lines == ["Wi-Fi 0xFF00 is used for devices from now on"])
        #expect(try kept().wiFi?.ssid == [0xFF, 0x00])
        let shown = try building.run("wifi show")
        #expect(shown.document["ssid"] == .null)
        #expect(shown.document["ssid_hex"] == .string("ff00"))
        #expect(shown.document["security"] == .string("key"))
        #expect(!text(shown).contains(key))
        building.passphrases = [Self.passphrase]
        _ = try building.run("wifi set \"a\u{1B}[2J\"")
        #expect(try building.run("wifi show").lines[0] == "Wi-Fi:     \"a\\u{1B}[2J\"")
    }

    @Test("what no network has is refused, and what was kept stays")
    func refusals() throws {
        building.passphrases = [Self.passphrase]
        _ = try building.run("wifi set Home")
        let secrets = ["short", "1234567", String(repeating: "x", count: 64)]
        for secret in secrets + [String(repeating: "y", count: 65)] {
            building.passphrases = [secret]
            let output = try building.run("wifi set Other")
            #expect(output.exitCode == .dataError)
            #expect(!text(output).contains(secret))
        }
        building.prompts = []
        for line in [
            "wifi set \"\"", "wifi set " + String(repeating: "s", count: 33), "wifi set 4 --hex",
            "wifi set 4g --hex",
        ] {
            #expect(try building.run(line).exitCode == .dataError, "\(line)")
        }
        #expect(building.prompts.isEmpty)
        #expect(try kept().wiFi?.ssid == Array("Home".utf8))
    }

    @Test("a store that is full refuses, and says nothing was set")
    func full() throws {
        building.records.onWrite = { (_, _) throws(StoreError) in throw .full }
        building.passphrases = [Self.passphrase]
        #expect(try building.run("wifi set Home").exitCode == .inputOutput)
        #expect(try kept().wiFi == nil)
    }

    @Test("the board's own network is taken when it is asked for by name or not")
    func fromBoard() throws {
        #expect(try building.run("wifi set --from-board").exitCode == .noInput)
        let name = Array("Home".utf8)
        building.boardNetwork = try WiFiNetworkCredentials(
            ssid: name.span, credentials: Secret(Array(Self.passphrase.utf8).span),
            isHidden: true)
        let set = try building.run("wifi set --from-board")
        #expect(set.lines == ["Wi-Fi \"Home\" is used for devices from now on"])
        #expect(try kept().wiFi == building.boardNetwork)
        #expect(try building.run("wifi set Other --from-board").exitCode == .noInput)
        #expect(try building.run("wifi set 486F6D65 --hex --from-board").exitCode == .ok)
        #expect(building.prompts.isEmpty)
    }

    @Test("words that are none of it are no command")
    func usage() {
        func error(_ line: String) -> UsageError? {
            do throws(UsageError) {
                _ = try CommandParser.parse(try ConsoleLine.split(Array(line.utf8).span))
            } catch { return error }
            return nil
        }
        #expect(error("wifi set Mill Lane") == .tooManyArguments(.wifi))
        #expect(error("wifi show Home") == .tooManyArguments(.wifi))
        #expect(error("wifi forget --open") == .optionNotOfCommand(.open, .wifi))
        #expect(error("wifi set --from-board --open") == .optionsExclude(.fromBoard, .open))
        #expect(error("wifi set --from-board --hidden") == .optionsExclude(.fromBoard, .hidden))
        #expect(error("wifi") == .missingArgument(.wifi, placeholder: "set|show|forget"))
        #expect(error("wifi sow") == .unknownAction(EchoedWord("sow"), .wifi))
        #expect(error("thread set 0e08") == .tooManyArguments(.thread))
        #expect(error("thread") == .missingArgument(.thread, placeholder: "set|show|forget"))
        #expect(error("thread x") == .unknownAction(EchoedWord("x"), .thread))
        // A passphrase behind the name is not repeated.
        #expect(
            error("wifi set Home 'my passphrase'")?.description.contains("my passphrase") == false)
    }

    @Test("a Thread dataset is read from a prompt, and shown without its keys")
    func thread() throws {
        building.passphrases = [Self.dataset]
        let set = try building.run("thread set")
        #expect(
            set.lines == [
                "Thread \"Matter Lab 1\" is used for devices from now on",
                "Thread:           \"Matter Lab 1\"", "channel:          15",
                "PAN id:           0xABCD", "extended PAN id:  1122334455667788",
                "set:              2026-04-24T03:06:40Z",
            ])
        let shown = try building.run("thread show")
        #expect(shown.lines == Array(set.lines.dropFirst()))
        #expect(
            shown.document.text
                == #"{"is_set":true,"network_name":"Matter Lab 1","channel":15,"pan_id":"0xABCD","#
                + #""extended_pan_id":"1122334455667788","since":"2026-04-24T03:06:40Z"}"#)
        #expect(try kept().thread?.tlvs.count == Self.dataset.utf8.count / 2)
        for text in [text(set), text(shown)] {
            #expect(!text.lowercased().contains(Self.key))
            #expect(!text.lowercased().contains("0f0e0d0c"))
        }
        let events = try building.records.events(limit: 9)
        #expect(events.map(\.text) == ["Thread \"Matter Lab 1\" is used for devices"])
        #expect(try building.run("thread forget").document.text == #"{"forgotten":true}"#)
        #expect(try kept().thread == nil)
        #expect(
            try building.run("thread show").lines
                == ["no Thread network is set: thread set gives devices one"])
    }

    @Test("a dataset that is none is refused, with what is wrong and nothing of it")
    func badDatasets() throws {
        for (digits, words) in [
            ("", "the dataset has 0 octets"), ("0e0", "character 4 of the dataset"),
            ("xy", "character 1 of the dataset"), ("0e08000000", "inside the value at octet 0"),
            ("00030000" + "0f", "the dataset lacks its PAN id"),
            ("0102abcd0102abcd", "the dataset has its PAN id twice"),
            ("0101ab", "the dataset's PAN id cannot have 1 octets"),
            ("330800000000000100" + "00", "this is a pending dataset"),
        ] {
            building.passphrases = [digits]
            let output = try building.run("thread set")
            #expect(output.exitCode == .dataError)
            #expect(output.notices.first?.contains(words) == true, "\(output.notices)")
        }
        #expect(try kept().thread == nil)
    }

    @Test("Wi-Fi and Thread do not touch each other, and both come back from a backup")
    func backup() throws {
        try building.records.save(building.fabric.record)
        building.passphrases = [Self.passphrase, Self.dataset]
        _ = try building.run("wifi set Home")
        _ = try building.run("thread set")
        building.passphrases = ["four words are fine", "four words are fine"]
        let saved = try building.run("backup x.backup --yes")
        #expect(saved.exitCode == .ok)
        #expect(saved.document["wifi"] == .boolean(true))
        #expect(saved.document["thread"] == .boolean(true))
        let bytes = try #require(building.files["x.backup"])
        let secret = Array(Self.passphrase.utf8)
        #expect(!(0..<bytes.count).contains { bytes[$0...].starts(with: secret) })
        let other = try Building()
        other.files = building.files
        other.passphrases = ["four words are fine"]
        #expect(try other.run("restore x.backup --yes").exitCode == .ok)
        #expect(try other.records.networks() == building.records.networks())
        #expect(try other.records.networks().networks.wiFi != nil)
        #expect(try other.records.networks().networks.thread != nil)
    }
}

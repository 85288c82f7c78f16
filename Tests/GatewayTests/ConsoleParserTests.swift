import Base
import Crypto
import Gateway
import Matter
import Testing

/// Words as a shell hands them over.
func words(_ text: String...) -> [[UInt8]] { text.map { Array($0.utf8) } }

private func parse(_ text: String...) throws(UsageError) -> Invocation {
    try CommandParser.parse(text.map { Array($0.utf8) })
}

private func secret(_ text: String) -> Secret { Secret(Array(text.utf8).span) }

@Suite("CommandParser")
struct ConsoleParserTests {
    private let lamp: NodeSelector

    init() throws {
        lamp = try NodeSelector("lamp")
    }

    @Test("every command is parsed from its words")
    func commands() throws {
        #expect(try parse("help").command == .help(nil))
        #expect(try parse("help", "pair").command == .help(.pair))
        #expect(try parse("version").command == .version)
        #expect(try parse("devices").command == .devices(filter: nil))
        #expect(try parse("devices", "hall").command == .devices(filter: "hall"))
        #expect(
            try parse("devices", "--refresh").command == .devices(filter: nil, asking: .any))
        #expect(
            try parse("devices", "--refresh", "x", "--online").command
                == .devices(filter: "x", asking: .online))
        #expect(
            try parse("devices", "--offline").command == .devices(filter: nil, asking: .offline))
        #expect(try parse("show", "lamp").command == .show(lamp))
        #expect(try parse("show", "lamp", "--stored").command == .show(lamp, isStored: true))
        #expect(try parse("name", "lamp", "Hall lamp").command == .name(lamp, "Hall lamp"))
        #expect(try parse("name", "lamp", "").command == .name(lamp, ""))
        #expect(try parse("room", "lamp", "Küche").command == .room(lamp, "Küche"))
        #expect(try parse("rooms").command == .rooms)
        #expect(try parse("read", "lamp").command == .read(lamp, []))
        let onOff = OnOff.onOff.path(EndpointID(1))
        #expect(
            try parse("read", "lamp", "1/6/0", "1/on-off/*").command
                == .read(
                    lamp,
                    [
                        AttributePath(onOff),
                        AttributePath(endpoint: EndpointID(1), cluster: OnOff.id),
                    ]))
        #expect(
            try parse("write", "lamp", "1/OnOff/OnOff", "-5").command
                == .write(lamp, onOff, value: "-5"))
        #expect(try parse("on", "lamp").command == .on(lamp))
        #expect(try parse("off", "lamp").command == .off(lamp))
        #expect(try parse("toggle", "lamp").command == .toggle(lamp))
        #expect(try parse("level", "lamp", "40").command == .level(lamp, 40, over: nil))
        #expect(
            try parse("level", "lamp", "100%", "--over", "10").command
                == .level(lamp, 100, over: 10))
        #expect(try parse("thermostat", "lamp").command == .thermostat(lamp, .show))
        #expect(try parse("thermostat", "lamp", "Off").command == .thermostat(lamp, .mode(.off)))
        #expect(
            try parse("thermostat", "lamp", "fan-only").command
                == .thermostat(lamp, .mode(.fanOnly)))
        #expect(
            try parse("thermostat", "lamp", "heat", "21.5").command
                == .thermostat(lamp, .setpoint(.heat, 215)))
        #expect(
            try parse("thermostat", "lamp", "cool", "-3").command
                == .thermostat(lamp, .setpoint(.cool, -30)))
        #expect(try parse("fan", "lamp").command == .fan(lamp, .show))
        #expect(try parse("fan", "lamp", "medium").command == .fan(lamp, .mode(.medium)))
        #expect(try parse("fan", "lamp", "60").command == .fan(lamp, .percent(60)))
        #expect(try parse("identify", "lamp").command == .identify(lamp, seconds: 30))
        #expect(
            try parse("identify", "lamp", "--seconds=0").command == .identify(lamp, seconds: 0))
        #expect(try parse("fabrics", "lamp").command == .fabrics(lamp))
        #expect(try parse("authorities").command == .authorities)
        #expect(try parse("authorities", "list").command == .authorities)
        #expect(try parse("discover").command == .discover(seconds: 5))
        #expect(try parse("discover", "--seconds", "20").command == .discover(seconds: 20))
        #expect(try parse("prepare").command == .prepare)
        #expect(
            try parse("remove", "lamp").command
                == .remove(lamp, isForced: false, isConfirmed: false))
        #expect(
            try parse("remove", "--force", "lamp", "--yes").command
                == .remove(lamp, isForced: true, isConfirmed: true))
        #expect(try parse("tlv", "15 24012A", "18").command == .tlv([0x15, 0x24, 1, 0x2A, 0x18]))
    }

    @Test("run has its window and its rounds of readings")
    func run() throws {
        #expect(try parse("run").command == .run(seconds: nil, pollSeconds: nil))
        #expect(
            try parse("run", "--seconds", "60", "--poll=5").command
                == .run(seconds: 60, pollSeconds: 5))
    }

    @Test("pair takes a code, or - for standard input, and its options")
    func pair() throws {
        var request = PairRequest(code: .typed(secret("MT:Y.K9042C00KA0648G00")))
        #expect(try parse("pair", "MT:Y.K9042C00KA0648G00").command == .pair(request))
        request.name = "Lamp"
        request.room = "Hall"
        request.acceptsUnattested = true
        request.timeoutSeconds = 60
        #expect(
            try parse(
                "pair", "MT:Y.K9042C00KA0648G00", "--name", "Lamp", "--room=Hall",
                "--accept-unattested", "--timeout", "60"
            ).command == .pair(request))
        #expect(try parse("pair", "-").command == .pair(PairRequest(code: .standardInput)))
        #expect(
            try parse("pair", "3497", "011", "2332").command
                == .pair(PairRequest(code: .typed(secret("34970112332")))))
    }

    @Test("a code that is no UTF-8 is kept as it is")
    func octets() throws {
        let invocation = try CommandParser.parse(words("pair") + [[0xFF, 0x00]])
        #expect(
            invocation.command == .pair(PairRequest(code: .typed(Secret([0xFF, 0].span)))))
    }

    @Test("global options stand before or after the command")
    func globalOptions() throws {
        var options = GlobalOptions()
        options.state = "/tmp/a.db"
        options.interfaces = ["eth0", "wlan0"]
        options.authorities = ["/a", "b=c"]
        options.allowsTestDevices = true
        options.isJSON = true
        let before = try parse(
            "--state", "/tmp/a.db", "--interface", "eth0", "--interface=wlan0", "--paa", "/a",
            "--paa=b=c", "--allow-test-devices", "--json", "devices")
        let after = try parse(
            "devices", "--json", "--allow-test-devices", "--paa=/a", "--paa", "b=c",
            "--interface=eth0", "--interface", "wlan0", "--state=/tmp/a.db")
        #expect(before.options == options)
        #expect(before == after)
        #expect(try parse("devices").options == GlobalOptions())
    }

    @Test("--help explains the command in whatever state the rest is")
    func help() throws {
        #expect(try parse("--help").command == .help(nil))
        #expect(try parse("pair", "--help").command == .help(.pair))
        #expect(try parse("--help", "write", "x").command == .help(.write))
    }

    @Test("what follows -- is no option")
    func endOfOptions() throws {
        #expect(
            try parse("name", "lamp", "--", "--json").command == .name(lamp, "--json"))
        #expect(try parse("--", "devices").command == .devices(filter: nil))
    }

    @Test(
        "every misuse has its error",
        arguments: [
            ([], .noCommand),
            (["--json"], .noCommand),
            (["parr"], .unknownCommand(EchoedWord("parr"), nearest: .pair)),
            (["device"], .unknownCommand(EchoedWord("device"), nearest: .devices)),
            (["no"], .unknownCommand(EchoedWord("no"), nearest: .on)),
            (["frobnicate"], .unknownCommand(EchoedWord("frobnicate"), nearest: nil)),
            (["help", "shwo"], .unknownCommand(EchoedWord("shwo"), nearest: .show)),
            (["devices", "--jsno"], .unknownOption(EchoedWord("--jsno"), nearest: .json)),
            (["devices", "-x"], .unknownOption(EchoedWord("-x"), nearest: nil)),
            (["devices", "-json"], .unknownOption(EchoedWord("-json"), nearest: .json)),
            (["--version"], .commandWithDashes(.version)),
            (["devices", "--yes"], .optionNotOfCommand(.yes, .devices)),
            (["show", "lamp", "--name", "x"], .optionNotOfCommand(.name, .show)),
            (["pair", "-", "--name", "a", "--name", "b"], .optionTwice(.name)),
            (["devices", "--online", "--offline"], .optionsExclude(.online, .offline)),
            (["pair", "-", "--name"], .missingOptionValue(.name)),
            (["pair", "-", "--name", "--json"], .missingOptionValue(.name)),
            (["devices", "--json=yes"], .unwantedOptionValue(.json)),
            (["pair", "-", "--timeout", "9"], .optionOutOfRange(.timeout, 10...900)),
            (["pair", "-", "--timeout", "1e2"], .optionOutOfRange(.timeout, 10...900)),
            (["pair", "-", "--timeout", "99999999999"], .optionOutOfRange(.timeout, 10...900)),
            (["discover", "--seconds", "-5"], .optionOutOfRange(.seconds, 1...120)),
            (["run", "--poll", "1"], .optionOutOfRange(.poll, 2...3600)),
            (["discover", "--seconds="], .optionOutOfRange(.seconds, 1...120)),
            (["identify", "a", "--seconds", "3601"], .optionOutOfRange(.seconds, 0...3600)),
            (["pair"], .missingArgument(.pair, placeholder: "PAYLOAD|-")),
            (["name", "lamp"], .missingArgument(.name, placeholder: "TEXT")),
            (["tlv"], .missingArgument(.tlv, placeholder: "HEX")),
            (["write", "lamp", "1/6/0"], .missingArgument(.write, placeholder: "VALUE")),
            (["show", "hall", "lamp"], .tooManyArguments(.show)),
            (["pair", "MT:ABC", "12345"], .tooManyArguments(.pair)),
            (["pair", "-", "-"], .tooManyArguments(.pair)),
            (["rooms", "hall"], .tooManyArguments(.rooms)),
            (["authorities", "x"], .unknownAction(EchoedWord("x"), .authorities)),
            (["show", " "], .emptyNode),
            (["name", "lamp", String(repeating: "x", count: 65)], .labelTooLong),
            (["name", "lamp", "a\u{1B}b"], .labelWithControls),
            (["pair", "-", "--room", "a\nb"], .labelWithControls),
            (["read", "lamp", "1/6"], .path(.shape, EchoedWord("1/6"))),
            (["read", "lamp", "x/6/0"], .path(.endpoint, EchoedWord("x/6/0"))),
            (["read", "lamp", "1/6x/0"], .path(.cluster, EchoedWord("1/6x/0"))),
            (["read", "lamp", "1/6/x"], .path(.attribute, EchoedWord("1/6/x"))),
            (["read", "lamp"] + Array(repeating: "1/6/0", count: 33), .tooManyPaths),
            (["write", "lamp", "1/6/*", "1"], .pathWithWildcard),
            (["write", "lamp", "1/6/0", String(repeating: "1", count: 4097)], .valueTooLong),
            (["level", "lamp", "101"], .numberOutOfRange(.level, 0...100)),
            (["level", "lamp", "-1"], .numberOutOfRange(.level, 0...100)),
            (["level", "lamp", "half"], .numberOutOfRange(.level, 0...100)),
            (["level", "a", "1", "--over", "6554"], .optionOutOfRange(.over, 0...6553)),
            (["thermostat", "a", "warm"], .unknownAction(EchoedWord("warm"), .thermostat)),
            (["thermostat", "a", "off", "20"], .tooManyArguments(.thermostat)),
            (["thermostat", "a", "heat", "21.55"], .notATemperature(EchoedWord("21.55"))),
            (["thermostat", "a", "heat", "21,5"], .notATemperature(EchoedWord("21,5"))),
            (["thermostat", "a", "heat", "21."], .notATemperature(EchoedWord("21."))),
            (["fan", "a", "101"], .numberOutOfRange(.fan, 0...100)),
            (["fan", "a", "on"], .unknownAction(EchoedWord("on"), .fan)),
            (["tlv", "152"], .notHexadecimal),
            (["tlv", "xx"], .notHexadecimal),
            (["tlv", ""], .notHexadecimal),
        ] as [([String], UsageError)])
    func misuse(text: [String], expected: UsageError) {
        #expect(throws: expected) { try CommandParser.parse(text.map { Array($0.utf8) }) }
        #expect(!expected.description.contains("\n"))
        #expect(expected.kind.exitCode == (expected == .notHexadecimal ? .dataError : .usage))
    }

    @Test("a word that is no UTF-8 is refused where text is wanted")
    func notUTF8() {
        #expect(throws: UsageError.notUTF8) {
            try CommandParser.parse(words("show") + [[0x61, 0xFF]])
        }
    }

    @Test(
        "a setup code in the wrong place is not repeated by the error",
        arguments: [
            ["MT:Y.K9042C00KA0648G00"], ["mt:y.k9042c00ka0648g00"], ["34970112332"],
            ["3497-011-2332"], ["show", "MT:Y.K9042C00KA0648G00", "x"],
            ["read", "lamp", "34970112332"], ["devices", "--MT:Y.K9042C00KA0648G00"],
        ])
    func codesAreNotEchoed(text: [String]) throws {
        let error = #expect(throws: UsageError.self) {
            try CommandParser.parse(text.map { Array($0.utf8) })
        }
        let shown = "\(try #require(error))"
        #expect(!shown.uppercased().contains("K9042C00"))
        #expect(!shown.contains("011"))
    }

    @Test("neither description nor mirror of a parsed pairing shows the code")
    func secrets() throws {
        let invocation = try parse("pair", "MT:Y.K9042C00KA0648G00", "--name", "Lamp")
        var dumped = ""
        dump(invocation, to: &dumped)
        for shown in ["\(invocation)", String(reflecting: invocation), dumped] {
            #expect(shown.contains("Lamp"))
            #expect(!shown.contains("MT:"))
            #expect(!shown.contains("K9042C00"))
            // Nor as octets.
            #expect(!shown.contains("77, 84, 58"))
        }
    }

    @Test("what an error repeats is short and harmless")
    func echo() {
        #expect(EchoedWord("a\u{1B}[2Jb").text == "\"a\\u{1B}[2Jb\"")
        #expect(EchoedWord([0x61, 0xFF]).text == "\"a\u{FFFD}\"")
        let long = EchoedWord(String(repeating: "y", count: 41)).text
        #expect(long == "\"" + String(repeating: "y", count: 40) + "…\"")
    }
}

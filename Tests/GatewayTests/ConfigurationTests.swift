import Base
import Matter
import MatterNode
import TestVectors
import Testing

@testable import Gateway

@Suite("Configuration")
struct ConfigurationTests {
    private static func fault(_ key: String, _ value: String) -> ConfigurationFault? {
        var configuration = Configuration()
        do throws(ConfigurationFault) { try configuration.set(key, value) } catch { return error }
        return nil
    }

    @Test("every key is taken over")
    func keys() throws {
        var configuration = Configuration()
        try configuration.set("state", "/tmp/gateway.db")
        try configuration.set("interface", "eth0")
        try configuration.set("interface", "wlan0")
        try configuration.set("paa", "/etc/anchors")
        try configuration.set("allow-test-devices", "yes")
        try configuration.set("window-seconds", "600")
        try configuration.set("button-factory-reset", "no")
        try configuration.set("log-level", "debug")
        for key in BoardKey.allCases {
            let sample = ConfigurationKey(rawValue: key.rawValue)?.sample
            try configuration.set(key.rawValue, #require(sample))
        }
        let mqtt = ["mqtt-discovery": "no", "mqtt-commands": "control"]
        for key in ConfigurationKey.allCases where key.rawValue.hasPrefix("mqtt-") {
            try configuration.set(key.rawValue, mqtt[key.rawValue] ?? key.sample)
        }
        try configuration.check()
        #expect(configuration.state == "/tmp/gateway.db")
        #expect(configuration.interfaces == ["eth0", "wlan0"])
        #expect(configuration.authorities == ["/etc/anchors"])
        #expect(configuration.allowsTestDevices)
        #expect(configuration.logLevel == .debug)
        let settings = configuration.window(seconds: nil)
        #expect(settings.openSeconds == 600 && !settings.allowsFactoryReset)
        #expect(configuration.window(seconds: 90).openSeconds == 90)
        #expect(Configuration().changes(to: configuration) == ConfigurationKey.allCases)
        #expect(configuration.changes(to: configuration).isEmpty)
    }

    @Test("what is written as the default is the default", arguments: ConfigurationKey.allCases)
    func defaults(key: ConfigurationKey) throws {
        var configuration = Configuration()
        try configuration.set(key.rawValue, key.sample)
        let isSame = configuration.changes(to: Configuration()).isEmpty
        if key.standard == nil {
            #expect(!isSame)
        } else if key == .state {
            #expect(configuration.state == Configuration.standardState)
        } else if key == .windowSeconds {
            #expect(configuration.window(seconds: nil) == Configuration().window(seconds: nil))
        } else {
            #expect(isSame)
        }
    }

    @Test("a bad line is refused for what is wrong with it")
    func faults() {
        #expect(
            Self.fault("interfaces", "eth0")
                == .unknownKey(EchoedWord("interfaces"), nearest: .interface))
        #expect(Self.fault("mqtt", "x") == .unknownKey(EchoedWord("mqtt"), nearest: nil))
        #expect(Self.fault("State", "/x") == .unknownKey(EchoedWord("State"), nearest: .state))
        #expect(Self.fault("state", "gateway.db") == .notAPath(.state, EchoedWord("gateway.db")))
        #expect(Self.fault("paa", "") == .empty(.paa))
        #expect(Self.fault("interface", "eth0 wlan0") == .notAnInterface(EchoedWord("eth0 wlan0")))
        #expect(Self.fault("interface", "sixteen-letters-") != nil)
        #expect(
            Self.fault("allow-test-devices", "Yes")
                == .notYesOrNo(.allowTestDevices, EchoedWord("Yes")))
        for number in ["59", "901", "-1", "60s", "6e1", "99999999999999999999"] {
            #expect(
                Self.fault("window-seconds", number)
                    == .outOfRange(.windowSeconds, WindowLimits.openSeconds))
        }
        #expect(
            Self.fault("button", "17") == .board(.button, .noChip(EchoedWord("17"))))
        #expect(Self.fault("lamp", "led:") == .board(.lamp, .noLED))
        #expect(Self.fault("log-level", "loud") == .notALevel(EchoedWord("loud")))
    }

    @Test("one line is enough for what can be said once")
    func twice() throws {
        for key in ConfigurationKey.allCases {
            var configuration = Configuration()
            try configuration.set(key.rawValue, key.sample)
            if key.isRepeatable {
                try configuration.set(key.rawValue, key.sample)
            } else {
                #expect(throws: ConfigurationFault.twice(key)) {
                    try configuration.set(key.rawValue, key.sample)
                }
            }
        }
    }

    @Test("a refusal names file and line, and what to write")
    func explanation() {
        let explanation = Explanation(
            .unknownKey(EchoedWord("sate"), nearest: .state), at: "/etc/x.conf, line 3")
        #expect(
            explanation.line == "/etc/x.conf, line 3: \"sate\" is no key: did you mean state?")
        #expect(explanation.kind.exitCode == .configuration)
    }

    @Test("options win over the file")
    func options() throws {
        var configuration = Configuration()
        try configuration.set("state", "/a")
        try configuration.set("interface", "eth0")
        try configuration.set("paa", "/b")
        let bare = GlobalOptions().completed(by: configuration)
        #expect(bare.state == "/a" && bare.interfaces == ["eth0"] && bare.authorities == ["/b"])
        #expect(!bare.allowsTestDevices)
        var options = GlobalOptions()
        options.state = "/c"
        options.interfaces = ["wlan0"]
        options.authorities = ["/d"]
        options.allowsTestDevices = true
        #expect(options.completed(by: configuration) == options)
        try configuration.set("lamp", "led:ACT")
        try configuration.set("button", "GPIO17")
        try configuration.set("scanner", "/dev/ttyACM0")
        var board = BoardSettings()
        try board.set(.button, "GPIO4")
        let wired = board.completed(by: configuration.board)
        #expect(wired.button == GPIOLineSettings(line: .name("GPIO4")))
        #expect(wired.workLamp == .led("ACT"))
        #expect(wired.scanners == [SerialSettings(path: "/dev/ttyACM0")])
    }

    @Test("the example that is installed is what the keys say of themselves")
    func example() throws {
        let file = "\(TestFile.project)/board/matter-gateway.conf"
        if TestFile.environment("WRITE_EXAMPLE") != nil {
            #expect(TestFile.write(ConfigurationKey.example, to: file))
        }
        // WRITE_EXAMPLE=1 swift test --filter Configuration writes it anew.
        #expect(TestFile.read(file) == Array(ConfigurationKey.example.utf8))
        for line in ConfigurationKey.example.split(separator: "\n") {
            #expect(line.utf8.count <= 100)
        }
    }
}

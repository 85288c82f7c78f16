import Matter
import Testing

@testable import VirtualDevice

@Suite("DeviceCommand")
struct DeviceCommandTests {
    @Test(
        "Each line is understood",
        arguments: [
            ("set temperature 21.5", .set(.temperature, .number(21_50), endpoint: nil)),
            (
                "  set 2  temperature\t-0.05 ",
                .set(.temperature, .number(-5), endpoint: EndpointID(2))
            ),
            ("set humidity 40%", .set(.humidity, .number(40_00), endpoint: nil)),
            ("set color 2700K", .set(.color, .number(2700_00), endpoint: nil)),
            ("set temperature null", .set(.temperature, .null, endpoint: nil)),
            ("set outdoor auto", .set(.outdoor, .auto, endpoint: nil)),
            ("set power on", .set(.power, .flag(true), endpoint: nil)),
            ("contact open", .set(.contact, .flag(true), endpoint: nil)),
            ("contact 3 closed", .set(.contact, .flag(false), endpoint: EndpointID(3))),
            ("occupied on", .set(.occupied, .flag(true), endpoint: nil)),
            ("press", .press(endpoint: nil)), ("press 4", .press(endpoint: EndpointID(4))),
            ("drop 20%", .drop(20)), ("drop 0", .drop(0)),
            ("window open", .window(isOpen: true)), ("window close", .window(isOpen: false)),
            ("unplug", .unplug), ("plug", .plug), ("reboot\r", .reboot),
            ("factory-reset", .factoryReset), ("status", .status), ("help", .help),
            ("quit", .quit),
        ] as [(String, DeviceCommand)])
    func understood(_ line: String, _ command: DeviceCommand) throws {
        #expect(try DeviceCommand.parse(line) == command)
    }

    @Test(
        "A wrong word gets a line that says what exists",
        arguments: [
            ("frobnicate", .unknownWord), ("SET temperature 2", .unknownWord),
            ("set", .missing(.set)), ("set temperature", .missing(.set)),
            ("set temprature 2", .unknownThing),
            ("set temperature warm", .wrongValue(.temperature)),
            ("set temperature 1.234", .wrongValue(.temperature)),
            ("set temperature 1234567", .wrongValue(.temperature)),
            ("set temperature 1.2.3", .wrongValue(.temperature)),
            ("set temperature -", .wrongValue(.temperature)),
            ("set temperature 1.", .wrongValue(.temperature)),
            ("drop", .noPercentage), ("drop 101", .noPercentage), ("drop lots", .noPercentage),
            ("window", .windowNeedsWord), ("window ajar", .windowNeedsWord),
            ("reboot now", .tooMuch(.reboot)), ("press 70000", .tooMuch(.press)),
        ] as [(String, DeviceCommandError)])
    func wrong(_ line: String, _ error: DeviceCommandError) {
        #expect(throws: error) { try DeviceCommand.parse(line) }
        #expect(!error.text.isEmpty && !error.text.contains("\n"))
    }

    @Test("An empty line is nothing", arguments: ["", "  \t ", "\r"])
    func empty(_ line: String) throws {
        #expect(try DeviceCommand.parse(line) == nil)
    }

    @Test("Help names every command and every thing")
    func help() {
        let text = DeviceCommand.helpText
        for word in DeviceCommand.Word.allCases { #expect(text.contains("  \(word.rawValue)")) }
        for word in SettableWord.allCases { #expect(text.contains("  \(word.rawValue) ")) }
    }

    @Test("What an endpoint does not have is said so")
    func settings() {
        var stage = Stage(.light, .temperature)
        #expect(throws: SettingError.notHere(.humidity)) { try stage.set(.humidity, "40") }
        #expect(throws: SettingError.notHere(.temperature)) {
            try stage.set(.temperature, "20", on: 1)
        }
        #expect(throws: SettingError.noSuchEndpoint) { try stage.set(.power, "on", on: 9) }
        #expect(throws: SettingError.wrongValue(.power)) { try stage.set(.power, "7") }
        #expect(throws: SettingError.wrongValue(.temperature)) {
            try stage.set(.temperature, "200")
        }
    }
}

import Gateway
import MatterNode
import Testing

@Suite("BoardSettings")
struct BoardWordsTests {
    private static func line(
        _ chip: String?, _ line: GPIOLineSettings.Line, isActiveLow: Bool = false,
        bias: GPIOLineSettings.Bias = .asIs
    ) -> GPIOLineSettings {
        var settings = GPIOLineSettings(chip: chip, line: line)
        settings.isActiveLow = isActiveLow
        settings.bias = bias
        return settings
    }

    @Test(
        "a line is a name or a chip's number, with how it is wired",
        arguments: [
            ("GPIO17", line(nil, .name("GPIO17"))),
            ("gpiochip0:17", line("gpiochip0", .offset(17))),
            ("pinctrl-rp1:PIN 11,pull-down", line("pinctrl-rp1", .name("PIN 11"), bias: .pullDown)),
            (
                "/dev/gpiochip4:0,active-low,pull-up",
                line("/dev/gpiochip4", .offset(0), isActiveLow: true, bias: .pullUp)
            ),
            ("X,no-bias,no-bias", line(nil, .name("X"), bias: .none)),
        ])
    func lines(words: String, line: GPIOLineSettings) throws {
        var settings = BoardSettings()
        try settings.set(.button, words)
        #expect(settings.button == line)
    }

    @Test("lamps are lines or LEDs, and devices have speeds")
    func others() throws {
        var settings = BoardSettings()
        try settings.set(.lamp, "led:ACT")
        try settings.set(.faultLamp, "gpiochip0:4")
        try settings.set(.scanner, "/dev/ttyACM0")
        try settings.set(.scanner, "/dev/serial/by-id/a,b,115200")
        try settings.set(.keyboard, "/dev/input/event3")
        try settings.set(.console, "/dev/ttyAMA0")
        #expect(settings.workLamp == .led("ACT"))
        #expect(settings.faultLamp == .line(Self.line("gpiochip0", .offset(4))))
        #expect(
            settings.scanners == [
                SerialSettings(path: "/dev/ttyACM0", bitsPerSecond: 9600),
                SerialSettings(path: "/dev/serial/by-id/a,b", bitsPerSecond: 115_200),
            ])
        #expect(settings.keyboards == ["/dev/input/event3"])
        #expect(settings.consoles == [SerialSettings(path: "/dev/ttyAMA0", bitsPerSecond: 115_200)])
    }

    @Test(
        "what is wrong is told with what would be right",
        arguments: [
            (BoardKey.button, "", "give its name"), (.button, ":3", "give its name"),
            (.button, "gpiochip0:", "give its name"), (.button, "17", "gpiochip0:17"),
            (.button, "gpiochip0:1024", "no number"), (.buzzer, "gpiochip0:1,loud", "active-low"),
            (.button, "A,pull-up,pull-down", "exclude"), (.lamp, "led:", "/sys/class/leds"),
            (.lamp, "led:../x", "/sys/class/leds"), (.scanner, "ttyACM0", "/dev/ttyACM0"),
            (.scanner, "/dev/ttyACM0,9601", "115200"), (.keyboard, "/", "whole path"),
        ])
    func faults(key: BoardKey, words: String, remedy: String) {
        var settings = BoardSettings()
        let fault = #expect(throws: BoardFault.self) { try settings.set(key, words) }
        #expect(fault?.description.contains(remedy) == true)
        #expect(settings == .none)
    }

    @Test("a setup code in a wrong place is not repeated")
    func secrets() {
        var settings = BoardSettings()
        let fault = #expect(throws: BoardFault.self) {
            try settings.set(.scanner, "MT:Y.K9042C00KA0648G00")
        }
        #expect(fault?.description.contains("9042") == false)
    }

    @Test("the number of devices is bounded")
    func bound() throws {
        var settings = BoardSettings()
        for number in 0..<BoardLimits.devices { try settings.set(.keyboard, "/dev/\(number)") }
        #expect(throws: BoardFault.tooMany) { try settings.set(.keyboard, "/dev/x") }
    }
}

import Base
import Crypto
import Matter
import Testing

@testable import VirtualDevice

@Suite("DeviceOptions")
struct DeviceOptionsTests {
    private func parse(_ line: String) throws(DeviceOptionsError) -> DeviceOptions {
        try DeviceOptions.parse(line.split(separator: " ").map { Array($0.utf8) })
    }

    @Test("Without words it is a light as the SDK's example devices are")
    func standard() throws {
        let options = try parse("")
        #expect(options.types == [.light] && options.port == 5540 && options.seed == nil)
        let passcode = [UInt8](options.passcode.span)
        #expect(passcode == [0x25, 0x42, 0x34, 0x01])
        #expect(options.discriminator == 3840)
    }

    @Test("Each option is taken")
    func each() throws {
        let options = try parse(
            "--interface eth0 --port 0 --discriminator 4095 --passcode 1 --wifi --state s"
                + " --types light,thermostat,color-light --paa-out p --seed 18446744073709551615")
        #expect(options.interface == "eth0" && options.port == 0)
        #expect(options.discriminator == 4095 && options.network == .wiFi)
        #expect(options.types == [.light, .thermostat, .colorLight])
        #expect(options.state == "s" && options.paaOut == "p" && options.seed == .max)
        let passcode = [UInt8](options.passcode.span)
        #expect(passcode == [1, 0, 0, 0])
    }

    @Test(
        "What cannot be is refused, with a line that says what can",
        arguments: [
            ("--frob", .unknown), ("light", .unknown), ("--port", .missingValue(.port)),
            ("--port 65536", .wrongValue(.port)), ("--port -1", .wrongValue(.port)),
            ("--discriminator 4096", .wrongValue(.discriminator)),
            ("--passcode 0", .wrongValue(.passcode)),
            ("--passcode 11111111", .wrongValue(.passcode)),
            ("--passcode 12345678", .wrongValue(.passcode)),
            ("--passcode 99999999", .wrongValue(.passcode)),
            ("--passcode 100000000000000000000000", .wrongValue(.passcode)),
            ("--passcode 1x", .wrongValue(.passcode)),
            ("--types light,,fan", .wrongValue(.types)), ("--types lamp", .wrongValue(.types)),
            ("--seed x", .wrongValue(.seed)),
            (
                "--types " + Array(repeating: "light", count: 17).joined(separator: ","),
                .wrongValue(.types)
            ),
        ] as [(String, DeviceOptionsError)])
    func refused(_ line: String, _ error: DeviceOptionsError) {
        #expect(throws: error) { try parse(line) }
        #expect(!error.text.isEmpty && !error.text.contains("12345678"))
    }

    @Test("Help names every option and every type, in lines that a terminal shows whole")
    func help() {
        let usage = DeviceOptions.usage
        for option in DeviceOptions.Option.allCases { #expect(usage.contains(option.rawValue)) }
        for type in DeviceType.allCases { #expect(usage.contains(type.rawValue)) }
        #expect(usage.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}

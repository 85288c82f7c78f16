import Foundation
import Gateway
import MatterNode
import Testing
import Wiring

@Suite("The boards' profiles")
struct BoardProfileTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("board/profiles")

    private static let chips = [
        "raspberry-pi-zero-2-w": "pinctrl-bcm2835", "raspberry-pi-3": "pinctrl-bcm2835",
        "raspberry-pi-4": "pinctrl-bcm2711", "raspberry-pi-5": "pinctrl-rp1",
    ]

    private static func path(_ name: String) -> String {
        folder.appendingPathComponent("\(name).conf").path
    }

    @Test("each board has its button and lamp at the header's pins", arguments: chips.keys.sorted())
    func boards(name: String) throws {
        let configuration = try ConfigurationFile.load(Self.path(name))
        let chip = try #require(Self.chips[name])
        var button = GPIOLineSettings(chip: chip, line: .offset(17))
        button.isActiveLow = true
        button.bias = .pullUp
        #expect(configuration.board.button == button)
        #expect(
            configuration.board.workLamp
                == .line(GPIOLineSettings(chip: chip, line: .offset(27))))
        #expect(configuration.board.consoles.isEmpty, "a console without a PIN is nobody's default")
    }

    @Test("the generic one leaves everything open")
    func generic() throws {
        #expect(try ConfigurationFile.load(Self.path("generic")) == Configuration())
    }

    @Test(
        "what is commented out in a profile can be taken as it is",
        arguments: chips.keys.sorted())
    func examples(name: String) throws {
        let text = try String(contentsOfFile: Self.path(name), encoding: .utf8)
        let examples = text.split(separator: "\n").filter {
            $0.hasPrefix("#") && !$0.hasPrefix("# ")
        }
        #expect(examples.count == 5)
        let file = NSTemporaryDirectory() + "profile-\(UUID().uuidString).conf"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let all = text.replacingOccurrences(of: "\n#", with: "\n").split(separator: "\n")
            .filter { !$0.hasPrefix(" ") && !$0.hasPrefix("# ") }
        try all.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let board = try ConfigurationFile.load(file).board
        #expect(board.faultLamp != nil && board.buzzer != nil)
        #expect(board.scanners.count == 1 && board.keyboards.count == 1)
        #expect(board.consoles.count == 1)
    }

    @Test("there is no profile that nobody checks")
    func all() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set((Self.chips.keys + ["generic"]).map { "\($0).conf" }))
    }
}

import Base
import Gateway
import Testing

@Suite("CommandHelp")
struct ConsoleHelpTests {
    @Test("help lists every command, global option and exit code")
    func overview() {
        let output = CommandHelp.text(about: nil)
        let text = output.standardOutput(isJSON: false)
        for name in CommandName.allCases {
            #expect(text.contains("\n  \(name.rawValue) "), "\(name)")
        }
        for option in CommandOption.allCases where option.isGlobal {
            #expect(text.contains("\n  \(option.usage) "), "\(option)")
        }
        for code in ExitCode.allCases {
            #expect(text.contains(" \(code.rawValue) "), "\(code)")
        }
        #expect(output.exitCode == .ok)
        #expect(output.notices.isEmpty)
    }

    @Test("the help of a command names its arguments and options", arguments: CommandName.allCases)
    func command(name: CommandName) {
        let entry = CommandTable.entry(name)
        #expect(entry.name == name)
        let output = CommandHelp.text(about: name)
        let text = output.standardOutput(isJSON: false)
        #expect(text.hasPrefix("Usage: matter-gateway \(name.rawValue)"))
        #expect(!entry.examples.isEmpty)
        for argument in entry.arguments { #expect(text.contains(argument.placeholder)) }
        for option in CommandOption.allCases.filter(\.isGlobal) + entry.options {
            #expect(text.contains("\n  \(option.usage) "), "\(option)")
        }
        for example in entry.examples {
            #expect(text.contains("  matter-gateway \(example)\n"))
        }
    }

    @Test("no line of help is wider than a terminal but examples")
    func width() {
        for name in [nil] + CommandName.allCases.map({ Optional($0) }) {
            let lines = CommandHelp.text(about: name).lines
            for line in lines where !line.hasPrefix("  matter-gateway ") {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    @Test("every example of help is a command", arguments: CommandTable.all.flatMap(\.examples))
    func examples(example: String) throws {
        let typed = example.split(separator: "<")[0]
        let words = try ConsoleLine.split(Array(typed.utf8).span)
        _ = try CommandParser.parse(words)
    }

    @Test("every option belongs to a command or to all")
    func options() {
        let taken = CommandTable.all.flatMap(\.options)
        for option in CommandOption.allCases where !option.isGlobal {
            #expect(taken.contains(option), "\(option)")
        }
        #expect(taken.allSatisfy { !$0.isGlobal })
    }

    @Test("--seconds says for each command what it is")
    func optionOfCommand() throws {
        func line(_ name: CommandName) -> String? {
            CommandHelp.text(about: name).lines.first { $0.hasPrefix("  --seconds") }
        }
        let seconds = try [#require(line(.identify)), #require(line(.discover))]
        #expect(seconds[0].hasSuffix("how long it does so (0 to 3600; default 30)"))
        #expect(seconds[1].hasSuffix("how long to listen (1 to 120; default 5)"))
        #expect(
            CommandHelp.text(about: .identify).document.text.contains(
                "how long it does so (0 to 3600; default 30)"))
    }

    @Test("pair tells how to keep the code from other people's eyes")
    func psShowsArguments() {
        let text = CommandHelp.text(about: .pair).lines.joined(separator: " ")
        #expect(text.contains("standard input"))
        #expect(text.contains("ps shows everyone"))
    }

    @Test("help as a document has the same commands and options")
    func document() {
        let document = CommandHelp.text(about: .remove).document
        #expect(
            document.text == """
                {"name":"remove","usage":"remove NODE [--force] [--yes]",\
                "summary":"give a device up","options":[\
                {"name":"--force","value":null,"repeatable":false,\
                "text":"forget it here alone, even when the device refuses"},\
                {"name":"--yes","value":null,"repeatable":false,"text":"without asking"}],\
                "examples":["remove \\"hall lamp\\"","remove 0x00000000000004D2 --force --yes"]}
                """)
        guard case .array(let commands)? = CommandHelp.text(about: nil).document["commands"] else {
            Issue.record("no commands")
            return
        }
        let names = CommandName.allCases.map { JSONValue.string($0.rawValue) }
        #expect(commands.compactMap { $0["name"] } == names)
    }

    @Test("every failure has a code, and every code but 0 a failure")
    func exitCodes() {
        let codes = Set(FailureKind.allCases.map(\.exitCode))
        #expect(codes.union([.ok]) == Set(ExitCode.allCases))
        #expect(ExitCode.interrupted.rawValue == 130)
    }
}

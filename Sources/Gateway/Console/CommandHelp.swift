internal import Base

/// What `help` says, made from the tables alone.
package enum CommandHelp {
    /// Columns of a terminal that paragraphs are broken for.
    private static let columns = 80

    package static func text(about name: CommandName?) -> Output {
        guard let name else { return Output(lines: overview, document: overviewDocument) }
        let entry = CommandTable.entry(name)
        return Output(lines: lines(of: entry), document: document(of: entry))
    }

    private static var overview: [String] {
        var lines = [
            "matter-gateway: adds Matter devices to this gateway and asks them.", "",
            "Usage: matter-gateway [OPTION...] COMMAND [WORD...]", "", "Commands:",
        ]
        lines += aligned(CommandTable.all.map { ($0.name.rawValue, $0.summary) })
        lines += ["", "Options of every command, before or after it:"]
        lines += aligned(CommandOption.allCases.filter(\.isGlobal).map { ($0.usage, $0.text) })
        lines += ["", "Exit codes:"]
        lines += aligned(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
        lines += ["", "help COMMAND says more about one of them."]
        return lines
    }

    private static func lines(of entry: CommandEntry) -> [String] {
        var lines = broken(entry.usage, after: "Usage: matter-gateway ", hanging: 8)
        lines += ["", sentence(entry.summary)]
        for detail in entry.details { lines += [""] + broken(detail, after: "", hanging: 0) }
        if !entry.options.isEmpty {
            lines +=
                ["", "Options:"]
                + aligned(entry.options.map { ($0.usage, $0.text(for: entry.name)) })
        }
        lines += ["", "Options of every command:"]
        lines += aligned(CommandOption.allCases.filter(\.isGlobal).map { ($0.usage, $0.text) })
        lines += ["", entry.examples.count == 1 ? "Example:" : "Examples:"]
        lines += entry.examples.map { "  matter-gateway " + $0 }
        return lines
    }

    private static func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + "."
    }

    private static func aligned(_ pairs: [(String, String)]) -> [String] {
        let width = pairs.map(\.0.count).max() ?? 0
        return pairs.flatMap { word, text in
            let padding = String(repeating: " ", count: width - word.count)
            return broken(text, after: "  " + word + padding + "  ", hanging: width + 4)
        }
    }

    /// Breaks at blanks where a line would be wider than the terminal.
    /// - Parameters:
    ///   - start: before the first word; kept as it is.
    ///   - hanging: blanks before every further line.
    private static func broken(_ text: String, after start: String, hanging: Int) -> [String] {
        var lines: [String] = []
        var line = start
        var isFresh = true
        for word in text.split(separator: " ") {
            if !isFresh, line.count + 1 + word.count > columns {
                lines.append(line)
                line = String(repeating: " ", count: hanging)
                isFresh = true
            }
            line += (isFresh ? "" : " ") + word
            isFresh = false
        }
        return lines + [line]
    }

    private static var overviewDocument: JSONValue {
        let codes = ExitCode.allCases.map { code in
            JSONValue.object([
                ("code", .integer(Int64(code.rawValue))), ("meaning", .string(code.meaning)),
            ])
        }
        let options = CommandOption.allCases.filter(\.isGlobal)
        return .object([
            ("commands", .array(CommandTable.all.map { document(of: $0) })),
            ("options", .array(options.map { document(of: $0) })),
            ("exit_codes", .array(codes)),
        ])
    }

    private static func document(of entry: CommandEntry) -> JSONValue {
        .object([
            ("name", .string(entry.name.rawValue)), ("usage", .string(entry.usage)),
            ("summary", .string(entry.summary)),
            ("options", .array(entry.options.map { document(of: $0, for: entry.name) })),
            ("examples", .array(entry.examples.map { JSONValue.string($0) })),
        ])
    }

    private static func document(
        of option: CommandOption, for command: CommandName? = nil
    ) -> JSONValue {
        let text = command.map { option.text(for: $0) } ?? option.text
        let placeholder = option.placeholder.map { JSONValue.string($0) }
        return .object([
            ("name", .string(option.spelling)), ("value", placeholder ?? .null),
            ("repeatable", .boolean(option.isRepeatable)), ("text", .string(text)),
        ])
    }
}

import Foundation

/// A Swift file, as it stands and with comments and strings blanked out.
struct SourceFile: Sendable {
    /// Relative to the repository, `Sources/Base/Hex.swift`.
    let path: String
    let lines: [String]
    /// The same lines; what is in a comment or a string is blank, so that braces and words count.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.components(separatedBy: "\n")
        code = Self.blanked(text).components(separatedBy: "\n")
    }

    /// The folder below Sources, which is the module.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : ""
    }

    var imports: [String] {
        code.compactMap { line in
            var words = line.split(separator: " ").map(String.init)
            while let first = words.first, first.hasPrefix("@") || Self.access.contains(first) {
                words.removeFirst()
            }
            guard words.count >= 2, words[0] == "import" else { return nil }
            let kinds: Set = ["struct", "enum", "class", "func", "typealias", "protocol"]
            let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
            return name.split(separator: ".").first.map(String.init)
        }
    }

    /// Lines, counted from 1, whose code has a match of the expression.
    func lines(matching expression: String) -> [Int] {
        code.indices.filter { index in
            code[index].range(of: expression, options: .regularExpression) != nil
        }.map { $0 + 1 }
    }

    /// First line and length of every function, initialiser and accessor with a body.
    var functions: [(line: Int, length: Int)] {
        var found: [(line: Int, length: Int)] = []
        var open: [(line: Int, depth: Int)] = []
        var declared: Int?
        var depth = 0
        for (index, line) in code.enumerated() {
            if line.range(of: Self.declaration, options: .regularExpression) != nil {
                declared = index
            }
            for character in line {
                if character == "{" {
                    depth += 1
                    if let start = declared {
                        open.append((start, depth))
                        declared = nil
                    }
                } else if character == "}" {
                    if let last = open.last, last.depth == depth {
                        open.removeLast()
                        found.append((last.line + 1, index - last.line + 1))
                    }
                    depth -= 1
                }
            }
        }
        return found
    }

    private static let access: Set = ["internal", "private", "fileprivate", "package", "public"]
    private static let declaration = #"(^|[\s)])(func\s|init[?!]?[(<]|deinit\b|subscript[(<])"#

    private static func blanked(_ text: String) -> String {
        var scanner = Blanking(Array(text.unicodeScalars))
        return scanner.run()
    }
}

/// Replaces comments and string contents by blanks and leaves every line where it is.
private struct Blanking {
    let source: [Unicode.Scalar]
    var index = 0
    var output = String.UnicodeScalarView()

    init(_ source: [Unicode.Scalar]) { self.source = source }

    mutating func run() -> String {
        while index < source.count { step() }
        return String(output)
    }

    private mutating func step() {
        if at("//") {
            while index < source.count, source[index] != "\n" { blank() }
        } else if at("/*") {
            comment()
        } else if let hashes = hashesBeforeQuote() {
            string(hashes: hashes)
        } else {
            output.append(source[index])
            index += 1
        }
    }

    private mutating func comment() {
        var depth = 0
        repeat {
            if at("/*") {
                depth += 1
                blank(2)
            } else if at("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && index < source.count
    }

    private mutating func string(hashes: Int) {
        let marks = String(repeating: "#", count: hashes)
        blank(hashes)
        let quotes = at("\"\"\"") ? "\"\"\"" : "\""
        blank(quotes.count)
        while index < source.count, !at(quotes + marks) {
            if at("\\" + marks + "(") {
                blank(hashes + 2)
                interpolation()
            } else if hashes == 0, at("\\") {
                blank(2)
            } else if quotes.count == 1, source[index] == "\n" {
                return
            } else {
                blank()
            }
        }
        blank(quotes.count + hashes)
    }

    /// Up to the parenthesis that closes it; strings inside may hold parentheses.
    private mutating func interpolation() {
        var depth = 1
        while index < source.count, depth > 0 {
            if let hashes = hashesBeforeQuote() {
                string(hashes: hashes)
                continue
            }
            if source[index] == "(" { depth += 1 }
            if source[index] == ")" { depth -= 1 }
            blank()
        }
    }

    /// How many # stand before the quote here; nil when no string begins here.
    private func hashesBeforeQuote() -> Int? {
        var end = index
        while end < source.count, source[end] == "#" { end += 1 }
        return end < source.count && source[end] == "\"" ? end - index : nil
    }

    private func at(_ text: String) -> Bool {
        source[index...].starts(with: text.unicodeScalars)
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<min(count, source.count - index) {
            output.append(source[index] == "\n" ? "\n" : " ")
            index += 1
        }
    }
}

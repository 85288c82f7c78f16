/// A terminal that knows what a VT100 knows of drawing, and takes nothing else.
struct VT100 {
    struct Unknown: Error, Equatable {
        let sequence: String
    }

    let columns: Int
    let rows: Int
    /// What stands in each place; the second place of a wide character is empty.
    private var places: [[Character?]]
    private var reversed: [[Bool]]
    private(set) var row = 0
    private var column = 0
    private var isReversed = false
    /// How often something was written beyond the last column.
    private(set) var wraps = 0

    init(columns: Int = 80, rows: Int = 24) {
        self.columns = columns
        self.rows = rows
        places = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        reversed = Array(repeating: Array(repeating: false, count: columns), count: rows)
    }

    /// Without the blanks at their ends.
    var lines: [String] {
        places.map { line in
            var text = String(line.compactMap { $0 })
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    /// The lines of which something is shown in reverse.
    var reversedRows: [Int] { reversed.indices.filter { reversed[$0].contains(true) } }

    mutating func show(_ text: String) throws {
        var rest = text[...]
        while let first = rest.popFirst() {
            guard first == "\u{1B}" else {
                put(first)
                continue
            }
            guard rest.popFirst() == "[" else { throw Unknown(sequence: text) }
            var parameters = ""
            while let next = rest.first, next.isNumber || next == ";" {
                parameters.append(next)
                rest.removeFirst()
            }
            try carryOut(parameters, rest.popFirst())
        }
    }

    private mutating func carryOut(_ parameters: String, _ final: Character?) throws {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch final {
        case "H":
            row = max(1, min(rows, numbers.first ?? 1)) - 1
            column = max(1, min(columns, numbers.count > 1 ? numbers[1] : 1)) - 1
        case "J" where parameters.isEmpty:
            erase()
            for below in (row + 1)..<max(row + 1, rows) { erase(below) }
        case "K" where parameters.isEmpty: erase()
        case "m" where parameters.isEmpty || numbers == [0]: isReversed = false
        case "m" where numbers == [7]: isReversed = true
        default: throw Unknown(sequence: "[\(parameters)\(final.map { String($0) } ?? "")")
        }
    }

    private mutating func erase(_ line: Int? = nil) {
        for place in (line == nil ? column : 0)..<columns {
            places[line ?? row][place] = " "
            reversed[line ?? row][place] = false
        }
    }

    private mutating func put(_ character: Character) {
        let isWide =
            character.unicodeScalars.contains { $0.value >= 0x1100 && $0.value < 0xA000 }
            && !character.unicodeScalars.contains { (0x2000...0x2BFF).contains($0.value) }
        for part in [character, nil].prefix(isWide ? 2 : 1) {
            guard column < columns else {
                wraps += 1
                continue
            }
            places[row][column] = part
            reversed[row][column] = isReversed
            column += 1
        }
    }
}

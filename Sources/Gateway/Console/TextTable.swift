internal import Base

/// Rows under headings, each column as wide as its widest cell.
struct TextTable {
    private let headings: [String]
    private var rows: [[String]] = []

    init(_ headings: [String]) {
        self.headings = headings
    }

    /// Cells may come from anywhere: what could steer the terminal is escaped here.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == headings.count, "a row has a cell under each heading")
        rows.append(cells.map { $0.isEmpty ? "-" : $0.escapingControls })
    }

    var lines: [String] {
        let all = [headings] + rows
        let widths = headings.indices.map { column in
            all.reduce(0) { max($0, DisplayWidth.columns($1[column])) }
        }
        return all.map { cells in
            var line = ""
            for (column, cell) in cells.enumerated() {
                line += cell
                if column == cells.count - 1 { break }
                let blanks = widths[column] - DisplayWidth.columns(cell) + 2
                line += String(repeating: " ", count: blanks)
            }
            return line
        }
    }
}

/// Facts one below the other, with their names before them.
struct TextSheet {
    private var facts: [(name: String, value: String)] = []

    /// What is empty is left out.
    mutating func add(_ name: String, _ value: String) {
        if !value.isEmpty { facts.append((name, value.escapingControls)) }
    }

    var lines: [String] {
        let width = facts.reduce(0) { max($0, $1.name.count) }
        return facts.map { name, value in
            let blanks = String(repeating: " ", count: width - name.count + 2)
            return name + ":" + blanks + value
        }
    }
}

internal import Base
package import Matter

/// The dashboard as a terminal shows it: lines out of what is known, and what keys ask for.
///
/// Scope: content, keys and the terminal's size in; what to draw and actions out. Not scope:
/// when that is (`Dashboard`), terminals, carrying actions out.
package struct DashboardView: Sendable {
    package enum Event: Equatable, Sendable {
        case toggle(NodeID)
        case identify(NodeID)
        case quit
    }

    /// A VT100's.
    package static let usualSize = (columns: 80, rows: 24)

    private let hasBlocks: Bool
    private var columns = Self.usualSize.columns
    private var rows = Self.usualSize.rows
    private var content = DashboardContent(title: "", rows: [])
    private var course = ""
    private var message = ""
    private var showsHelp = false
    /// Stays with its device, whatever comes and goes around it.
    package private(set) var selected: NodeID?
    private var keys = DashboardKeys()
    private var drawing = ScreenDrawing()
    private var events: [Event] = []

    /// - Parameter hasBlocks: whether the terminal shows more than ASCII.
    package init(hasBlocks: Bool) {
        self.hasBlocks = hasBlocks
    }

    // MARK: Inputs

    /// - Parameter size: nil where nobody knows.
    package mutating func resize(to size: (columns: Int, rows: Int)?) {
        let (columns, rows) = size ?? Self.usualSize
        // What is larger than any screen is none.
        guard columns != self.columns || rows != self.rows, (1...1000).contains(columns),
            (1...1000).contains(rows)
        else { return }
        (self.columns, self.rows) = (columns, rows)
        drawing.forget()
    }

    package mutating func show(_ content: DashboardContent) {
        let place = selectedIndex ?? 0
        self.content = content
        if selectedIndex == nil {
            let next = min(place, content.rows.count - 1)
            selected = next >= 0 ? content.rows[next].nodeID : nil
        }
    }

    /// The course of the selected device's temperature in one line; empty where it has none.
    package mutating func show(course: String) { self.course = course }

    /// What came of an action, or what the agent tells.
    package mutating func note(_ line: String) { message = line.escapingControls }

    /// What was typed: any number of keys, or a part of one.
    package mutating func receive(_ octets: [UInt8]) {
        for octet in octets {
            guard let key = keys.receive(octet) else { continue }
            if showsHelp, key != .quit, key != .redraw {
                showsHelp = false
                continue
            }
            take(key)
        }
    }

    private mutating func take(_ key: DashboardKeys.Key) {
        switch key {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: move(by: -listRows)
        case .pageDown: move(by: listRows)
        case .toggle: if let selected { events.append(.toggle(selected)) }
        case .identify: if let selected { events.append(.identify(selected)) }
        case .help: showsHelp = true
        case .redraw: drawing.forget()
        case .quit: events.append(.quit)
        }
    }

    private mutating func move(by count: Int) {
        guard let index = selectedIndex else { return }
        selected = content.rows[max(0, min(content.rows.count - 1, index + count))].nodeID
    }

    // MARK: Outputs

    package mutating func nextEvent() -> Event? { events.isEmpty ? nil : events.removeFirst() }

    /// What makes the terminal show how things stand; nil when it does already.
    package mutating func nextTransmit() -> String? {
        let lines = lines
        let place = (selectedIndex ?? 0) - pageStart + Self.headRows
        return drawing.changes(to: lines, cursor: showsHelp ? 0 : min(place, lines.count - 1))
    }

    private var selectedIndex: Int? {
        content.rows.firstIndex { $0.nodeID == selected }
    }

    // MARK: Lines

    /// Title and headings above the list; course, message and keys below it.
    private static let headRows = 2
    private static let footRows = 3

    private var listRows: Int { max(1, rows - Self.headRows - Self.footRows) }
    /// The list turns by whole pages: one that crept would be drawn anew at every step.
    private var pageStart: Int { (selectedIndex ?? 0) / listRows * listRows }
    /// The last column stays empty, for a character there may make a terminal wrap.
    private var width: Int { max(1, columns - 1) }

    /// What the terminal shows, as many lines as it has at most.
    var lines: [ScreenLine] {
        let title = "matter-gateway  \(content.title)"
        var lines = [ScreenLine(text: title, isReversed: true)]
        lines.append(ScreenLine(text: table.heading))
        lines += showsHelp ? help : list
        let count = Self.headRows + listRows
        while lines.count < count { lines.append(ScreenLine(text: "")) }
        lines = Array(lines.prefix(count))
        lines.append(ScreenLine(text: course))
        lines.append(ScreenLine(text: message))
        lines.append(
            ScreenLine(text: "up/down choose  t toggle  i identify  h help  q quit"))
        return lines.prefix(rows).map { line in
            let text = hasBlocks ? line.text : ScreenText.ascii(line.text)
            var fitted = ScreenText.fitted(text, width)
            // Blanks at the end are drawn where they are seen alone.
            while !line.isReversed, fitted.last == " " { fitted.removeLast() }
            return ScreenLine(text: fitted, isReversed: line.isReversed)
        }
    }

    private var table: DashboardTable { DashboardTable(columns: width, isASCII: !hasBlocks) }

    private var list: [ScreenLine] {
        guard !content.rows.isEmpty else {
            return [
                ScreenLine(text: ""),
                ScreenLine(text: "No devices yet: open the window and scan, or pair one."),
            ]
        }
        let end = min(content.rows.count, pageStart + listRows)
        return (pageStart..<end).map { index in
            let row = content.rows[index]
            // A room is named once on each page.
            let isFirst = index == pageStart || content.rows[index - 1].room != row.room
            return ScreenLine(
                text: table.line(row, namesRoom: isFirst), isReversed: row.nodeID == selected)
        }
    }

    private var help: [ScreenLine] {
        [
            "", "up, down, k, j      choose a device", "page up/down, b, f  turn the page",
            "t, Space, Enter     switch it on or off", "i                   have it show itself",
            "Control-L           draw the screen anew", "q, Control-C        back to the console",
            "", "AGE is that of the value. The line below the list is the temperature of the",
            "chosen device in the last 24 hours, between its lowest and its highest.", "",
            "Any key goes back.",
        ].map { ScreenLine(text: $0) }
    }
}

/// The columns of the list.
struct DashboardTable {
    private let widths: [Int]
    private let isASCII: Bool

    /// - Parameters:
    ///   - columns: of the line; what is beyond 79 goes to names and values.
    ///   - isASCII: cells are made so first, for that changes their widths.
    init(columns: Int, isASCII: Bool) {
        self.isASCII = isASCII
        let extra = max(0, columns - 79)
        widths = [10 + extra / 6, 17 + extra / 3, 14 + extra / 6, 20 + extra / 3, 6, 7]
    }

    var heading: String { line(["ROOM", "DEVICE", "TYPE", "VALUE", "AGE", "LINK"]) }

    func line(_ row: DashboardRow, namesRoom: Bool) -> String {
        line([namesRoom ? row.room : "", row.name, row.kind, row.value, row.age, row.link])
    }

    private func line(_ cells: [String]) -> String {
        var line = ""
        for (cell, width) in zip(cells, widths) {
            if !line.isEmpty { line += " " }
            line += ScreenText.fitted(isASCII ? ScreenText.ascii(cell) : cell, width)
        }
        return line
    }
}

import Base
import Matter
import MatterNode
import Simulation
import Testing

@testable import Gateway

@Suite("DashboardView")
struct DashboardViewTests {
    private static let now = Instant(nanoseconds: 10_000_000_000_000)

    private static func before(_ duration: Duration) -> Instant { now + duration * -1 }

    static func row(
        _ number: UInt64, _ name: String, room: String = "", value: Int64? = nil,
        ago: Duration = .seconds(3), isOnline: Bool = true
    ) -> NodeState {
        var record = NodeRecord(
            nodeID: NodeID(number), fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1),
            productID: ProductID(0x8000))
        record.name = name
        record.room = room
        record.endpoints = [
            EndpointRecord(
                endpoint: EndpointID(1), deviceTypes: [DeviceTypeID(0x0302)],
                clusters: [TemperatureMeasurement.id])
        ]
        let since = before(.seconds(60))
        var state = NodeState(
            node: record, link: isOnline ? .online(since: since) : .offline(since: since),
            heardAt: before(ago))
        if let value {
            let source = ReadingSource(
                historyID: NodeID(number), endpoint: EndpointID(1),
                cluster: TemperatureMeasurement.id, attribute: AttributeID(0))
            state.readings = [Reading(source: source, value: value, at: before(ago))]
        }
        return state
    }

    static func content(_ states: [NodeState]) -> DashboardContent {
        DashboardContent(states, AgentStatus(), at: now)
    }

    private static let building = [
        row(1, "Shelf", room: "Cold store", value: -1850, ago: .seconds(75)),
        row(2, "Lamp", isOnline: false), row(3, "Door", room: "Cold store", value: 412),
        row(4, "Desk", room: "Office", value: 2143, ago: .seconds(3)),
    ]

    @Test("a VT100 shows devices by room, what they measure, how old it is, and the link")
    func screen() throws {
        var view = DashboardView(hasBlocks: false)
        view.show(Self.content(Self.building))
        view.note("Lamp: on")
        var terminal = VT100()
        try terminal.show(view.nextTransmit() ?? "nothing")
        let lines = terminal.lines
        #expect(lines[0] == "matter-gateway  4 devices, 3 online")
        #expect(
            lines[1...6] == [
                "ROOM       DEVICE            TYPE           VALUE                AGE    LINK",
                "Cold store Shelf             temperature s~ -18.50 C             1 min  online",
                "           Door              temperature s~ 4.12 C               3 s    online",
                "Office     Desk              temperature s~ 21.43 C              3 s    online",
                "           Lamp              temperature s~                      3 s    OFFLINE",
                "",
            ])
        #expect(lines[22] == "Lamp: on")
        #expect(lines[23] == "up/down choose  t toggle  i identify  h help  q quit")
        #expect(terminal.reversedRows == [0, 2] && terminal.row == 2)
        #expect(terminal.wraps == 0)
        #expect(view.nextTransmit() == nil)
    }

    @Test("of what changes some octets are drawn, and of the rest none")
    func differences() throws {
        var view = DashboardView(hasBlocks: true)
        view.show(Self.content(Self.building))
        var terminal = VT100()
        try terminal.show(view.nextTransmit() ?? "nothing")
        var later = Self.building
        later[3].readings[0] = Reading(
            source: later[3].readings[0].source, value: 2150, at: Self.before(.seconds(4)))
        view.show(Self.content(later))
        let drawn = view.nextTransmit() ?? "nothing"
        try terminal.show(drawn)
        #expect(drawn.utf8.count < 50, "\(drawn.debugDescription)")
        #expect(terminal.lines[4].contains(" 21.50 °C "))
        #expect(terminal.lines[4].hasSuffix("4 s    online"))
    }

    @Test("the choice stays with its device while others come and go; arrows may come in pieces")
    func choosing() {
        var view = DashboardView(hasBlocks: false)
        view.show(Self.content(Self.building))
        for piece in [[0x1B], [0x5B], [0x42, 0x1B, 0x4F], [0x42]] as [[UInt8]] {
            view.receive(piece)
        }
        #expect(view.selected == NodeID(4))
        view.show(Self.content([Self.row(9, "First", room: "Attic")] + Self.building))
        view.receive(Array("ti".utf8))
        #expect(view.nextEvent() == .toggle(NodeID(4)))
        #expect(view.nextEvent() == .identify(NodeID(4)))
        view.show(Self.content(Self.building.filter { $0.node.nodeID != NodeID(4) }))
        #expect(view.selected == NodeID(2))
        view.receive(Array("jjjj".utf8))
        #expect(view.selected == NodeID(2))
        view.receive(Array("\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A".utf8))
        #expect(view.selected == NodeID(1))
        #expect(view.nextEvent() == nil)
        for quit in [[0x71], [0x03], [0x04]] as [[UInt8]] {
            view.receive(quit)
            #expect(view.nextEvent() == .quit)
        }
    }

    @Test("sequences without a meaning here switch nothing")
    func foreignKeys() {
        var view = DashboardView(hasBlocks: false)
        view.show(Self.content(Self.building))
        for sequence in [
            "\u{1B}[15~", "\u{1B}[1;5C", "\u{1B}OP", "\u{1B}[200~", "xyz0", "\u{1B}\u{1B}[H",
        ] {
            view.receive(Array(sequence.utf8))
            #expect(view.nextEvent() == nil, "\(sequence.debugDescription)")
        }
        #expect(view.selected == NodeID(1))
        view.receive(Array("t".utf8))
        #expect(view.nextEvent() == .toggle(NodeID(1)))
    }

    @Test("help covers the list until the next key, which does nothing else")
    func help() throws {
        var view = DashboardView(hasBlocks: false)
        view.show(Self.content(Self.building))
        view.receive(Array("h".utf8))
        #expect(view.lines.contains { $0.text.hasPrefix("Any key goes back") })
        view.receive(Array("t".utf8))
        #expect(view.nextEvent() == nil)
        #expect(view.lines.contains { $0.text.contains("Shelf") })
    }

    @Test("what devices are called steers no terminal")
    func names() throws {
        var view = DashboardView(hasBlocks: true)
        view.show(Self.content([Self.row(1, "\u{1B}[2J\u{7}Lamp\n", room: "\u{9B}31m")]))
        view.note("\u{1B}]0;title\u{7}")
        var terminal = VT100()
        try terminal.show(view.nextTransmit() ?? "nothing")
        #expect(terminal.lines[2].contains("\\u{1B}[2J\\u{"))
        #expect(terminal.lines[22] == "\\u{1B}]0;title\\u{7}")
    }

    @Test(
        "any size is filled and nothing is written beyond it",
        arguments: [(80, 24), (132, 50), (40, 10), (20, 3), (5, 1), (81, 7)])
    func sizes(columns: Int, rows: Int) throws {
        var view = DashboardView(hasBlocks: true)
        view.resize(to: (columns, rows))
        view.show(Self.content((1...60).map { Self.row(UInt64($0), "Lamp \($0)", value: 2000) }))
        for _ in 0..<30 { view.receive(Array("j".utf8)) }
        var terminal = VT100(columns: columns, rows: rows)
        try terminal.show(view.nextTransmit() ?? "nothing")
        #expect(terminal.wraps == 0)
        #expect(view.lines.count == rows)
        if rows > 5, columns > 30 {
            #expect(terminal.lines[terminal.row].contains("Lamp 31"))
            #expect(terminal.reversedRows == [0, terminal.row])
        }
        view.resize(to: nil)
        var usual = VT100()
        let drawn = view.nextTransmit()
        if (columns, rows) == (80, 24) { return #expect(drawn == nil) }
        try usual.show(try #require(drawn))
        #expect(usual.lines[usual.row].contains("Lamp 31"))
    }

    @Test(
        "whatever changes, the terminal shows what it is to show",
        arguments: 1...20 as ClosedRange<UInt64>)
    func anyCourse(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func below(_ bound: UInt64) -> Int { Int(random.next() % bound) }
        let names = ["Lamp", "Küche 1", "冷蔵庫", "a very long name that no column takes", "é", "x"]
        let keys = ["j", "k", "f", "b", "h", "\u{1B}[A", "\u{C}", "i"]
        var view = DashboardView(hasBlocks: true)
        var terminal = VT100()
        var states: [NodeState] = []
        for _ in 0..<60 {
            switch below(4) {
            case 0 where states.count < 40:
                states.append(
                    Self.row(
                        random.next(), names[below(6)], room: names[below(6)],
                        value: Int64(below(4000)), ago: .seconds(below(5000))))
            case 1 where !states.isEmpty: states.remove(at: below(UInt64(states.count)))
            case 2: view.receive(Array(keys[below(8)].utf8))
            default: view.note(names[below(6)])
            }
            view.show(Self.content(states))
            if let drawn = view.nextTransmit() { try terminal.show(drawn) }
            let expected = view.lines.map { line in
                var text = line.text
                while text.last == " " { text.removeLast() }
                return text
            }
            #expect(terminal.lines == expected)
            let reversed = view.lines.indices.filter { view.lines[$0].isReversed }
            #expect(terminal.reversedRows == reversed)
            #expect(terminal.wraps == 0)
        }
    }
}

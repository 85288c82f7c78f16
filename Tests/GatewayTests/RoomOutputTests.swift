import Base
import Gateway
import MatterNode
import Testing

@Suite("RoomOutput")
struct RoomOutputTests {
    private var nodes: [NodeRecord] {
        var nodes = [SampleNodes.plug, SampleNodes.sensor, SampleNodes.lamp, SampleNodes.lamp]
        nodes[2].room = "attic\u{1B}"
        nodes[3].room = "HALL"
        return nodes
    }

    @Test("devices stand under their rooms, those without one last")
    func lines() {
        #expect(
            RoomOutput.list(nodes).lines == [
                "ROOM         DEVICE          KIND                ID",
                "attic\\u{1B}  Hall lamp 灯    -                   0x00000000000004D2",
                "Hall         Hall sensor     temperature sensor  0x123456789ABCDEF0",
                "Hall         Hall lamp 灯    -                   0x00000000000004D2",
                "-            Plug\\u{1B}[31m  on/off plug         0x0000000000000007",
            ])
    }

    @Test("the document has the devices of each room as devices has them")
    func document() {
        guard case .array(let rooms)? = RoomOutput.list(nodes).document["rooms"] else {
            Issue.record("no rooms")
            return
        }
        #expect(
            rooms.map { $0["room"] } == [.string("attic\u{1B}"), .string("Hall"), .string("")])
        guard case .array(let hall)? = rooms[1]["devices"] else {
            Issue.record("no devices")
            return
        }
        let ids = hall.map { $0["node_id"] }
        #expect(ids == [.string("0x123456789ABCDEF0"), .string("0x00000000000004D2")])
        #expect(hall[0]["kind"] == .string("temperature sensor"))
    }

    @Test("without devices the text says what to do next")
    func empty() {
        let output = RoomOutput.list([])
        #expect(output.lines.count == 1 && output.lines[0].contains("pair PAYLOAD"))
        #expect(output.document.text == "{\"rooms\":[]}")
    }
}

internal import Base
internal import Matter
package import MatterNode

/// What `rooms` says: where the devices are.
package enum RoomOutput {
    package static func list(_ nodes: [NodeRecord]) -> Output {
        let rooms = rooms(nodes)
        let document = JSONValue.object([("rooms", .array(rooms.map { Self.document(of: $0) }))])
        guard !nodes.isEmpty else {
            return Output(lines: DeviceOutput.list([]).lines, document: document)
        }
        var table = TextTable(["ROOM", "DEVICE", "KIND", "ID"])
        for room in rooms {
            for node in room.nodes {
                table.add([
                    room.name, DeviceOutput.callName(node), DeviceOutput.kind(node),
                    node.nodeID.text,
                ])
            }
        }
        return Output(lines: table.lines, document: document)
    }

    /// As `list` has them.
    static func inOrder(_ nodes: [NodeRecord]) -> [NodeRecord] { rooms(nodes).flatMap(\.nodes) }

    private struct Room {
        /// As it was typed for the first of its devices; empty for those that are in none.
        let name: String
        let folded: [Character]
        var nodes: [NodeRecord]
    }

    /// By name; no room is the last.
    private static func rooms(_ nodes: [NodeRecord]) -> [Room] {
        var rooms: [Room] = []
        for node in nodes {
            let folded = TextMatch.folded(node.room)
            if let index = rooms.firstIndex(where: { $0.folded == folded }) {
                rooms[index].nodes.append(node)
            } else {
                rooms.append(Room(name: node.room, folded: folded, nodes: [node]))
            }
        }
        return rooms.sorted { left, right in
            guard left.folded.isEmpty == right.folded.isEmpty else { return right.folded.isEmpty }
            return left.folded.lexicographicallyPrecedes(right.folded)
        }
    }

    /// The members' names are relied on by scripts.
    private static func document(of room: Room) -> JSONValue {
        .object([
            ("room", .string(room.name)),
            ("devices", .array(room.nodes.map { DeviceOutput.summary($0) })),
        ])
    }
}

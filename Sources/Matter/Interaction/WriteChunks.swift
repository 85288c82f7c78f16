internal import Base

/// Writes sorted into messages. Core §8.5.3, §10.6.4.3.1.
///
/// A list that does not fit goes as its beginning, which takes the place of the old list, and
/// then item by item (list index null). The beginning is never empty: in an access control list
/// it must hold the entry that lets us go on.
struct WriteChunks {
    private(set) var chunks: [[AttributeDataIB]] = []
    private var room = 0

    private static let capacity = Limits.interactionPayload - Limits.messageOverhead

    /// - Throws: `tooLarge` for a value, or an item of a list, that no message holds, and for
    ///   more than `Limits.chunksPerWrite` messages.
    init(_ writes: [AttributeDataIB]) throws(InteractionError) {
        for write in writes {
            let size = Self.size(write)
            if size <= Self.capacity {
                try put(write, size)
            } else {
                try putList(write)
            }
        }
    }

    private mutating func put(
        _ write: AttributeDataIB, _ size: Int
    ) throws(InteractionError) {
        if size > room {
            guard chunks.count < Limits.chunksPerWrite, size <= Self.capacity else {
                throw .tooLarge
            }
            chunks.append([])
            room = Self.capacity
        }
        chunks[chunks.count - 1].append(write)
        room -= size
    }

    private mutating func putList(_ write: AttributeDataIB) throws(InteractionError) {
        let items: [EncodedElement]
        do throws(TLVError) { items = try write.data.decoded() } catch {
            // What is no list has no parts.
            throw .tooLarge
        }
        var beginning = write
        beginning.data = EncodedElement(checked: [ElementType.array, ElementType.endOfContainer])
        var size = Self.size(beginning)
        var rest = items[...]
        while let item = rest.first, size + item.octets.count <= Self.capacity {
            do throws(TLVError) { try beginning.data.append(item) } catch {
                throw .malformed(error)
            }
            size += item.octets.count
            rest = rest.dropFirst()
        }
        guard rest.count < items.count else { throw .tooLarge }
        try put(beginning, size)
        for item in rest {
            var appended = write
            // The version is another as soon as the beginning is written.
            appended.dataVersion = nil
            appended.path.listIndex = .null
            appended.data = item
            try put(appended, Self.size(appended))
        }
    }

    /// Octets in the message; an anonymous structure in an array.
    private static func size(_ write: AttributeDataIB) -> Int {
        let container = 2 + 7 + 2 + 1
        let path = 2 + 9 + 3 + 5 + 5 + 2 + 1
        return container + path + write.data.octets.count
    }
}

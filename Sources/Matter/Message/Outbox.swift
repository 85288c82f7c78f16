internal import Base

/// Datagrams on their way to the link, first in, first out, in buffers that are used again.
struct Outbox {
    private struct Entry {
        var address: PeerAddress
        var bytes: [UInt8]
        var count: Int
    }

    private var entries: [Entry] = []
    private var head = 0
    private var newestIndex: Int?
    private(set) var count = 0
    /// Datagrams that found no room.
    private(set) var dropped = 0

    /// Lets `body` write a datagram of `size` octets for `address`.
    mutating func add(
        to address: PeerAddress, size: Int, _ body: (inout MutableSpan<UInt8>) -> Void
    ) {
        precondition(size <= Limits.datagramBytes, "sizes are checked when a message is made")
        guard count < Limits.outbox else {
            dropped += 1
            newestIndex = nil
            return
        }
        if count == entries.count {
            // The ring grows to the largest burst seen, and keeps the order while it does.
            rotate()
            let buffer = [UInt8](repeating: 0, count: Limits.datagramBytes)
            entries.append(Entry(address: address, bytes: buffer, count: 0))
        }
        let index = (head + count) % entries.count
        count += 1
        newestIndex = index
        entries[index].address = address
        entries[index].count = size
        var buffer = entries[index].bytes.mutableSpan
        var part = buffer._mutatingExtracting(0..<size)
        body(&part)
    }

    /// Hands the oldest datagram to `body`. False when there is none.
    mutating func next(_ body: (Span<UInt8>, PeerAddress) -> Void) -> Bool {
        guard count > 0 else { return false }
        let entry = head
        head = (head + 1) % entries.count
        count -= 1
        let size = entries[entry].count
        let address = entries[entry].address
        let buffer = entries[entry].bytes
        body(buffer.span.extracting(0..<size), address)
        return true
    }

    /// The buffer of the datagram last added and its size, or nil when it found no room.
    var newest: (bytes: [UInt8], count: Int)? {
        newestIndex.map { (entries[$0].bytes, entries[$0].count) }
    }

    /// Brings the oldest entry to the front, so that an entry can be appended behind the newest.
    private mutating func rotate() {
        guard head > 0 else { return }
        entries = Array(entries[head...] + entries[..<head])
        head = 0
    }
}

internal import Base

/// What a client learns of a server's attributes, and what to ask next.
/// Bluetooth Core, volume 3, part G, §4.4 to §4.7.
struct GATTDiscovery {
    enum Step {
        case ask(GATTClient.Request)
        case done
        case missing(GATTFailure)
    }

    /// Handles; zero is none.
    private(set) var c1: UInt16 = 0
    private(set) var c2: UInt16 = 0
    private(set) var c3: UInt16 = 0
    private(set) var c2Configuration: UInt16 = 0
    /// The range that is asked about.
    private(set) var start: UInt16 = 1
    private(set) var end: UInt16 = .max
    /// The last handle of the service, and of what belongs to C2.
    private var serviceEnd: UInt16 = 0
    private var c2End: UInt16 = 0
    private var requests = 1

    /// All services are read, not ours looked for, since a server may name it by 128 bits.
    mutating func services(_ fields: Span<UInt8>) throws(ByteError) -> Step {
        var entries = try Entries(fields, sizes: (6, 20))
        while let entry = entries.next() {
            var reader = ByteReader(entry)
            let (first, last) = (try reader.uint16(), try reader.uint16())
            guard first >= start, last >= first else { throw .truncated(at: 0) }
            if BluetoothUUID(reader.rest()) == .matter {
                (start, end, serviceEnd) = (first, last, last)
                return ask(.characteristics)
            }
            guard last < .max else { return .missing(.serviceNotFound) }
            start = last + 1
        }
        return ask(.services)
    }

    mutating func characteristics(_ fields: Span<UInt8>) throws(ByteError) -> Step {
        var entries = try Entries(fields, sizes: (7, 21))
        while let entry = entries.next() {
            var reader = ByteReader(entry)
            let declaration = try reader.uint16()
            _ = try reader.uint8()
            let value = try reader.uint16()
            guard declaration >= start, declaration <= serviceEnd, value > declaration,
                value <= serviceEnd
            else { throw .truncated(at: 0) }
            // What follows C2 up to the next declaration belongs to C2.
            if c2 != 0, c2End == 0 { c2End = declaration - 1 }
            switch BluetoothUUID(reader.rest()) {
            case BluetoothUUID.c1: c1 = value
            case BluetoothUUID.c2: (c2, c2End) = (value, 0)
            case BluetoothUUID.c3: c3 = value
            default: break
            }
            guard declaration < serviceEnd else { return ended(.characteristics) }
            start = declaration + 1
        }
        return ask(.characteristics)
    }

    mutating func descriptors(_ fields: Span<UInt8>) throws(ByteError) -> Step {
        guard fields.count > 0, fields[0] == 1 || fields[0] == 2 else { throw .truncated(at: 0) }
        var entries = try Entries(fields.extracting(1...), size: fields[0] == 1 ? 4 : 18)
        while let entry = entries.next() {
            var reader = ByteReader(entry)
            let handle = try reader.uint16()
            guard handle >= start, handle <= end else { throw .truncated(at: 0) }
            if BluetoothUUID(reader.rest()) == .clientConfiguration {
                c2Configuration = handle
                return .done
            }
            guard handle < end else { return .missing(.characteristicNotFound) }
            start = handle + 1
        }
        return ask(.descriptors)
    }

    /// The server has no more of what was asked for.
    mutating func ended(_ request: GATTClient.Request) -> Step {
        guard request != .services else { return .missing(.serviceNotFound) }
        guard request == .characteristics, c1 != 0, c2 != 0 else {
            return .missing(.characteristicNotFound)
        }
        let last = c2End == 0 ? serviceEnd : c2End
        guard c2 < last else { return .missing(.characteristicNotFound) }
        (start, end) = (c2 + 1, last)
        return ask(.descriptors)
    }

    private mutating func ask(_ request: GATTClient.Request) -> Step {
        requests += 1
        guard requests <= Limits.gattDiscoveryRequests else {
            return .missing(.endlessDiscovery)
        }
        return .ask(request)
    }
}

/// Entries of one size that follow each other.
private struct Entries: ~Escapable {
    private let bytes: Span<UInt8>
    private let size: Int
    private var offset = 0

    /// With the size in the first octet, one of two.
    @_lifetime(copy fields)
    init(_ fields: Span<UInt8>, sizes: (Int, Int)) throws(ByteError) {
        guard fields.count > 0 else { throw .truncated(at: 0) }
        let size = Int(fields[0])
        guard size == sizes.0 || size == sizes.1 else { throw .truncated(at: 0) }
        try self.init(fields.extracting(1...), size: size)
    }

    /// At least one, each whole.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, size: Int) throws(ByteError) {
        guard bytes.count > 0, bytes.count % size == 0 else { throw .truncated(at: 0) }
        self.bytes = bytes
        self.size = size
    }

    @_lifetime(copy self) @_lifetime(self: copy self)
    mutating func next() -> Span<UInt8>? {
        guard offset < bytes.count else { return nil }
        defer { offset += size }
        return bytes.extracting(offset..<(offset + size))
    }
}

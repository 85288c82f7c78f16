internal import Base

/// The first octet of every packet. Core §4.20.3.1. (An `OptionSet` could allocate.)
struct BTPFlags: Equatable {
    var rawValue: UInt8

    static let beginning = BTPFlags(rawValue: 0x01)
    static let continuing = BTPFlags(rawValue: 0x02)
    static let ending = BTPFlags(rawValue: 0x04)
    static let acknowledgement = BTPFlags(rawValue: 0x08)
    /// Any of those of a segment of a message.
    static let data = BTPFlags(rawValue: 0x07)
    /// Handshake and management, which no packet of an established session has.
    static let opening = BTPFlags(rawValue: 0x60)
    /// Handshake, management, ending and beginning, as in a handshake's two packets.
    static let handshakePacket = BTPFlags(rawValue: 0x65)

    func contains(_ other: BTPFlags) -> Bool { rawValue & other.rawValue == other.rawValue }
    func isDisjoint(with other: BTPFlags) -> Bool { rawValue & other.rawValue == 0 }
    mutating func insert(_ other: BTPFlags) { rawValue |= other.rawValue }
}

/// A packet of an established session: a segment of a message, or an acknowledgement alone.
/// Core §4.20.3.1 to §4.20.3.3.
struct BTPSegment: ~Escapable {
    let flags: BTPFlags
    /// The newest sequence number that the sender received.
    let acknowledged: UInt8?
    let sequence: UInt8
    /// Octets of the whole message; in its first segment alone.
    let messageBytes: Int?
    /// Empty in a stand-alone acknowledgement and only there.
    let payload: Span<UInt8>

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) throws(BTPError) {
        var reader = ByteReader(bytes)
        do throws(ByteError) {
            flags = BTPFlags(rawValue: try reader.uint8())
            acknowledged = flags.contains(.acknowledgement) ? try reader.uint8() : nil
            sequence = try reader.uint8()
            messageBytes = flags.contains(.beginning) ? Int(try reader.uint16()) : nil
            payload = reader.rest()
        } catch {
            throw .truncated(at: reader.offset)
        }
        if !flags.isDisjoint(with: .opening) {
            throw .invalidFlags(flags.rawValue)
        }
        if flags.isDisjoint(with: .data) {
            guard acknowledged != nil, payload.isEmpty else { throw .invalidFlags(flags.rawValue) }
        } else if payload.isEmpty {
            throw .emptySegment
        }
    }

    var isAcknowledgementAlone: Bool { flags.isDisjoint(with: .data) }
}

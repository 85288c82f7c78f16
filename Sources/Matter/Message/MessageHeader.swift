package import Base

/// The part of a message that is never encrypted. Core §4.4.1.
package struct MessageHeader: Equatable, Sendable {
    /// Names the session at the receiver; 0 before there is one.
    package var sessionID: SessionID
    package var counter: UInt32
    package var securityFlags = SecurityFlags(rawValue: 0)
    /// Present in unsecured messages of an initiator and in group messages.
    package var source: NodeID?
    package var destination = Destination.none

    package init(sessionID: SessionID, counter: UInt32) {
        self.sessionID = sessionID
        self.counter = counter
    }

    /// Core §4.4.1.7.
    package enum Destination: Equatable, Sendable {
        case none
        case node(NodeID)
        case group(UInt16)
    }

    /// Core §4.4.1.4. No `OptionSet`, whose array literals would allocate.
    package struct SecurityFlags: RawRepresentable, Equatable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let group = SecurityFlags(rawValue: 0x01)
        package static let extensions = SecurityFlags(rawValue: 0x20)
        package static let control = SecurityFlags(rawValue: 0x40)
        package static let privacy = SecurityFlags(rawValue: 0x80)

        package func contains(_ other: SecurityFlags) -> Bool {
            rawValue & other.rawValue == other.rawValue
        }

        /// Bits 0 and 1; only 0 (unicast) and 1 (group) are defined.
        var sessionType: UInt8 { rawValue & 0x03 }
    }

    /// Octets of the longest header without extensions.
    package static let maximumBytes = 8 + 8 + 8
}

extension MessageHeader {
    /// Reads the header and passes over its extensions; the reader then stands at the payload.
    package init(_ reader: inout ByteReader) throws(MessageError) {
        do throws(ByteError) {
            let flags = try reader.uint8()
            guard flags & Flags.versionMask == 0 else { throw .truncated(at: 0) }
            sessionID = SessionID(try reader.uint16())
            securityFlags = SecurityFlags(rawValue: try reader.uint8())
            counter = try reader.uint32()
            source = flags & Flags.hasSource != 0 ? NodeID(try reader.uint64()) : nil
            switch flags & Flags.destinationMask {
            case 0: destination = .none
            case 1: destination = .node(NodeID(try reader.uint64()))
            case 2: destination = .group(try reader.uint16())
            default: throw .truncated(at: 0)
            }
            if securityFlags.contains(.extensions) {
                _ = try reader.bytes(count: Int(try reader.uint16()))
            }
        } catch {
            throw .malformedHeader
        }
        guard securityFlags.sessionType <= 1 else { throw .malformedHeader }
    }

    package func write(_ writer: inout ByteWriter) throws(ByteError) {
        var flags: UInt8 = source == nil ? 0 : Flags.hasSource
        switch destination {
        case .none: break
        case .node: flags |= 1
        case .group: flags |= 2
        }
        try writer.uint8(flags)
        try writer.uint16(sessionID.rawValue)
        try writer.uint8(securityFlags.rawValue)
        try writer.uint32(counter)
        if let source { try writer.uint64(source.rawValue) }
        switch destination {
        case .none: break
        case .node(let node): try writer.uint64(node.rawValue)
        case .group(let group): try writer.uint16(group)
        }
    }

    /// The nonce of the payload's encryption, Core §4.8.1.1.
    /// - Parameter sender: the sender's operational node id; unspecified in a PASE session.
    package func nonce(sender: NodeID) -> FixedBytes<13> {
        var nonce = FixedBytes<13>()
        nonce[0] = securityFlags.rawValue
        var index = 0
        while index < 4 {
            nonce[1 + index] = UInt8(truncatingIfNeeded: counter >> UInt32(8 * index))
            index += 1
        }
        index = 0
        while index < 8 {
            nonce[5 + index] = UInt8(truncatingIfNeeded: sender.rawValue >> UInt64(8 * index))
            index += 1
        }
        return nonce
    }

    /// Core §4.4.1.2.
    private enum Flags {
        static let destinationMask: UInt8 = 0x03
        static let hasSource: UInt8 = 0x04
        static let versionMask: UInt8 = 0xF0
    }
}

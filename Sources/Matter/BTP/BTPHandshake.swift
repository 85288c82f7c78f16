package import Base

/// Opens a session: the central's offer, written to C1. Core §4.20.3.4.
package struct BTPHandshakeRequest: Equatable, Sendable {
    /// Eight versions of 4 bits, the first in the lowest; zero fills what is not used.
    package var versions: UInt32
    /// The ATT_MTU that the central knows; zero when it knows none.
    package var attMTU: UInt16
    /// Segments that the central takes without having acknowledged them.
    package var window: UInt8

    package static let octets = 9

    package init(versions: UInt32 = UInt32(btpVersion), attMTU: UInt16, window: UInt8) {
        self.versions = versions
        self.attMTU = attMTU
        self.window = window
    }

    package init(_ bytes: Span<UInt8>) throws(BTPError) {
        guard bytes.count == Self.octets else { throw .invalidHandshake }
        var reader = ByteReader(bytes)
        do throws(ByteError) {
            guard try reader.isHandshake() else { throw ByteError.truncated(at: 0) }
            versions = try reader.uint32()
            attMTU = try reader.uint16()
            window = try reader.uint8()
        } catch { throw .invalidHandshake }
    }

    package func offers(_ version: UInt8) -> Bool {
        var rest = versions
        while rest != 0 {
            if rest & 15 == UInt32(version) { return true }
            rest >>= 4
        }
        return false
    }

    @_lifetime(writer: copy writer)
    package func write(_ writer: inout ByteWriter) throws(ByteError) {
        try writer.handshake()
        try writer.uint32(versions)
        try writer.uint16(attMTU)
        try writer.uint8(window)
    }
}

/// The peripheral's choice, indicated on C2. It counts as the peripheral's sequence number 0.
/// Core §4.20.3.5.
package struct BTPHandshakeResponse: Equatable, Sendable {
    package var version: UInt8
    /// Octets of a segment, in both directions.
    package var segmentBytes: UInt16
    /// Segments without acknowledgement, in both directions.
    package var window: UInt8

    package static let octets = 6

    package init(version: UInt8 = btpVersion, segmentBytes: UInt16, window: UInt8) {
        self.version = version
        self.segmentBytes = segmentBytes
        self.window = window
    }

    package init(_ bytes: Span<UInt8>) throws(BTPError) {
        guard bytes.count == Self.octets else { throw .invalidHandshake }
        var reader = ByteReader(bytes)
        do throws(ByteError) {
            guard try reader.isHandshake() else { throw ByteError.truncated(at: 0) }
            // The upper half of the octet is reserved.
            version = try reader.uint8() & 15
            segmentBytes = try reader.uint16()
            window = try reader.uint8()
        } catch { throw .invalidHandshake }
    }

    @_lifetime(writer: copy writer)
    package func write(_ writer: inout ByteWriter) throws(ByteError) {
        try writer.handshake()
        try writer.uint8(version)
        try writer.uint16(segmentBytes)
        try writer.uint8(window)
    }
}

/// The only version there is. Core §4.20.3.4.
package let btpVersion: UInt8 = 4

/// Core §4.20.3.2, the management opcode of both.
private let handshakeOpcode: UInt8 = 0x6C

extension ByteReader {
    @_lifetime(self: copy self)
    fileprivate mutating func isHandshake() throws(ByteError) -> Bool {
        let flags = BTPFlags(rawValue: try uint8())
        let opcode = try uint8()
        return flags == .handshakePacket && opcode == handshakeOpcode
    }
}

extension ByteWriter {
    @_lifetime(self: copy self)
    fileprivate mutating func handshake() throws(ByteError) {
        try uint8(BTPFlags.handshakePacket.rawValue)
        try uint8(handshakeOpcode)
    }
}

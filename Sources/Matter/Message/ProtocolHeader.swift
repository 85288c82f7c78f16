package import Base

/// The first part of a message's encrypted payload. Core §4.4.3.
package struct ProtocolHeader: Equatable, Sendable {
    package var exchangeID: ExchangeID
    package var protocolID: ProtocolID
    package var opcode: UInt8
    /// Sent by the side that opened the exchange.
    package var isFromInitiator: Bool
    /// The sender wants an acknowledgement (the R flag).
    package var needsAcknowledgement = false
    /// The counter of the message that this one acknowledges (the A flag).
    package var acknowledgedCounter: UInt32?
    /// The protocol's vendor; 0 is Matter itself.
    package var vendor: VendorID?

    package init(
        exchangeID: ExchangeID, protocolID: ProtocolID, opcode: UInt8, isFromInitiator: Bool
    ) {
        self.exchangeID = exchangeID
        self.protocolID = protocolID
        self.opcode = opcode
        self.isFromInitiator = isFromInitiator
    }

    /// Octets of the longest header without secured extensions.
    package static let maximumBytes = 12
}

extension ProtocolHeader {
    /// Reads the header and passes over its extensions; the reader then stands at the
    /// application's payload.
    package init(_ reader: inout ByteReader) throws(MessageError) {
        do throws(ByteError) {
            let flags = try reader.uint8()
            isFromInitiator = flags & Flags.initiator != 0
            needsAcknowledgement = flags & Flags.needsAcknowledgement != 0
            opcode = try reader.uint8()
            exchangeID = ExchangeID(try reader.uint16())
            protocolID = ProtocolID(try reader.uint16())
            vendor = flags & Flags.vendor != 0 ? VendorID(try reader.uint16()) : nil
            acknowledgedCounter =
                flags & Flags.acknowledgement != 0 ? try reader.uint32() : nil
            if flags & Flags.extensions != 0 {
                _ = try reader.bytes(count: Int(try reader.uint16()))
            }
        } catch {
            throw .malformedHeader
        }
    }

    package func write(_ writer: inout ByteWriter) throws(ByteError) {
        var flags: UInt8 = isFromInitiator ? Flags.initiator : 0
        if needsAcknowledgement { flags |= Flags.needsAcknowledgement }
        if acknowledgedCounter != nil { flags |= Flags.acknowledgement }
        if vendor != nil { flags |= Flags.vendor }
        try writer.uint8(flags)
        try writer.uint8(opcode)
        try writer.uint16(exchangeID.rawValue)
        try writer.uint16(protocolID.rawValue)
        if let vendor { try writer.uint16(vendor.rawValue) }
        if let acknowledgedCounter { try writer.uint32(acknowledgedCounter) }
    }

    /// Core §4.4.3.1.
    private enum Flags {
        static let initiator: UInt8 = 0x01
        static let acknowledgement: UInt8 = 0x02
        static let needsAcknowledgement: UInt8 = 0x04
        static let extensions: UInt8 = 0x08
        static let vendor: UInt8 = 0x10
    }
}

package import Base

/// How an operation ended, and how a session ends. Core Appendix D.
package struct StatusReport: Hashable, Sendable {
    package var generalCode: GeneralCode
    /// Whose protocol `protocolID` is; 0 for Matter's own.
    package var vendorID: VendorID
    package var protocolID: ProtocolID
    /// What it means depends on the protocol.
    package var protocolCode: UInt16
    package var data: [UInt8]

    package init(
        generalCode: GeneralCode, vendorID: VendorID = VendorID(0), protocolID: ProtocolID,
        protocolCode: UInt16, data: [UInt8] = []
    ) {
        self.generalCode = generalCode
        self.vendorID = vendorID
        self.protocolID = protocolID
        self.protocolCode = protocolCode
        self.data = data
    }

    /// - Throws: `truncated` when `payload` is shorter than the three codes.
    package init(_ payload: Span<UInt8>) throws(ByteError) {
        var reader = ByteReader(payload)
        generalCode = GeneralCode(rawValue: try reader.uint16())
        protocolID = ProtocolID(try reader.uint16())
        vendorID = VendorID(try reader.uint16())
        protocolCode = try reader.uint16()
        data = [UInt8](reader.rest())
    }

    package func encode() -> [UInt8] {
        do throws(ByteError) {
            return try [UInt8](capacity: 8 + data.count) { writer throws(ByteError) in
                try writer.uint16(generalCode.rawValue)
                try writer.uint16(protocolID.rawValue)
                try writer.uint16(vendorID.rawValue)
                try writer.uint16(protocolCode)
                try writer.bytes(data.span)
            }
        } catch {
            preconditionFailure("the buffer has the size of what is written")
        }
    }
}

extension StatusReport {
    /// A report of the Secure Channel protocol itself.
    package init(
        _ generalCode: GeneralCode, _ code: SecureChannelCode, data: [UInt8] = []
    ) {
        self.init(
            generalCode: generalCode, protocolID: .secureChannel, protocolCode: code.rawValue,
            data: data)
    }

    /// The code, where the report is of the Secure Channel protocol.
    package var secureChannelCode: SecureChannelCode? {
        guard vendorID == VendorID(0), protocolID == .secureChannel else { return nil }
        return SecureChannelCode(rawValue: protocolCode)
    }

    /// Ends a handshake well.
    package static let sessionEstablished = StatusReport(.success, .sessionEstablishmentSuccess)

    /// Ends a session that its sender is about to forget.
    package static let closeSession = StatusReport(.success, .closeSession)

    /// Asks the peer to come again later.
    /// - Parameter wait: at least this long; up to 65 s.
    package static func busy(wait: Duration) -> StatusReport {
        let milliseconds = UInt16(clamping: wait.milliseconds)
        return StatusReport(
            .busy, .busy, data: [UInt8(truncatingIfNeeded: milliseconds), UInt8(milliseconds >> 8)])
    }

    /// How long to wait before another try, where the peer is busy; zero when it did not say.
    package var busyWait: Duration? {
        guard secureChannelCode == .busy else { return nil }
        guard data.count >= 2 else { return .zero }
        return .milliseconds(Int(data[0]) | Int(data[1]) << 8)
    }
}

/// Core Appendix D.3.1; only the codes that have a meaning here are named.
package struct GeneralCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let success = GeneralCode(rawValue: 0)
    package static let failure = GeneralCode(rawValue: 1)
    package static let busy = GeneralCode(rawValue: 8)
}

/// The protocol codes of the Secure Channel protocol. Core §4.11.1.
package struct SecureChannelCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let sessionEstablishmentSuccess = SecureChannelCode(rawValue: 0)
    /// No fabric that both sides belong to.
    package static let noSharedTrustRoots = SecureChannelCode(rawValue: 1)
    package static let invalidParameter = SecureChannelCode(rawValue: 2)
    package static let closeSession = SecureChannelCode(rawValue: 3)
    package static let busy = SecureChannelCode(rawValue: 4)
    package static let sessionNotFound = SecureChannelCode(rawValue: 5)
}

/// The Attribute Protocol's numbers. Bluetooth Core, volume 3, part F, §3.4.
enum ATTOpcode {
    static let errorResponse: UInt8 = 0x01
    static let exchangeMTURequest: UInt8 = 0x02
    static let exchangeMTUResponse: UInt8 = 0x03
    static let findInformationRequest: UInt8 = 0x04
    static let findInformationResponse: UInt8 = 0x05
    static let findByTypeValueRequest: UInt8 = 0x06
    static let findByTypeValueResponse: UInt8 = 0x07
    static let readByTypeRequest: UInt8 = 0x08
    static let readByTypeResponse: UInt8 = 0x09
    static let readRequest: UInt8 = 0x0A
    static let readResponse: UInt8 = 0x0B
    static let readBlobRequest: UInt8 = 0x0C
    static let readBlobResponse: UInt8 = 0x0D
    static let readByGroupTypeRequest: UInt8 = 0x10
    static let readByGroupTypeResponse: UInt8 = 0x11
    static let writeRequest: UInt8 = 0x12
    static let writeResponse: UInt8 = 0x13
    static let notification: UInt8 = 0x1B
    static let indication: UInt8 = 0x1D
    static let confirmation: UInt8 = 0x1E
    static let multipleNotification: UInt8 = 0x23
    /// Set in what gets no answer, whether it is understood or not.
    static let commandBit: UInt8 = 0x40

    /// Everything else is a request, for which there is an answer even when it is unknown.
    static func isResponse(_ opcode: UInt8) -> Bool {
        switch opcode {
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: true
        default: false
        }
    }
}

/// Why a peer refused a request. Bluetooth Core, volume 3, part F, §3.4.1.1.
package struct ATTErrorCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let invalidHandle = ATTErrorCode(rawValue: 0x01)
    package static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
    package static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
    package static let invalidPDU = ATTErrorCode(rawValue: 0x04)
    package static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
    package static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
    package static let invalidOffset = ATTErrorCode(rawValue: 0x07)
    package static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
    package static let invalidAttributeLength = ATTErrorCode(rawValue: 0x0D)
    package static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
}

/// What a peer did against the Attribute Protocol; each ends the bearer.
package enum ATTError: Error, Equatable {
    /// The packet ends before its fields, or its fields contradict each other.
    case malformed(opcode: UInt8)
    /// A packet without an octet.
    case empty
    /// A packet of more octets than were agreed.
    case oversized(count: Int)
    /// An answer to what was not asked, or a confirmation of what was not indicated.
    case unexpected(opcode: UInt8)
    /// A second request or indication before the first was answered.
    case requestBeforeAnswer(opcode: UInt8)
}

/// Why a connection is of no use although the peer kept the rules.
package enum GATTFailure: Equatable, Sendable {
    /// No answer for 30 s.
    case timeout
    /// No Matter service, also at the second look.
    case serviceNotFound
    /// The service lacks C1, C2 or the configuration of C2.
    case characteristicNotFound
    /// The peer refuses to be looked through.
    case refused(ATTErrorCode)
    /// The discovery did not come to an end.
    case endlessDiscovery
}

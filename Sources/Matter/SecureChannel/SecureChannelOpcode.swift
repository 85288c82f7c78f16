/// What a message of the Secure Channel protocol is. Core §4.11.1.
package struct SecureChannelOpcode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let msgCounterSyncReq = SecureChannelOpcode(rawValue: 0x00)
    package static let msgCounterSyncRsp = SecureChannelOpcode(rawValue: 0x01)
    package static let standaloneAcknowledgement = SecureChannelOpcode(rawValue: 0x10)
    package static let pbkdfParamRequest = SecureChannelOpcode(rawValue: 0x20)
    package static let pbkdfParamResponse = SecureChannelOpcode(rawValue: 0x21)
    package static let pake1 = SecureChannelOpcode(rawValue: 0x22)
    package static let pake2 = SecureChannelOpcode(rawValue: 0x23)
    package static let pake3 = SecureChannelOpcode(rawValue: 0x24)
    package static let sigma1 = SecureChannelOpcode(rawValue: 0x30)
    package static let sigma2 = SecureChannelOpcode(rawValue: 0x31)
    package static let sigma3 = SecureChannelOpcode(rawValue: 0x32)
    package static let sigma2Resume = SecureChannelOpcode(rawValue: 0x33)
    package static let statusReport = SecureChannelOpcode(rawValue: 0x40)
    package static let icdCheckIn = SecureChannelOpcode(rawValue: 0x50)
}

package import Base
package import Crypto

/// The Thread network that devices are to join: an Active Operational Dataset.
/// Thread 1.3 §8.10.1; Core §11.9.7.4.
///
/// Each TLV is checked; those of types that this edition does not know are kept as they are.
package struct OperationalDataset: Equatable, Sendable {
    /// All TLVs as they were given; they hold the network's key.
    package let tlvs: Secret
    /// Names the network to devices: Network Commissioning's network id.
    package let extendedPANID: FixedBytes<8>
    /// Nil when the dataset has none. It is a stranger's text: escape it where it is shown.
    package let networkName: String?
    package let panID: UInt16
    /// Of the channel page, 2.4 GHz: 11 ... 26.
    package let channel: UInt16

    package init(_ tlvs: Secret) throws(NetworkCredentialsError) {
        guard Limits.threadDatasetBytes.contains(tlvs.count) else {
            throw .invalidDatasetLength(tlvs.count)
        }
        var fields = Fields()
        try fields.read(tlvs.span)
        guard let channel = fields.channel else { throw .missing(.channel) }
        guard let panID = fields.panID else { throw .missing(.panID) }
        guard let extendedPANID = fields.extendedPANID else { throw .missing(.extendedPANID) }
        guard fields.types.contains(.networkKey) else { throw .missing(.networkKey) }
        self.tlvs = tlvs
        self.extendedPANID = extendedPANID
        self.networkName = fields.networkName
        self.panID = panID
        self.channel = channel
    }

    /// - Parameter digits: hexadecimal, of either case, as a border router prints a dataset;
    ///   blanks and line ends anywhere are passed over. The caller wipes them.
    package init(hexadecimal digits: Span<UInt8>) throws(NetworkCredentialsError) {
        var count = 0
        for index in digits.indices where !Self.isBlank(digits[index]) {
            guard Hex.value(of: digits[index]) != nil else { throw .notHexadecimal(at: index) }
            count += 1
        }
        guard count % 2 == 0 else { throw .notHexadecimal(at: digits.count) }
        let octets = count / 2
        guard Limits.threadDatasetBytes.contains(octets) else {
            throw .invalidDatasetLength(octets)
        }
        let tlvs = Secret(count: octets) { output in
            var position = 0
            for index in digits.indices {
                guard let digit = Hex.value(of: digits[index]) else { continue }
                output[position / 2] = output[position / 2] << 4 | digit
                position += 1
            }
        }
        try self.init(tlvs)
    }

    private static func isBlank(_ octet: UInt8) -> Bool {
        octet == 0x20 || (0x09...0x0D).contains(octet)
    }
}

/// Thread 1.3 §8.10.1, table 8-9.
package struct ThreadTLVType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let channel = ThreadTLVType(rawValue: 0)
    package static let panID = ThreadTLVType(rawValue: 1)
    package static let extendedPANID = ThreadTLVType(rawValue: 2)
    package static let networkName = ThreadTLVType(rawValue: 3)
    package static let pskc = ThreadTLVType(rawValue: 4)
    package static let networkKey = ThreadTLVType(rawValue: 5)
    package static let meshLocalPrefix = ThreadTLVType(rawValue: 7)
    package static let securityPolicy = ThreadTLVType(rawValue: 12)
    package static let activeTimestamp = ThreadTLVType(rawValue: 14)
    package static let pendingTimestamp = ThreadTLVType(rawValue: 51)
    package static let delayTimer = ThreadTLVType(rawValue: 52)
    package static let channelMask = ThreadTLVType(rawValue: 53)
    package static let wakeUpChannel = ThreadTLVType(rawValue: 74)

    /// Octets of a value; nil when the type is not known and any are taken.
    fileprivate var lengths: ClosedRange<Int>? {
        switch self {
        case .channel, .wakeUpChannel: 3...3
        case .panID: 2...2
        case .extendedPANID, .meshLocalPrefix, .activeTimestamp: 8...8
        case .networkName: Limits.threadNameBytes
        case .pskc, .networkKey: 16...16
        // Three in Thread 1.1, four since 1.2.
        case .securityPolicy: 3...4
        // At least one entry: page, length and a mask.
        case .channelMask: 3...254
        default: nil
        }
    }
}

/// What the TLVs of a dataset say.
private struct Fields {
    var types: Set<ThreadTLVType> = []
    var channel: UInt16?
    var panID: UInt16?
    var extendedPANID: FixedBytes<8>?
    var networkName: String?

    mutating func read(_ tlvs: Span<UInt8>) throws(NetworkCredentialsError) {
        var reader = ByteReader(tlvs)
        while !reader.isAtEnd {
            let start = reader.offset
            let type: ThreadTLVType
            let value: Span<UInt8>
            do throws(ByteError) {
                type = ThreadTLVType(rawValue: try reader.uint8())
                // A length of 255 would be an extended one, of more than a dataset holds.
                let count = Int(try reader.uint8())
                value = try reader.bytes(count: count)
            } catch { throw .truncated(at: start) }
            try take(type, value)
        }
    }

    private mutating func take(
        _ type: ThreadTLVType, _ value: Span<UInt8>
    ) throws(NetworkCredentialsError) {
        guard type != .pendingTimestamp, type != .delayTimer else { throw .pendingDataset }
        guard types.insert(type).inserted else { throw .repeated(type) }
        if let lengths = type.lengths, !lengths.contains(value.count) {
            throw .invalidLength(type, value.count)
        }
        switch type {
        case .channel:
            let number = UInt16(value[1]) << 8 | UInt16(value[2])
            // Other pages are bands of their own, with other channels.
            guard value[0] != 0 || (11...26).contains(number) else { throw .invalidValue(type) }
            channel = number
        case .panID:
            let number = UInt16(value[0]) << 8 | UInt16(value[1])
            guard number != 0xFFFF else { throw .invalidValue(type) }
            panID = number
        case .extendedPANID: extendedPANID = FixedBytes(copying: value)
        case .networkName:
            guard let name = String(validating: [UInt8](value), as: UTF8.self) else {
                throw .invalidValue(type)
            }
            networkName = name
        default: break
        }
    }
}

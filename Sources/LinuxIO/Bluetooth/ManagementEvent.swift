package import Base

/// What the kernel says. Linux, include/net/bluetooth/mgmt.h.
package enum ManagementEvent: Equatable, Sendable {
    case indexList([UInt16])
    case info(AdapterInfo)
    /// A command is done; the two above are of this kind too.
    case complete(opcode: UInt16)
    /// A command is done, or was refused.
    case failed(opcode: UInt16, ManagementStatus)
    case indexAdded
    case indexRemoved
    case settings(AdapterSettings)
    case deviceFound(AdvertisingDevice)
    case discovering(Bool)
    case connected(ManagementAddress)
    case disconnected(ManagementAddress, reason: UInt8)
    case connectFailed(ManagementAddress, ManagementStatus)
    /// Of no use here.
    case other(UInt16)

    /// The command that this answers.
    var answered: UInt16? {
        switch self {
        case .indexList: ManagementCommand.readIndexList.opcode
        case .info: ManagementCommand.readInfo.opcode
        case .complete(let opcode), .failed(let opcode, _): opcode
        default: nil
        }
    }

    /// The index of what concerns no adapter.
    static let noAdapter: UInt16 = 0xFFFF

    /// Reads one packet.
    /// - Returns: the event and the adapter that it concerns, or nil when what was read is no
    ///   whole event.
    package static func read(
        _ bytes: Span<UInt8>
    ) -> (event: ManagementEvent, adapter: UInt16?)? {
        var reader = ByteReader(bytes)
        do throws(ByteError) {
            let code = try reader.uint16()
            let adapter = try reader.uint16()
            guard Int(try reader.uint16()) == reader.remaining else { return nil }
            let event = try ManagementEvent(code, &reader)
            return (event, adapter == noAdapter ? nil : adapter)
        } catch { return nil }
    }

    @_lifetime(reader: copy reader)
    private init(_ code: UInt16, _ reader: inout ByteReader) throws(ByteError) {
        switch code {
        case 0x0001:
            let opcode = try reader.uint16()
            let status = ManagementStatus(rawValue: try reader.uint8())
            guard status == .success else {
                self = .failed(opcode: opcode, status)
                return
            }
            switch opcode {
            case ManagementCommand.readIndexList.opcode:
                self = .indexList(try Self.indexes(&reader))
            case ManagementCommand.readInfo.opcode: self = .info(try AdapterInfo(&reader))
            default: self = .complete(opcode: opcode)
            }
        case 0x0002:
            let opcode = try reader.uint16()
            self = .failed(opcode: opcode, ManagementStatus(rawValue: try reader.uint8()))
        case 0x0004: self = .indexAdded
        case 0x0005: self = .indexRemoved
        case 0x0006: self = .settings(AdapterSettings(rawValue: try reader.uint32()))
        case 0x000B: self = .connected(try ManagementAddress(&reader))
        case 0x000C:
            let address = try ManagementAddress(&reader)
            self = .disconnected(address, reason: try reader.uint8())
        case 0x000D:
            let address = try ManagementAddress(&reader)
            self = .connectFailed(address, ManagementStatus(rawValue: try reader.uint8()))
        case 0x0012: self = .deviceFound(try AdvertisingDevice(&reader))
        case 0x0013:
            _ = try reader.uint8()
            self = .discovering(try reader.uint8() != 0)
        default: self = .other(code)
        }
    }

    @_lifetime(reader: copy reader)
    private static func indexes(_ reader: inout ByteReader) throws(ByteError) -> [UInt16] {
        let count = Int(try reader.uint16())
        guard count * 2 <= reader.remaining else { throw .truncated(at: reader.offset) }
        var indexes: [UInt16] = []
        for _ in 0..<min(count, Limits.bluetoothAdapters) { indexes.append(try reader.uint16()) }
        return indexes
    }
}

/// Why the kernel refused a command.
package struct ManagementStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let success = ManagementStatus(rawValue: 0x00)
    package static let unknownCommand = ManagementStatus(rawValue: 0x01)
    package static let busy = ManagementStatus(rawValue: 0x0A)
    package static let rejected = ManagementStatus(rawValue: 0x0B)
    package static let notSupported = ManagementStatus(rawValue: 0x0C)
    package static let notPowered = ManagementStatus(rawValue: 0x0F)
    package static let invalidIndex = ManagementStatus(rawValue: 0x11)
    /// Switched off by rfkill.
    package static let blocked = ManagementStatus(rawValue: 0x12)
    package static let permissionDenied = ManagementStatus(rawValue: 0x14)
}

package struct AdapterSettings: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let powered = AdapterSettings(rawValue: 1 << 0)
    package static let lowEnergy = AdapterSettings(rawValue: 1 << 9)
}

package struct AdapterInfo: Equatable, Sendable {
    package let address: FixedBytes<6>
    package let supported: AdapterSettings
    package let current: AdapterSettings

    @_lifetime(reader: copy reader)
    init(_ reader: inout ByteReader) throws(ByteError) {
        address = FixedBytes(copying: try reader.bytes(count: 6))
        // Version and manufacturer.
        _ = try reader.bytes(count: 3)
        supported = AdapterSettings(rawValue: try reader.uint32())
        current = AdapterSettings(rawValue: try reader.uint32())
    }
}

/// A device that was heard.
package struct AdvertisingDevice: Equatable, Sendable {
    package let address: ManagementAddress
    /// dBm; nil when it is not known.
    package let signalStrength: Int8?
    package let isConnectable: Bool
    /// The advertisement and its scan response, as they came.
    package let advertisement: [UInt8]

    @_lifetime(reader: copy reader)
    init(_ reader: inout ByteReader) throws(ByteError) {
        address = try ManagementAddress(&reader)
        let strength = Int8(bitPattern: try reader.uint8())
        signalStrength = strength == 127 ? nil : strength
        isConnectable = try reader.uint32() & 0x04 == 0
        let count = Int(try reader.uint16())
        advertisement = [UInt8](try reader.bytes(count: count))
    }
}

package import Base

/// The kernel's Bluetooth management protocol: one packet of header and parameters per command
/// and event, numbers least significant octet first. Linux, include/net/bluetooth/mgmt.h.
package enum ManagementCommand: Equatable, Sendable {
    case readIndexList
    case readInfo
    case setPowered(Bool)
    case setLowEnergy(Bool)
    /// Reports devices of any service, however weak. What the kernel could be told to report is
    /// those that list a service; a commissionable device does not list Matter's, it only has
    /// data of it, which the kernel does not look at.
    case startServiceDiscovery
    /// The same, for kernels that do not know the other. Where a controller reports a device but
    /// once, the kernel leaves it at that here.
    case startDiscovery
    case stopDiscovery
    /// For connections that are made afterwards.
    case loadConnectionParameters(ManagementAddress, ConnectionParameters)

    package var opcode: UInt16 {
        switch self {
        case .readIndexList: 0x0003
        case .readInfo: 0x0004
        case .setPowered: 0x0005
        case .setLowEnergy: 0x000D
        case .startDiscovery: 0x0023
        case .stopDiscovery: 0x0024
        case .loadConnectionParameters: 0x0035
        case .startServiceDiscovery: 0x003A
        }
    }

    /// - Parameter adapter: its index; nil for what is asked of all.
    @_lifetime(writer: copy writer)
    package func write(
        _ writer: inout ByteWriter, adapter: UInt16?
    ) throws(ByteError) {
        try writer.uint16(opcode)
        try writer.uint16(adapter ?? ManagementEvent.noAdapter)
        let start = writer.count
        try writer.uint16(0)
        switch self {
        case .readIndexList, .readInfo: break
        case .setPowered(let isOn), .setLowEnergy(let isOn): try writer.uint8(isOn ? 1 : 0)
        case .startServiceDiscovery:
            try writer.uint8(ManagementAddress.lowEnergyTypes)
            // No bound on the signal's strength: 127 stands for that. No service.
            try writer.uint8(127)
            try writer.uint16(0)
        case .startDiscovery, .stopDiscovery:
            try writer.uint8(ManagementAddress.lowEnergyTypes)
        case .loadConnectionParameters(let address, let parameters):
            try writer.uint16(1)
            try address.write(&writer)
            try writer.uint16(parameters.minimumInterval)
            try writer.uint16(parameters.maximumInterval)
            try writer.uint16(parameters.latency)
            try writer.uint16(parameters.supervisionTimeout)
        }
        writer.overwrite(uint16: UInt16(writer.count - start - 2), at: start)
    }

    /// Octets of the longest command.
    package static let maximumOctets = 23
}

/// In the kernel's units. Bluetooth Core, volume 6, part B, §4.5.
package struct ConnectionParameters: Equatable, Sendable {
    /// Of 1.25 ms.
    package var minimumInterval: UInt16
    package var maximumInterval: UInt16
    /// Connection events that the device may sleep through.
    package var latency: UInt16
    /// Of 10 ms.
    package var supervisionTimeout: UInt16

    /// 30 to 50 ms, as phones ask for; after 5 s of silence the link is lost. The kernel's own
    /// 420 ms lose devices that write their flash while they join a network.
    package static let commissioning = ConnectionParameters(
        minimumInterval: 24, maximumInterval: 40, latency: 0, supervisionTimeout: 500)
}

/// A device's address and its kind.
package struct ManagementAddress: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        case classic = 0
        case publicAddress = 1
        case randomAddress = 2
    }

    /// Least significant octet first.
    package var octets: FixedBytes<6>
    package var kind: Kind

    package init(_ octets: FixedBytes<6>, _ kind: Kind) {
        self.octets = octets
        self.kind = kind
    }

    /// The bits of both low-energy kinds.
    static let lowEnergyTypes: UInt8 = 0x06

    @_lifetime(writer: copy writer)
    func write(_ writer: inout ByteWriter) throws(ByteError) {
        let address = octets
        try writer.bytes(address.span)
        try writer.uint8(kind.rawValue)
    }

    @_lifetime(reader: copy reader)
    init(_ reader: inout ByteReader) throws(ByteError) {
        octets = FixedBytes(copying: try reader.bytes(count: 6))
        guard let kind = Kind(rawValue: try reader.uint8()) else {
            throw .truncated(at: reader.offset)
        }
        self.kind = kind
    }
}

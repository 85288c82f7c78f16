internal import Base
internal import CBluetooth
internal import MatterNode

/// The kernel's two kinds of Bluetooth socket that the radio has. They do not block.
enum BluetoothSockets {
    /// Commands to all adapters, and their events.
    static func openManagement() throws(Errno) -> Int32 {
        try Syscall.call { cbluetooth_open_management() }
    }

    /// Begins to connect ATT's fixed channel.
    /// - Parameter adapter: the address of the adapter to use, least significant octet first.
    /// - Returns: a socket that becomes writable once the connection is there or has failed.
    static func connect(
        _ peer: BluetoothAddress, from adapter: FixedBytes<6>
    ) throws(Errno) -> Int32 {
        let other = peer.octets.reversed
        let isRandom: Int32 = peer.kind == .randomAddress ? 1 : 0
        let (own, target) = (adapter.span, other.span)
        return try Syscall.call {
            unsafe own.withUnsafeBufferPointer { own in
                unsafe target.withUnsafeBufferPointer { target in
                    unsafe cbluetooth_connect(own.baseAddress, target.baseAddress, isRandom)
                }
            }
        }
    }
}

extension FixedBytes<6> {
    /// The kernel's order of an address's octets for people's, and the other way round.
    var reversed: FixedBytes<6> {
        var other = FixedBytes<6>()
        for index in 0..<6 { other[5 - index] = self[index] }
        return other
    }
}

extension BluetoothAddress {
    /// Nil for classic Bluetooth.
    init?(_ address: ManagementAddress) {
        switch address.kind {
        case .classic: return nil
        case .publicAddress: self.init(address.octets.reversed, .publicAddress)
        case .randomAddress: self.init(address.octets.reversed, .randomAddress)
        }
    }

    var forManagement: ManagementAddress {
        ManagementAddress(
            octets.reversed, kind == .publicAddress ? .publicAddress : .randomAddress)
    }
}

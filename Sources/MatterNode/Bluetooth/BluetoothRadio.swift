package import Base
package import Matter

/// The address of a Bluetooth LE device. Bluetooth Core, volume 6, part B, §1.3.
package struct BluetoothAddress: Hashable, Sendable {
    package enum Kind: Sendable { case publicAddress, randomAddress }

    /// Most significant octet first, as people write it.
    package let octets: FixedBytes<6>
    package let kind: Kind

    package init(_ octets: FixedBytes<6>, _ kind: Kind) {
        self.octets = octets
        self.kind = kind
    }
}

/// A device that waits to be commissioned, as it was heard once.
package struct HeardDevice: Sendable {
    package let address: BluetoothAddress
    package let advertisement: CommissionableAdvertisement
    /// dBm; nil when it is not known.
    package let signalStrength: Int8?

    package init(
        address: BluetoothAddress, advertisement: CommissionableAdvertisement,
        signalStrength: Int8? = nil
    ) {
        self.address = address
        self.advertisement = advertisement
        self.signalStrength = signalStrength
    }
}

/// Why the radio does not do what it was asked.
package enum BluetoothError: Error, Equatable, Sendable {
    /// The board has no adapter, or it was pulled out. Plug one in; a board's own needs its
    /// firmware and must not be switched off in the board's configuration (Raspberry Pi:
    /// `dtoverlay=disable-bt`).
    case noAdapter
    /// The kernel has no Bluetooth at all. Load the module `bluetooth`. A container, or a
    /// service whose unit restricts address families without AF_BLUETOOTH, sees the same.
    case noKernelSupport
    /// The process lacks the capability to use the adapter: CAP_NET_ADMIN, which the service's
    /// unit gives it, or root.
    case notPermitted
    /// Switched off by rfkill: `rfkill unblock bluetooth`, or a switch at the case.
    case blocked
    /// The adapter speaks classic Bluetooth only, or Bluetooth LE is switched off in it: use
    /// another one, of Bluetooth 4.0 or later.
    case noLowEnergy
    /// It does not come up. Pull it out and put it back, or start the board again; `dmesg` says
    /// what the kernel thinks of it, most often that its firmware is missing.
    case cannotPower
    /// Another program looks for devices, or holds the adapter for itself. End it:
    /// `bluetoothctl scan off`, or close what pairs devices on the board's desktop.
    case inUse
    /// The link did not come about, or was cut: the controller's reason, Bluetooth Core, volume 1,
    /// part F, or nil where the kernel tells none.
    case connectionFailed(reason: UInt8?)
    case timedOut
    case cancelled
    case system(errno: Int32)
}

/// The board's Bluetooth LE radio, for one owner. Nothing is tried twice here: that is
/// `Bluetooth`'s.
package protocol BluetoothRadio: AnyObject, Sendable {
    /// Called on the loop whenever a commissionable device is heard while the radio looks.
    var onHeard: ((HeardDevice) -> Void)? { get set }
    /// Called on the loop when the adapter comes, goes, or is switched; looking may have ended.
    var onChange: (() -> Void)? { get set }

    /// Makes the adapter ready: there, powered, speaking Bluetooth LE.
    func prepare() async throws(BluetoothError)
    /// Begins to look, or goes on looking.
    func startDiscovery() async throws(BluetoothError)
    /// Returns once the adapter has confirmed that it looks no more.
    func stopDiscovery() async
    /// Connects a device. The radio must not be looking.
    func connect(
        to address: BluetoothAddress, within time: Duration
    ) async throws(BluetoothError) -> any ATTBearer
    /// Switches the adapter off and on: what helps when it has lost its way.
    func powerCycle() async throws(BluetoothError)
}

/// What a bearer of ATT has for its reader.
package enum ATTInput: Equatable, Sendable {
    case nothing
    /// One packet of so many octets.
    case packet(Int)
    /// The link is gone; nothing comes any more.
    case closed
}

/// A connection that carries ATT packets whole and in order. Bluetooth Core, volume 3, part F.
package protocol ATTBearer: AnyObject, Sendable {
    var onReadable: (() -> Void)? { get set }
    /// Called once room has come after `send` found none.
    var onWritable: (() -> Void)? { get set }

    /// Takes the next packet. Never blocks.
    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> ATTInput
    /// - Returns: false when there is no room now; the packet was not taken.
    func send(_ bytes: Span<UInt8>) -> Bool
    func close()
}

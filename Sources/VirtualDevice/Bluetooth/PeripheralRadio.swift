package import Matter
package import MatterNode

/// A device's Bluetooth LE radio: it advertises, and is connected to. The other end of a
/// commissioner's `BluetoothRadio`.
package protocol PeripheralRadio: AnyObject, Sendable {
    /// Called on the loop when a commissioner has connected. There is no end to how many may try.
    var onConnection: ((any ATTBearer) -> Void)? { get set }

    /// Advertises this from now on and takes connections, or neither.
    func advertise(_ advertisement: CommissionableAdvertisement?)
}

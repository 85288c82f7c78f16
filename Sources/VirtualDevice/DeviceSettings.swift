internal import Base
package import Crypto
package import Matter

/// What a virtual device is and how it behaves.
package struct DeviceSettings: Sendable {
    /// 4 octets, one that `Passcode.isAllowed`.
    package var passcode: Secret
    /// 0 ... 4095.
    package var discriminator: UInt16
    /// The declaration covers products 0x8000 ... 0x8063 of vendor 0xFFF1; others need their own.
    package var vendorID = VendorID(0xFFF1)
    package var productID = ProductID(0x8001)
    package var vendorName = "matter-gateway"
    package var productName = "Virtual device"
    package var serialNumber = "VD-0001"
    package var port: UInt16 = 5540
    /// What it is on endpoints 1, 2 and so on.
    package var types: [DeviceType] = [.light]
    /// The device type that it announces.
    package var announcedType: DeviceTypeID?
    /// When it is made, for models that follow the day.
    package var secondOfDay = 8 * 3600
    /// Of all that moves by itself; drawn at random unless told.
    package var seed: UInt64?
    package var network = NetworkKind.wiFi
    /// Where its label says that it can be found.
    package var discoveryCapabilities = DiscoveryCapabilities.onNetwork
    /// The largest ATT packet that its Bluetooth takes, within 23 ... 247.
    package var attMTU = 247
    /// Whether it can speak Bluetooth and join a network at the same time. Core §11.10.6.5.
    package var isConcurrent = true
    package var surroundings = Surroundings()
    package var interaction = InteractionServer.Settings()
    package var failSafeSeconds = Limits.failSafeSeconds
    package var cumulativeFailSafeSeconds = Limits.cumulativeFailSafeSeconds
    /// A CMS message instead of the public declaration.
    package var declaration: [UInt8]?

    package init(passcode: Secret, discriminator: UInt16) {
        precondition(discriminator <= 0xFFF, "a long discriminator has 12 bits")
        self.passcode = passcode
        self.discriminator = discriminator
    }

    /// What the label on the device says.
    package var payload: SetupPayload {
        SetupPayload(
            vendorID: vendorID, productID: productID, flow: .standard,
            discoveryCapabilities: discoveryCapabilities,
            discriminator: .long(discriminator),
            passcode: passcode)
    }

    /// The interface that Network Commissioning on endpoint 0 is about.
    package enum NetworkKind: Sendable {
        case wiFi, thread, ethernet
    }
}

/// What happens to a device and what it is told, for the people who watch it.
package enum DeviceNote: Equatable, Sendable {
    case started
    case window(AdministratorCommissioning.WindowStatus)
    /// A session by passcode is there.
    case paired
    case wrongPasscode
    /// A session goes on from an earlier one.
    case resumed(FabricIndex)
    case commissioned(FabricIndex)
    case left(FabricIndex)
    case failSafeExpired
    case network(NetworkCommissioning.NetworkingStatus)
    case model(EndpointID, ModelNote)
}

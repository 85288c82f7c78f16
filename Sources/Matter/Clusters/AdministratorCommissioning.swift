internal import Base
package import Crypto

/// Lets another administrator commission a node. Core §11.19  Administrator Commissioning
package enum AdministratorCommissioning: Cluster {
    package static let id = ClusterID(0x003C)
    package static let name: StaticString = "administrator-commissioning"

    package static let windowStatus = Attribute<OpenEnum<WindowStatus>>(id, 0x0000, "window-status")
    package static let adminFabricIndex = Attribute<Nullable<FabricIndex>>(
        id, 0x0001, "admin-fabric-index")
    package static let adminVendorID = Attribute<Nullable<VendorID>>(id, 0x0002, "admin-vendor-id")

    package static let attributes = table(windowStatus, adminFabricIndex, adminVendorID)
    package static let commands = table(
        OpenCommissioningWindow.self, OpenBasicCommissioningWindow.self, RevokeCommissioning.self)
}

extension AdministratorCommissioning {
    /// Core §11.19.8.1. Timeout 180 ... 900 s; verifier 97 octets; discriminator below 4096;
    /// iterations 1,000 ... 100,000; salt 16 ... 32 octets.
    package struct OpenCommissioningWindow: Command, Equatable {
        package static let cluster = AdministratorCommissioning.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "open-commissioning-window"
        package static let isTimed = true

        package var commissioningTimeout: UInt16 = 0
        package var pakePasscodeVerifier = Secret.empty
        package var discriminator: UInt16 = 0
        package var iterations: UInt32 = 0
        package var salt = Octets()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "commissioningTimeout", &commissioningTimeout)
            try field(1, "PAKEPasscodeVerifier", &pakePasscodeVerifier)
            try field(2, "discriminator", &discriminator)
            try field(3, "iterations", &iterations)
            try field(4, "salt", &salt)
        }
    }

    /// Core §11.19.8.2. Timeout 180 ... 900 s.
    package struct OpenBasicCommissioningWindow: Command, Equatable {
        package static let cluster = AdministratorCommissioning.id
        package static let id = CommandID(0x01)
        package static let name: StaticString = "open-basic-commissioning-window"
        package static let isTimed = true

        package var commissioningTimeout: UInt16 = 0

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "commissioningTimeout", &commissioningTimeout)
        }
    }

    /// Core §11.19.8.3
    package struct RevokeCommissioning: FieldlessCommand, Equatable {
        package static let cluster = AdministratorCommissioning.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "revoke-commissioning"
        package static let isRepeatable = true
        package static let isTimed = true

        package init() {}
    }
}

extension AdministratorCommissioning {
    /// Core §11.19.4
    package struct Feature: Bitmap {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let basic = Self(rawValue: 0x1)
    }

    /// Core §11.19.5.1
    package enum WindowStatus: UInt8, NamedNumber {
        case windowNotOpen = 0
        case enhancedWindowOpen = 1
        case basicWindowOpen = 2
    }

    /// Core §11.19.6.1, the cluster's own status
    package enum ClusterStatus: UInt8, NamedNumber {
        case busy = 2
        case pakeParameterError = 3
        case windowNotOpen = 4
    }
}

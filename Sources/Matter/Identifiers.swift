/// The numbers of the specification, each a type of its own so that none is taken for another.
package protocol Identifier: RawRepresentable, Hashable, Comparable, Sendable
where RawValue: FixedWidthInteger & UnsignedInteger {
    init(_ rawValue: RawValue)
}

extension Identifier {
    package init(rawValue: RawValue) { self.init(rawValue) }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Core §2.5.5. Operational ids are 1 ... 0xFFFFFFEF_FFFFFFFF.
package struct NodeID: Identifier {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The source of messages before a session exists, Core §2.5.5.7.
    package static let unspecified = NodeID(0)

    package var isOperational: Bool { rawValue >= 1 && rawValue <= 0xFFFF_FFEF_FFFF_FFFF }
}

/// Core §2.5.1. Zero is reserved.
package struct FabricID: Identifier {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A fabric's place in one node's table, 1 ... 254. Core §7.5.2.
package struct FabricIndex: Identifier {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }
}

/// Core §2.5.2. 0xFFF1 ... 0xFFF4 are for tests.
package struct VendorID: Identifier {
    package let rawValue: UInt16
    package init(_ rawValue: UInt16) { self.rawValue = rawValue }
}

/// Core §2.5.3.
package struct ProductID: Identifier {
    package let rawValue: UInt16
    package init(_ rawValue: UInt16) { self.rawValue = rawValue }
}

/// Core §7.18.2.8. Endpoint 0 is the root node.
package struct EndpointID: Identifier {
    package let rawValue: UInt16
    package init(_ rawValue: UInt16) { self.rawValue = rawValue }

    package static let root = EndpointID(0)
}

/// Core §7.18.2.12.
package struct ClusterID: Identifier {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Core §7.18.2.13. 0xFFF8 ... 0xFFFD are the global attributes.
package struct AttributeID: Identifier {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Core §7.18.2.19.
package struct CommandID: Identifier {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Core §7.18.2.17.
package struct EventID: Identifier {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Core §7.18.2.11.
package struct DeviceTypeID: Identifier {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Names a session at its receiver; 0 is the unsecured session. Core §4.4.1.3.
package struct SessionID: Identifier {
    package let rawValue: UInt16
    package init(_ rawValue: UInt16) { self.rawValue = rawValue }

    package static let unsecured = SessionID(0)
}

/// Chosen by the initiator of an exchange, unique among those it has open. Core §4.10.1.
package struct ExchangeID: Identifier {
    package let rawValue: UInt16
    package init(_ rawValue: UInt16) { self.rawValue = rawValue }
}

/// Core §4.4.3.4. Vendor 0 is understood.
package struct ProtocolID: Identifier {
    package let rawValue: UInt16
    package init(_ rawValue: UInt16) { self.rawValue = rawValue }

    package static let secureChannel = ProtocolID(0x0000)
    package static let interactionModel = ProtocolID(0x0001)
}

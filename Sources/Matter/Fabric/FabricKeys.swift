package import Base
package import Crypto

/// What is derived from a fabric's root key, id and epoch keys.
package enum FabricKeys {
    /// A short name of a fabric for discovery and key derivation. Core §4.3.2.2.
    package static func compressedFabricID(
        root: P256.PublicKey, fabricID: FabricID
    ) -> FixedBytes<8> {
        let salt = bigEndian(fabricID.rawValue)
        let derived = HKDF.derive(
            key: root.bytes.span.extracting(1..<65), salt: salt.span, info: "CompressedFabric",
            count: 8)
        return FixedBytes(copying: derived.span)
    }

    /// An operational group key; that of group key set 0 is the identity protection key (IPK).
    /// 16 octets. Core §4.17.2.
    package static func operationalKey(
        epochKey: Secret, compressedFabricID: FixedBytes<8>
    ) -> Secret {
        HKDF.derive(
            key: epochKey.span, salt: compressedFabricID.span, info: "GroupKey v1.0", count: 16)
    }

    /// Hides the addresses of group messages; 16 octets. Core §4.9.1.
    package static func privacyKey(operationalKey: Secret) -> Secret {
        HKDF.derive(key: operationalKey.span, salt: Span(), info: "PrivacyKey", count: 16)
    }

    /// Core §4.17.3.6.
    package static func groupSessionID(operationalKey: Secret) -> SessionID {
        let hash = HKDF.derive(
            key: operationalKey.span, salt: Span(), info: "GroupKeyHash", count: 2)
        return SessionID(UInt16(hash.span[0]) << 8 | UInt16(hash.span[1]))
    }

    /// Whom a Sigma1 is for, without telling others. Core §4.14.2.4.1.
    /// - Parameter ipk: the operational key of group key set 0.
    package static func destinationID(
        ipk: Secret, initiatorRandom: FixedBytes<32>, root: P256.PublicKey, fabricID: FabricID,
        nodeID: NodeID
    ) -> FixedBytes<32> {
        var message = FixedBytes<113>()
        copy(initiatorRandom.span, to: &message, at: 0)
        copy(root.bytes.span, to: &message, at: 32)
        for index in 0..<8 {
            let shift = UInt64(8 * index)
            message[97 + index] = UInt8(truncatingIfNeeded: fabricID.rawValue >> shift)
            message[105 + index] = UInt8(truncatingIfNeeded: nodeID.rawValue >> shift)
        }
        return HMACSHA256.code(for: message.span, key: ipk.span)
    }

    /// The IPv6 address of a group's messages, 16 octets. Core §2.5.6.2.
    package static func multicastAddress(fabricID: FabricID, groupID: UInt16) -> FixedBytes<16> {
        var address = FixedBytes<16>()
        address[0] = 0xFF
        address[1] = 0x35
        address[3] = 0x40
        address[4] = 0xFD
        copy(bigEndian(fabricID.rawValue).span, to: &address, at: 5)
        address[14] = UInt8(groupID >> 8)
        address[15] = UInt8(groupID & 0xFF)
        return address
    }

    private static func copy<let size: Int>(
        _ source: Span<UInt8>, to target: inout FixedBytes<size>, at position: Int
    ) {
        for index in source.indices { target[position + index] = source[index] }
    }

    private static func bigEndian(_ value: UInt64) -> FixedBytes<8> {
        var bytes = FixedBytes<8>()
        for index in 0..<8 {
            bytes[index] = UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * index))
        }
        return bytes
    }
}

internal import Base

/// Who a certificate is about, or who issued it: attributes in the order they are written in.
/// Core §6.5.6.
package struct DistinguishedName: Hashable, Sendable {
    package let attributes: [Attribute]

    package init(_ attributes: [Attribute]) {
        self.attributes = attributes
    }

    package struct Attribute: Hashable, Sendable {
        package let type: AttributeType
        package let value: Value

        package init(_ type: AttributeType, _ value: Value) {
            self.type = type
            self.value = value
        }

        package static func number(_ type: AttributeType, _ value: UInt64) -> Attribute {
            Attribute(type, .number(value))
        }
    }

    package enum Value: Hashable, Sendable {
        /// As it came; UTF-8 if its maker kept to the rules.
        case text([UInt8], isPrintableString: Bool)
        /// 64 bits, or 32 for a CASE Authenticated Tag.
        case number(UInt64)
    }

    /// The numbers are the tags of Core §6.5.6.1.
    package enum AttributeType: UInt8, Sendable {
        case commonName = 1
        case surname, serialNumber, country, locality, stateOrProvince
        case organization, organizationalUnit, title, name, givenName, initials
        case generationQualifier, dnQualifier, pseudonym
        case domainComponent
        case nodeID, firmwareSigningID, icacID, rcacID, fabricID, caseAuthenticatedTag

        /// True for the ids that Matter defines, whose value is a number.
        package var isNumber: Bool { rawValue >= Self.nodeID.rawValue }
    }
}

extension DistinguishedName {
    package var nodeID: NodeID? { number(.nodeID).map(NodeID.init) }
    package var fabricID: FabricID? { number(.fabricID).map(FabricID.init) }
    package var icacID: UInt64? { number(.icacID) }
    package var rcacID: UInt64? { number(.rcacID) }
    package var firmwareSigningID: UInt64? { number(.firmwareSigningID) }

    package var caseAuthenticatedTags: [CASEAuthenticatedTag] {
        var tags: [CASEAuthenticatedTag] = []
        for attribute in attributes where attribute.type == .caseAuthenticatedTag {
            guard case .number(let number) = attribute.value else { continue }
            tags.append(CASEAuthenticatedTag(UInt32(truncatingIfNeeded: number)))
        }
        return tags
    }

    private func number(_ type: AttributeType) -> UInt64? {
        for attribute in attributes where attribute.type == type {
            if case .number(let number) = attribute.value { return number }
        }
        return nil
    }

    /// The number of attributes of one type.
    func count(of type: AttributeType) -> Int {
        attributes.count { $0.type == type }
    }
}

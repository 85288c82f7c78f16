internal import Base

/// Lists whose items belong to fabrics, and what one fabric sees and changes of them.
/// Core §7.5.3, §7.13.6.
enum FabricScope {
    /// The tag of FabricIndex in every item of such a list.
    static let indexTag: UInt8 = 254

    /// `value` as an accessor of `fabric` sees it: others' items are left out, or shown without
    /// their sensitive fields.
    static func view(
        _ value: EncodedElement, of path: ConcreteAttributePath, for fabric: FabricIndex?,
        isFiltered: Bool
    ) -> EncodedElement {
        guard value.isArray else { return value }
        let items = value.items
        guard let first = items.first, first.fabricIndex != nil else { return value }
        let isSensitive = sensitive.contains { $0 == (path.cluster, path.attribute) }
        return EncodedElement(
            items: items.compactMap { item in
                guard let owner = item.fabricIndex, owner != fabric else { return item }
                if isFiltered { return nil }
                return isSensitive ? EncodedElement(onlyFabric: owner) : item
            })
    }

    /// Whether writes change the accessor's items alone.
    static func isScoped(_ path: ConcreteAttributePath) -> Bool {
        written.contains { $0 == (path.cluster, path.attribute) }
    }

    /// The items of `value` as those of `fabric`, whatever they say themselves.
    static func own(_ value: EncodedElement, _ fabric: FabricIndex) -> EncodedElement {
        EncodedElement(items: value.items.map { $0.owned(by: fabric) })
    }

    /// The whole list once `fabric` has replaced its items.
    static func replacing(
        _ own: EncodedElement, of fabric: FabricIndex, in list: EncodedElement
    ) -> EncodedElement {
        EncodedElement(items: list.items.filter { $0.fabricIndex != fabric } + own.items)
    }

    /// All fields of whose items are for their own fabric (quality S).
    private static let sensitive: [(ClusterID, AttributeID)] = [
        (AccessControl.id, AccessControl.acl.id),
        (AccessControl.id, AccessControl.extension.id),
        (AccessControl.id, AccessControl.arl.id),
        (OperationalCredentials.id, OperationalCredentials.nocs.id),
        // ICD Management's RegisteredClients, Core §9.16.6.4.
        (ClusterID(0x0046), AttributeID(0x0003)),
    ]

    /// Lists that are written and kept for each fabric.
    private static let written: [(ClusterID, AttributeID)] = [
        (AccessControl.id, AccessControl.acl.id),
        (AccessControl.id, AccessControl.extension.id),
        // Binding, Core §9.6.6.1, and GroupKeyMap, Core §11.2.6.1.
        (ClusterID(0x001E), AttributeID(0x0000)),
        (ClusterID(0x003F), AttributeID(0x0000)),
    ]
}

extension EncodedElement {
    static let emptyArray = EncodedElement(checked: [ElementType.array, ElementType.endOfContainer])

    var isArray: Bool { octets[0] == ElementType.array }
    var isStructure: Bool { octets[0] == ElementType.structure }

    init(items: [EncodedElement]) {
        var octets = [ElementType.array]
        for item in items { octets.append(contentsOf: item.octets) }
        octets.append(ElementType.endOfContainer)
        self.init(checked: octets)
    }

    /// The members of an array; none of anything else.
    var items: [EncodedElement] {
        guard isArray else { return [] }
        var items: [EncodedElement] = []
        var reader = TLVReader(octets.span.extracting(1..<(octets.count - 1)), in: .array)
        do throws(TLVError) {
            while let item = try reader.next() {
                items.append(try EncodedElement(whole: try reader.whole(item)))
            }
        } catch {
            preconditionFailure("the octets were checked when they were read")
        }
        return items
    }

    /// What an item of a fabric-scoped list says of its fabric.
    var fabricIndex: FabricIndex? {
        guard isStructure else { return nil }
        var reader = TLVReader(octets.span.extracting(1..<(octets.count - 1)), in: .structure)
        do throws(TLVError) {
            while let member = try reader.next() {
                if member.contextTag == FabricScope.indexTag {
                    if member.isNull { return nil }
                    return FabricIndex(try member.integer())
                }
                try reader.skip(member)
            }
        } catch {
            return nil
        }
        return nil
    }

    fileprivate init(onlyFabric fabric: FabricIndex) {
        self.init(checked: [
            ElementType.structure, 0x24, FabricScope.indexTag, fabric.rawValue,
            ElementType.endOfContainer,
        ])
    }

    /// The same with that fabric's index in place of any it has.
    func owned(by fabric: FabricIndex) -> EncodedElement {
        guard isStructure else { return self }
        var owned = [ElementType.structure]
        var reader = TLVReader(octets.span.extracting(1..<(octets.count - 1)), in: .structure)
        do throws(TLVError) {
            while let member = try reader.next() {
                let isIndex = member.contextTag == FabricScope.indexTag
                let whole = try reader.whole(member)
                if !isIndex { owned.append(contentsOf: [UInt8](whole)) }
            }
        } catch {
            preconditionFailure("the octets were checked when they were read")
        }
        owned += [0x24, FabricScope.indexTag, fabric.rawValue, ElementType.endOfContainer]
        return EncodedElement(checked: owned)
    }
}

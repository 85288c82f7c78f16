internal import Base
package import Matter

/// A value, or a list whose items may go into several messages.
enum AttributeValue {
    case element(EncodedElement)
    case list([EncodedElement])

    var whole: EncodedElement {
        switch self {
        case .element(let element): element
        case .list(let items): EncodedElement(own: items)
        }
    }

    var octets: Int {
        switch self {
        case .element(let element): element.octets.count
        case .list(let items): items.reduce(2) { $0 + $1.octets.count }
        }
    }
}

extension ScriptedDevice {
    /// Sets an attribute, or adds it.
    package func put<Value>(
        _ attribute: Attribute<Value>, _ value: Value, on endpoint: EndpointID = .root
    ) {
        put(attribute.path(endpoint), .element(EncodedElement(own: value)))
    }

    /// The same for a list that may be longer than a message.
    package func putList<Item: TLVCodable>(
        _ attribute: Attribute<[Item]>, _ items: [Item], on endpoint: EndpointID = .root
    ) {
        put(attribute.path(endpoint), .list(items.map { EncodedElement(own: $0) }))
    }

    private func put(_ path: ConcreteAttributePath, _ value: AttributeValue) {
        if let index = attributes.firstIndex(where: { $0.path == path }) {
            attributes[index].value = value
        } else {
            attributes.append((path, value))
        }
    }

    /// A root node with a light on endpoint 1.
    func setUpAttributes() {
        var info = GeneralCommissioning.BasicCommissioningInfo()
        info.failSafeExpiryLengthSeconds = settings.failSafeSeconds
        info.maxCumulativeFailsafeSeconds = settings.cumulativeSeconds
        put(GeneralCommissioning.breadcrumb, 0)
        put(GeneralCommissioning.basicCommissioningInfo, info)
        put(GeneralCommissioning.regulatoryConfig, OpenEnum(.indoor))
        put(GeneralCommissioning.locationCapability, OpenEnum(.indoorOutdoor))
        put(BasicInformation.vendorName, "Vendor")
        put(BasicInformation.vendorID, DeviceAttestation.vendorID)
        put(BasicInformation.productName, "Lamp")
        put(BasicInformation.productID, DeviceAttestation.productID)
        put(BasicInformation.nodeLabel, "")
        put(BasicInformation.serialNumber, "SN-1")
        if settings.maxPathsPerInvoke > 1 {
            put(BasicInformation.maxPathsPerInvoke, settings.maxPathsPerInvoke)
        }
        if settings.hasTimeSynchronization {
            put(TimeSynchronization.featureMap, 0)
        }
        put(OnOff.onOff, false, on: EndpointID(1))
        for (endpoint, type, clusters) in [
            (EndpointID.root, UInt32(0x16), [GeneralCommissioning.id, BasicInformation.id]),
            (EndpointID(1), UInt32(0x100), [OnOff.id, Descriptor.id]),
        ] {
            var device = Descriptor.DeviceTypeStruct()
            device.deviceType = DeviceTypeID(type)
            device.revision = 1
            putList(Descriptor.deviceTypeList, [device], on: endpoint)
            putList(Descriptor.serverList, clusters, on: endpoint)
        }
    }

    /// The attributes as `session` sees them; those of the fabrics are made when they are asked.
    func visible(
        in session: DeviceSession?
    ) -> [(path: ConcreteAttributePath, value: AttributeValue)] {
        let descriptors = fabrics.map { fabric in
            EncodedElement(own: fabric.descriptor)
        }
        return attributes + [
            (OperationalCredentials.fabrics.path(.root), .list(descriptors)),
            (
                OperationalCredentials.currentFabricIndex.path(.root),
                .element(EncodedElement(own: session?.fabricIndex ?? FabricIndex(0)))
            ),
        ]
    }

    func has(_ path: ConcreteAttributePath) -> Bool {
        attributes.contains { $0.path == path }
    }

    func append(_ item: EncodedElement, to path: ConcreteAttributePath) {
        let whole = attributes.first { $0.path == path }?.value.whole
        let items = (try? whole?.decoded(as: [EncodedElement].self)) ?? []
        put(path, .list(items + [item]))
    }

    func set(_ path: ConcreteAttributePath, _ value: EncodedElement) {
        put(path, .element(value))
    }
}

import Base

@testable import Matter

extension Accessor {
    private static func node(
        _ id: UInt64, _ fabric: UInt8, session: Int, cats: [CASEAuthenticatedTag] = []
    ) -> Accessor {
        Accessor(
            subject: .node(NodeID(id), cats: cats), fabricIndex: FabricIndex(fabric),
            session: SessionHandle(slot: session, generation: 1))
    }

    /// Administers everything for fabric 1.
    static let administrator = node(112_233, 1, session: 1)
    /// The same for fabric 2.
    static let otherAdministrator = node(7, 2, session: 2)
    /// May operate endpoint 1 for its tag.
    static let anOperator = node(8, 1, session: 3, cats: [CASEAuthenticatedTag(0xABCD_0003)])
    /// May view what is a light.
    static let viewer = node(9, 1, session: 4)
    /// Is in fabric 1 and named nowhere.
    static let stranger = node(10, 1, session: 5)
    static let commissioner = Accessor(
        subject: .pase, fabricIndex: nil, session: SessionHandle(slot: 6, generation: 1))
}

extension ServerBench {
    static let light = EndpointID(1)

    /// A lamp of two fabrics.
    static func lamp() -> AttributeTable {
        var table = AttributeTable()
        addRoot(&table)
        addCredentials(&table)
        table.add(
            OnOff.self, on: light, revision: 6, features: 1,
            commands: [OnOff.Off.id, OnOff.On.id, OnOff.Toggle.id])
        table.set(OnOff.onOff, false, on: light)
        table.set(OnOff.onTime, 0, on: light)
        table.set(OnOff.startUpOnOff, .null, on: light)
        table.add(Identify.self, on: light, revision: 4, commands: [Identify.IdentifyDevice.id])
        table.set(Identify.identifyTime, 0, on: light)
        table.add(Descriptor.self, on: light, revision: 2)
        table.set(Descriptor.deviceTypeList, [deviceType(0x0100)], on: light)
        table.set(Descriptor.serverList, [Identify.id, OnOff.id, Descriptor.id], on: light)
        return table
    }

    private static func addRoot(_ table: inout AttributeTable) {
        table.add(Descriptor.self, on: .root, revision: 2)
        table.set(Descriptor.deviceTypeList, [deviceType(0x0016)])
        table.set(Descriptor.partsList, [light])
        table.add(AccessControl.self, on: .root, revision: 2)
        table.set(AccessControl.acl, accessEntries)
        table.set(AccessControl.extension, [])
        table.set(AccessControl.subjectsPerAccessControlEntry, 4)
        table.add(BasicInformation.self, on: .root, revision: 3)
        table.set(BasicInformation.vendorName, "Vendor")
        table.set(BasicInformation.nodeLabel, "")
        table.set(BasicInformation.location, "XX")
        table.add(
            AdministratorCommissioning.self, on: .root, revision: 1,
            commands: [AdministratorCommissioning.RevokeCommissioning.id])
        table.set(AdministratorCommissioning.windowStatus, OpenEnum(.windowNotOpen))
        table.add(GeneralCommissioning.self, on: .root, revision: 2)
        table.set(GeneralCommissioning.breadcrumb, 0)
    }

    private static func addCredentials(_ table: inout AttributeTable) {
        table.add(
            OperationalCredentials.self, on: .root, revision: 1,
            commands: [
                OperationalCredentials.CSRRequest.id, OperationalCredentials.UpdateFabricLabel.id,
                OperationalCredentials.RemoveFabric.id,
            ],
            responses: [
                OperationalCredentials.CSRResponse.id, OperationalCredentials.NOCResponse.id,
            ])
        table.set(
            OperationalCredentials.nocs,
            ([1, 2] as [UInt8]).map { index in
                OperationalCredentials.NOCStruct {
                    $0.noc = Octets([UInt8](repeating: index, count: 300))
                    $0.icac = .value(Octets([UInt8](repeating: 0x40 + index, count: 250)))
                    $0.fabricIndex = FabricIndex(index)
                }
            })
        table.set(
            OperationalCredentials.fabrics,
            ([1, 2] as [UInt8]).map { index in
                OperationalCredentials.FabricDescriptorStruct {
                    $0.fabricID = FabricID(UInt64(index))
                    $0.label = "fabric \(index)"
                    $0.fabricIndex = FabricIndex(index)
                }
            })
        table.set(OperationalCredentials.currentFabricIndex, FabricIndex(0))
    }

    static func entry(
        _ privilege: AccessControl.Privilege, _ fabric: UInt8, subjects: [UInt64],
        targets: [AccessControl.AccessControlTargetStruct]? = nil
    ) -> AccessControl.AccessControlEntryStruct {
        AccessControl.AccessControlEntryStruct {
            $0.privilege = OpenEnum(privilege)
            $0.subjects = .value(subjects)
            $0.targets = targets.map { .value($0) } ?? .null
            $0.fabricIndex = FabricIndex(fabric)
        }
    }

    static let accessEntries = [
        entry(.administer, 1, subjects: [112_233]),
        entry(
            .operate, 1, subjects: [CASEAuthenticatedTag(0xABCD_0002).subject.rawValue],
            targets: [
                AccessControl.AccessControlTargetStruct { $0.endpoint = .value(light) }
            ]),
        entry(
            .view, 1, subjects: [9],
            targets: [
                AccessControl.AccessControlTargetStruct {
                    $0.deviceType = .value(DeviceTypeID(0x0100))
                }
            ]),
        entry(.administer, 2, subjects: [7]),
    ]

    static func deviceType(_ id: UInt32) -> Descriptor.DeviceTypeStruct {
        Descriptor.DeviceTypeStruct {
            $0.deviceType = DeviceTypeID(id)
            $0.revision = 1
        }
    }
}

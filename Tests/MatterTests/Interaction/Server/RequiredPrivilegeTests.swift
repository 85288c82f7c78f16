import Base
import Testing

@testable import Matter

/// What is here is from the access columns as CHIP's cluster definitions have them
/// (src/app/zap-templates/zcl/data-model/chip, 2024 to 2025).
@Suite("RequiredPrivilege")
struct RequiredPrivilegeTests {
    @Test("what an attribute holds is viewed, but for what only administrators see")
    func reads() {
        func read<Value>(_ attribute: Attribute<Value>) -> AccessControl.Privilege {
            RequiredPrivilege.read(attribute.path(.root))
        }
        #expect(read(OnOff.onOff) == .view)
        #expect(read(AccessControl.acl) == .administer)
        #expect(read(AccessControl.accessControlEntriesPerFabric) == .view)
        #expect(read(AccessControl.arl) == .view)
        #expect(read(OperationalCredentials.nocs) == .administer)
        #expect(read(OperationalCredentials.fabrics) == .view)
        #expect(read(NetworkCommissioning.networks) == .administer)
        #expect(read(NetworkCommissioning.scanMaxTimeSeconds) == .view)
        #expect(read(NetworkCommissioning.lastNetworkingStatus) == .administer)
        #expect(RequiredPrivilege.read(eventsOf: AccessControl.id) == .administer)
        #expect(RequiredPrivilege.read(eventsOf: DoorLock.id) == .view)
    }

    @Test("what people turn is operated, what installers set is managed")
    func writes() {
        func write<Value>(_ attribute: Attribute<Value>) -> AccessControl.Privilege {
            #expect(attribute.access == .readWrite)
            return RequiredPrivilege.write(attribute.path(.root))
        }
        #expect(write(Thermostat.occupiedHeatingSetpoint) == .operate)
        #expect(write(Thermostat.systemMode) == .manage)
        #expect(write(Thermostat.presets) == .manage)
        #expect(write(FanControl.percentSetting) == .operate)
        #expect(write(OnOff.onTime) == .operate)
        #expect(write(OnOff.startUpOnOff) == .manage)
        #expect(write(LevelControl.onLevel) == .operate)
        #expect(write(ColorControl.options) == .operate)
        #expect(write(ColorControl.whitePointX) == .manage)
        #expect(write(OccupancySensing.holdTime) == .manage)
        #expect(write(DoorLock.operatingMode) == .manage)
        #expect(write(DoorLock.wrongCodeEntryLimit) == .administer)
        #expect(write(BasicInformation.nodeLabel) == .manage)
        #expect(write(BasicInformation.location) == .administer)
        #expect(write(GeneralCommissioning.breadcrumb) == .administer)
        #expect(write(AccessControl.acl) == .administer)
    }

    @Test("commands that commission are for administrators, and some need a fabric")
    func commands() {
        func invoke<Invoked: Command>(_ command: Invoked.Type) -> AccessControl.Privilege {
            RequiredPrivilege.invoke(Invoked.cluster, Invoked.id)
        }
        func needsFabric<Invoked: Command>(_ command: Invoked.Type) -> Bool {
            RequiredPrivilege.needsFabric(Invoked.cluster, Invoked.id)
        }
        #expect(invoke(OnOff.Toggle.self) == .operate)
        #expect(invoke(Identify.IdentifyDevice.self) == .manage)
        #expect(invoke(Thermostat.SetpointRaiseLower.self) == .operate)
        #expect(invoke(GeneralCommissioning.ArmFailSafe.self) == .administer)
        #expect(invoke(NetworkCommissioning.ConnectNetwork.self) == .administer)
        #expect(invoke(OperationalCredentials.AddNOC.self) == .administer)
        #expect(
            invoke(AdministratorCommissioning.RevokeCommissioning.self) == .administer)
        #expect(!needsFabric(OperationalCredentials.AddNOC.self))
        #expect(!needsFabric(OperationalCredentials.RemoveFabric.self))
        #expect(needsFabric(OperationalCredentials.UpdateNOC.self))
        #expect(needsFabric(GeneralCommissioning.CommissioningComplete.self))
        #expect(!needsFabric(OnOff.Toggle.self))
    }
}

import Base
import Matter
import Testing

@testable import VirtualDevice

@Suite("DeviceType")
struct DeviceTypeTests {
    struct Requirement: Sendable, CustomTestStringConvertible {
        let type: DeviceType
        let cluster: any Cluster.Type
        let revision: UInt16
        let features: UInt32
        /// The mandatory ones, global attributes left out.
        let attributes: [UInt32]
        var commands: [UInt32] = []

        var testDescription: String { "\(type.rawValue) \(cluster.name)" }
    }

    static let requirements: [Requirement] = [
        .init(
            type: .light, cluster: Identify.self, revision: 4, features: 0, attributes: [0, 1],
            commands: [0x00, 0x40]),
        .init(
            type: .light, cluster: Groups.self, revision: 4, features: 0, attributes: [0],
            commands: [0, 1, 2, 3, 4, 5]),
        .init(
            type: .light, cluster: OnOff.self, revision: 6, features: 0x1,
            attributes: [0x0000, 0x4000, 0x4001, 0x4002, 0x4003],
            commands: [0x00, 0x01, 0x02, 0x40, 0x41, 0x42]),
        .init(
            type: .dimmableLight, cluster: LevelControl.self, revision: 6, features: 0x3,
            attributes: [0x0000, 0x0001, 0x000F, 0x0011, 0x4000],
            commands: [0, 1, 2, 3, 4, 5, 6, 7]),
        .init(
            type: .colorLight, cluster: ColorControl.self, revision: 7, features: 0x10,
            attributes: [
                0x0002, 0x0007, 0x0008, 0x000F, 0x0010, 0x4001, 0x400A, 0x400B, 0x400C, 0x400D,
                0x4010,
            ], commands: [0x0A, 0x47, 0x4B, 0x4C]),
        .init(
            type: .plug, cluster: ElectricalPowerMeasurement.self, revision: 1, features: 0x2,
            attributes: [0x0000, 0x0001, 0x0002, 0x0008]),
        .init(
            type: .plug, cluster: ElectricalEnergyMeasurement.self, revision: 1, features: 0x5,
            attributes: [0x0000, 0x0001]),
        .init(
            type: .plug, cluster: PowerTopology.self, revision: 1, features: 0x4,
            attributes: [0x0000]),
        .init(
            type: .temperature, cluster: TemperatureMeasurement.self, revision: 4, features: 0,
            attributes: [0, 1, 2]),
        .init(
            type: .humidity, cluster: RelativeHumidityMeasurement.self, revision: 3, features: 0,
            attributes: [0, 1, 2]),
        .init(
            type: .contact, cluster: BooleanState.self, revision: 1, features: 0,
            attributes: [0]),
        .init(
            type: .occupancy, cluster: OccupancySensing.self, revision: 5, features: 0x2,
            attributes: [0, 1, 2]),
        .init(
            type: .thermostat, cluster: Thermostat.self, revision: 7, features: 0x23,
            attributes: [0x0000, 0x0011, 0x0012, 0x0019, 0x001B, 0x001C], commands: [0x00]),
        .init(
            type: .fan, cluster: FanControl.self, revision: 4, features: 0x13,
            attributes: [0, 1, 2, 3, 4, 5, 6], commands: [0x00]),
    ]

    @Test("Each has what its clusters require of it", arguments: requirements)
    func mandatory(_ required: Requirement) {
        let table = Stage(required.type).table
        let endpoint = EndpointID(1)
        func value<Value>(_ id: UInt32, _ type: Value.Type) -> Value?
        where Value: TLVCodable & Sendable {
            table.get(Attribute<Value>(required.cluster.id, id, "any"), on: endpoint)
        }
        #expect(value(0xFFFD, UInt16.self) == required.revision)
        #expect(value(0xFFFC, UInt32.self) == required.features)
        #expect(value(0xFFF9, [CommandID].self) == required.commands.map { CommandID($0) })
        let listed = Set(value(0xFFFB, [AttributeID].self) ?? [])
        #expect(listed.isSuperset(of: required.attributes.map { AttributeID($0) }))
    }

    @Test(
        "Core §9.5.6 Descriptor lists the clusters that are there", arguments: DeviceType.allCases)
    func descriptor(_ type: DeviceType) {
        let stage = Stage(type)
        let listed = stage.value(Descriptor.serverList) ?? []
        #expect(listed.allSatisfy { stage.table.has($0, on: EndpointID(1)) })
        #expect(listed.contains(Descriptor.id) && listed.contains(Identify.id))
        let types = stage.value(Descriptor.deviceTypeList) ?? []
        #expect(types.allSatisfy { DeviceTypes.name($0.deviceType) != nil } && !types.isEmpty)
    }

    @Test("Every command that a cluster lists is carried out or refused for its fields")
    func commandsAreKnown() throws {
        for type in DeviceType.allCases {
            let stage = Stage(type)
            for cluster in stage.value(Descriptor.serverList) ?? [] {
                let accepted = Attribute<[CommandID]>(cluster, 0xFFF9, "accepted")
                for command in stage.value(accepted) ?? [] {
                    var models = stage.models
                    let answer = models.invoke(
                        ModelCommand(cluster: cluster, command: command, fields: .emptyStructure),
                        on: EndpointID(1), at: stage.now)
                    #expect(answer != .status(.unsupportedCommand), "\(type) \(cluster) \(command)")
                }
            }
        }
    }

    @Test("Endpoints follow the order of the types, and each has its own")
    func endpoints() {
        var stage = Stage(.light, .temperature, .light)
        stage.invoke(OnOff.On(), on: 3)
        #expect(stage.models.endpoints == [1, 2, 3].map { EndpointID($0) })
        #expect(stage.value(OnOff.onOff, on: 1) == false)
        #expect(stage.value(OnOff.onOff, on: 3) == true)
        #expect(stage.invoke(OnOff.On(), on: 2) == .status(.unsupportedCommand))
        #expect(stage.invoke(OnOff.On(), on: 4) == .status(.unsupportedEndpoint))
    }

    @Test(
        "What is at rest has no deadline",
        arguments: [DeviceType.light, .colorLight, .contact, .fan])
    func rest(_ type: DeviceType) {
        #expect(Stage(type).models.nextDeadline == nil)
    }

    @Test("Value of the wrong type are refused as such, whatever the attribute")
    func wrongType() {
        var stage = Stage(.thermostat)
        let wrong = Attribute<String>(Thermostat.id, 0x0012, "occupied-heating-setpoint")
        #expect(stage.write(wrong, "warm") == .invalidDataType)
        let readOnly = Thermostat.localTemperature
        #expect(stage.write(readOnly, .value(20_00)) == .unsupportedWrite)
    }

    @Test("Application Clusters §1.2.6.1 a device identifies itself for the time it is told")
    func identify() {
        var stage = Stage(.temperature)
        stage.invoke(Identify.IdentifyDevice { $0.identifyTime = 10 })
        stage.run(.milliseconds(3500))
        #expect(stage.value(Identify.identifyTime) == 7)
        stage.run(.seconds(7))
        #expect(stage.value(Identify.identifyTime) == 0)
        #expect(stage.notes() == ["identify 10 s"])
    }

    @Test("Application Clusters §1.3.7 without a group key there is no group")
    func groups() {
        var stage = Stage(.light)
        let answer = stage.invoke(AddGroup { $0.groupID = 7 })
        let refused = InteractionStatus.unsupportedAccess.rawValue
        #expect(answer == .response(AddGroupResponse(refused, groupID: 7)))
        #expect(stage.invoke(RemoveAllGroups()) == .success)
    }
}

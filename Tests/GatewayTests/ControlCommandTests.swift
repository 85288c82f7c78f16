import Base
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("level, thermostat and fan")
struct ControlCommandTests {
    private let building: Building
    private let one = EndpointID(1)

    init() throws {
        building = try Building()
    }

    private func device(_ clusters: ClusterID..., on endpoints: [UInt16] = [1]) throws
        -> ScriptedDevice
    {
        try building.device(
            1, name: "It",
            endpoints: endpoints.map {
                EndpointRecord(endpoint: EndpointID($0), deviceTypes: [], clusters: clusters)
            })
    }

    private func levelDevice(least: UInt8 = 1, most: UInt8 = 254) throws -> ScriptedDevice {
        let lamp = try device(LevelControl.id)
        lamp.put(LevelControl.minLevel, least, on: one)
        lamp.put(LevelControl.maxLevel, most, on: one)
        lamp.commandAnswers[.invoke(LevelControl.MoveToLevelWithOnOff.self)] = .status(.success)
        return lamp
    }

    private func moves(
        _ lamp: ScriptedDevice
    ) throws -> [LevelControl.MoveToLevelWithOnOff] {
        try lamp.invoked.map { try #require($0.commandFields).decoded() }
    }

    private func thermostat(
        _ sequence: Thermostat.ControlSequenceOfOperation = .coolingAndHeating,
        features: Thermostat.Feature = [.heating, .cooling]
    ) throws -> ScriptedDevice {
        let room = try device(Thermostat.id)
        room.put(Thermostat.localTemperature, .value(2034), on: one)
        room.put(Thermostat.controlSequenceOfOperation, OpenEnum(sequence), on: one)
        room.put(Thermostat.featureMap, features.rawValue, on: one)
        room.put(Thermostat.systemMode, OpenEnum(.heat), on: one)
        room.put(Thermostat.occupiedHeatingSetpoint, 2100, on: one)
        room.put(Thermostat.occupiedCoolingSetpoint, 2600, on: one)
        room.put(Thermostat.absMinHeatSetpointLimit, 500, on: one)
        room.put(Thermostat.maxHeatSetpointLimit, 2800, on: one)
        return room
    }

    private func fan(_ sequence: FanControl.FanModeSequence) throws -> ScriptedDevice {
        let fan = try device(FanControl.id)
        fan.put(FanControl.fanModeSequence, OpenEnum(sequence), on: one)
        fan.put(FanControl.fanMode, OpenEnum(.low), on: one)
        fan.put(FanControl.percentSetting, .value(30), on: one)
        fan.put(FanControl.percentCurrent, 28, on: one)
        return fan
    }

    @Test("§1.6.7 a level is percent of 254, and as long as it is given takes the change")
    func level() throws {
        let lamp = try levelDevice()
        let output = try building.run("level it 50 --over 10")
        #expect(output.lines == ["It: at 50 % in 10 s"])
        #expect(
            output.document.text == """
                {"node_id":"0x0000000000000001","endpoint":1,"percent":50,"level":127}
                """)
        #expect(try building.run("level it 0").lines == ["It: off"])
        #expect(try building.run("level it 1").lines == ["It: at 1 %"])
        #expect(try building.run("level it 100%").lines == ["It: at 100 %"])
        let moves = try moves(lamp)
        #expect(moves.map(\.level) == [127, 1, 3, 254])
        #expect(moves.map(\.transitionTime) == [.value(100), .null, .null, .null])
    }

    @Test("a device's own least and most levels hold, and what is not off does not go off")
    func levelLimits() throws {
        let lamp = try levelDevice(least: 25, most: 200)
        #expect(
            try building.run("level it 1").lines
                == ["It: at 10 %, which is as near as it can"])
        #expect(
            try building.run("level it 100").lines
                == ["It: at 79 %, which is as near as it can"])
        #expect(try building.run("level it 0").lines == ["It: off"])
        #expect(try moves(lamp).map(\.level) == [26, 200, 25])
    }

    @Test("a refusal, a missing command and a missing cluster are told apart")
    func levelRefused() throws {
        let lamp = try levelDevice()
        let request = DeviceRequest.invoke(LevelControl.MoveToLevelWithOnOff.self)
        lamp.commandAnswers[request] = .status(.constraintError)
        let refused = try building.run("level it 50")
        #expect(refused.exitCode == .dataError)
        #expect(refused.notices == ["It: the value is outside its range: give another value"])
        lamp.commandAnswers[request] = .status(.unsupportedCommand)
        #expect(try building.run("level it 50").notices[0].contains("move-to-level-with-on-off"))
        let none = try building.run("fan it/1 low")
        #expect(none.notices == ["It: it has no fan-control: show lists what it has"])
        #expect(none.exitCode == .unavailable)
    }

    @Test("of several endpoints with the cluster the command must name one")
    func several() throws {
        _ = try device(FanControl.id, on: [2, 4])
        let output = try building.run("fan it")
        #expect(output.exitCode == .noHost)
        #expect(
            output.notices == [
                "It: it has several of fan-control: say which, behind its name: /2, /4"
            ])
    }

    @Test("§4.3 thermostat shows what it does and what it is set to")
    func thermostatState() throws {
        let room = try thermostat()
        room.put(Thermostat.thermostatRunningState, 0x0001, on: one)
        room.put(Thermostat.piHeatingDemand, 40, on: one)
        let output = try building.run("thermostat it")
        #expect(
            output.lines == [
                "mode:            heat", "now:             heating",
                "temperature:     20.34 °C", "heats to:        21.0 °C",
                "cools to:        26.0 °C", "heating demand:  40 %",
            ])
        #expect(
            output.document.text == """
                {"node_id":"0x0000000000000001","endpoint":1,"mode":"heat",\
                "activity":"heating","local_temperature":20.34,"heating_setpoint":21.0,\
                "cooling_setpoint":26.0,"heating_demand":40,"cooling_demand":null,\
                "modes":["off","cool","heat","emergency-heat","precooling","fan-only","dry",\
                "sleep"]}
                """)
    }

    @Test(
        "what it does is told by the relays, else the running mode, else the demand",
        arguments: [
            (UInt16?(0x10), Thermostat.ThermostatRunningMode?.some(.heat), UInt8?(9), "cooling"),
            (0x00, .heat, 9, "idle"), (0x04, nil, nil, "fan"), (nil, .cool, 9, "cooling"),
            (nil, nil, 9, "heating"), (nil, nil, 0, "idle"),
        ])
    func activity(
        relays: UInt16?, mode: Thermostat.ThermostatRunningMode?, demand: UInt8?, activity: String
    ) throws {
        let room = try thermostat()
        if let relays { room.put(Thermostat.thermostatRunningState, relays, on: one) }
        if let mode { room.put(Thermostat.thermostatRunningMode, OpenEnum(mode), on: one) }
        if let demand { room.put(Thermostat.piHeatingDemand, demand, on: one) }
        #expect(
            try building.run("thermostat it").document["activity"] == .string(activity))
    }

    @Test("modes and setpoints are written as the device has them")
    func thermostatSet() throws {
        let room = try thermostat()
        #expect(try building.run("thermostat it cool").lines == ["It: cool"])
        let heat = try building.run("thermostat it heat 21.5")
        #expect(heat.lines == ["It: heats to 21.5 °C"])
        #expect(
            heat.notices == [
                "its mode is cool, in which this has no effect: thermostat NODE heat sets the mode"
            ])
        #expect(heat.document["heating_setpoint"] == .number(21.5))
        #expect(try building.run("thermostat it cool 25").notices.isEmpty)
        #expect(
            room.written.map(\.data) == [
                try EncodedElement(UInt8(3)), try EncodedElement(Int16(2150)),
                try EncodedElement(Int16(2500)),
            ])
    }

    @Test("what the device says it cannot do it is not asked for")
    func thermostatRefused() throws {
        let room = try thermostat(.heatingOnly, features: [.heating])
        func refusal(_ line: String) throws -> String {
            let output = try building.run(line)
            #expect(output.exitCode != .ok && output.lines.isEmpty)
            return output.notices[0]
        }
        #expect(
            try refusal("thermostat it cool")
                == "It: it has no mode cool: it has off, heat, emergency-heat, fan-only, dry,"
                + " sleep")
        #expect(try refusal("thermostat it auto").contains("it has no mode auto"))
        #expect(try refusal("thermostat it cool 20") == "It: it does not cool: give heat T")
        #expect(
            try refusal("thermostat it heat 28.1")
                == "It: it cannot heat to that temperature: give 5.0 °C to 28.0 °C")
        #expect(try refusal("thermostat it heat 4.9").contains("5.0 °C"))
        #expect(room.written.isEmpty)
        room.react = { $0 == .write ? .status(.invalidInState) : .proceed }
        #expect(try refusal("thermostat it heat 20").contains("present state"))
    }

    @Test("a thermostat that contradicts itself is left to say what it takes")
    func contradiction() throws {
        let room = try thermostat()
        room.put(Thermostat.absMinHeatSetpointLimit, 3000, on: one)
        #expect(try building.run("thermostat it heat 21").lines == ["It: heats to 21.0 °C"])
    }

    @Test("§4.4 a fan has the modes of its sequence, and any percent")
    func fanModes() throws {
        let fan = try fan(.offLowHighAuto)
        let state = try building.run("fan it")
        #expect(
            state.lines == [
                "mode:    low", "now:     28 %", "set to:  30 %",
                "modes:   off, low, high, auto",
            ])
        #expect(
            state.document.text == """
                {"node_id":"0x0000000000000001","endpoint":1,"mode":"low","percent_current":28,\
                "percent_setting":30,"modes":["off","low","high","auto"]}
                """)
        #expect(try building.run("fan it auto").lines == ["It: auto"])
        #expect(try building.run("fan it 60").lines == ["It: at 60 %"])
        let refused = try building.run("fan it medium")
        #expect(
            refused.notices
                == ["It: it has no mode medium: it has off, low, high, auto, or give percent"])
        #expect(refused.exitCode == .unavailable)
        #expect(
            fan.written.map(\.path.attribute) == [
                FanControl.fanMode.id, FanControl.percentSetting.id,
            ])
    }
}

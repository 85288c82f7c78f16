import Base
import Matter
import Testing

@testable import VirtualDevice

@Suite("Fan")
struct FanTests {
    @Test(
        "Application Clusters §4.4.6 a percentage has its mode and speed",
        arguments: [
            (0, FanControl.FanMode.off, 0), (1, .low, 1), (30, .low, 3), (31, .medium, 4),
            (70, .medium, 7), (71, .high, 8), (100, .high, 10),
        ] as [(UInt8, FanControl.FanMode, UInt8)])
    func percent(_ percent: UInt8, _ mode: FanControl.FanMode, _ speed: UInt8) {
        var stage = Stage(.fan)
        #expect(stage.write(FanControl.percentSetting, .value(percent)) == .success)
        #expect(stage.value(FanControl.fanMode) == OpenEnum(mode))
        #expect(stage.value(FanControl.speedSetting) == .value(speed))
        stage.run(.seconds(10))
        #expect(stage.value(FanControl.percentCurrent) == percent)
    }

    @Test("Auto leaves the settings empty; On and Smart are High and Auto")
    func modes() {
        var stage = Stage(.fan)
        stage.write(FanControl.fanMode, OpenEnum(.smart))
        #expect(stage.value(FanControl.fanMode) == OpenEnum(.auto))
        #expect(stage.value(FanControl.percentSetting) == .null)
        stage.write(FanControl.fanMode, OpenEnum(.on))
        #expect(stage.value(FanControl.percentSetting) == .value(100))
        #expect(stage.write(FanControl.percentSetting, .null) == .success)
        #expect(stage.value(FanControl.percentSetting) == .value(100))
        #expect(stage.write(FanControl.percentSetting, .value(101)) == .constraintError)
        #expect(stage.write(FanControl.speedSetting, .value(11)) == .constraintError)
        #expect(stage.write(FanControl.fanMode, OpenEnum(rawValue: 9)) == .constraintError)
        #expect(stage.notes() == ["fan auto", "fan high", "fan speed 100%"])
    }

    @Test("The blades take a moment")
    func spin() {
        var stage = Stage(.fan)
        stage.write(FanControl.fanMode, OpenEnum(.high))
        stage.run(.seconds(2))
        #expect(stage.value(FanControl.percentCurrent) == 50)
        stage.run(.seconds(2))
        #expect(stage.value(FanControl.speedCurrent) == 10)
        #expect(stage.models.nextDeadline == nil)
    }

    @Test("§4.4.7.1 a step goes around the ends where it is told to")
    func step() {
        var stage = Stage(.fan)
        stage.invoke(FanControl.Step { $0.direction = OpenEnum(.decrease) })
        #expect(stage.value(FanControl.speedSetting) == .value(0))
        stage.invoke(
            FanControl.Step { ($0.direction, $0.wrap) = (OpenEnum(.decrease), true) })
        #expect(stage.value(FanControl.speedSetting) == .value(10))
        stage.invoke(FanControl.Step { ($0.wrap, $0.lowestOff) = (true, false) })
        #expect(stage.value(FanControl.speedSetting) == .value(1))
    }
}

@Suite("SmartPlug")
struct SmartPlugTests {
    @Test("Power follows the switch, and energy is its sum")
    func energy() throws {
        var stage = Stage(.plug)
        try stage.set(.load, "1000W")
        stage.run(.seconds(600))
        #expect(stage.value(ElectricalPowerMeasurement.activePower) == .value(0))
        stage.invoke(OnOff.On())
        stage.run(.seconds(1800))
        let power = stage.value(ElectricalPowerMeasurement.activePower)?.value ?? 0
        #expect((980_000...1_020_000).contains(power) && power != 1_000_000)
        stage.invoke(OnOff.Off())
        stage.run(.seconds(3600))
        #expect(stage.value(ElectricalPowerMeasurement.activePower) == .value(0))
        let energy = stage.value(ElectricalEnergyMeasurement.cumulativeEnergyImported)
        // Half an hour of a kilowatt.
        let counted = energy?.value?.energy ?? 0
        #expect((495_000...505_000).contains(counted))
        #expect(stage.notes() == ["plug on", "plug off"])
        #expect(stage.models.nextDeadline == nil)
    }

    @Test("§2.12.7.1 the measured energy is an event")
    func event() {
        var stage = Stage(.plug)
        stage.invoke(OnOff.On())
        stage.run(.seconds(10))
        let events = stage.events()
        guard case .energyMeasured(let measured) = events.first else {
            Issue.record("no event")
            return
        }
        #expect(events.count == 1)
        // Ten seconds of 42 W are 117 mWh.
        let energy = measured.energyImported?.energy ?? 0
        #expect((114...120).contains(energy))
        #expect(measured.energyImported?.endSystime == 10_000)
    }
}

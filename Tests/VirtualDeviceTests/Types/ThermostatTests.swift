import Base
import Matter
import Testing

@testable import VirtualDevice

@Suite("ThermostatDevice")
struct ThermostatTests {
    @Test("It heats the room to its setpoint and holds it there")
    func heats() {
        var stage = Stage(.thermostat)
        #expect(stage.value(Thermostat.thermostatRunningState) == 0x1)
        stage.write(Thermostat.occupiedHeatingSetpoint, 22_00)
        stage.run(.seconds(3 * 3600))
        for _ in 0..<60 {
            stage.run(.seconds(300))
            let value = stage.value(Thermostat.localTemperature)?.value ?? 0
            #expect((21_60...22_40).contains(value))
        }
        #expect(stage.notes() == ["thermostat heat 22.0"])
    }

    @Test("Off leaves the room to the weather; cool brings it down")
    func offAndCool() throws {
        var stage = Stage(.thermostat)
        try stage.set(.outdoor, "35")
        #expect(stage.write(Thermostat.systemMode, OpenEnum(.off)) == .success)
        #expect(stage.value(Thermostat.thermostatRunningState) == 0)
        stage.run(.seconds(12 * 3600))
        let warm = stage.value(Thermostat.localTemperature)?.value ?? 0
        #expect(warm > 30_00)
        #expect(stage.value(Thermostat.outdoorTemperature) == .value(35_00))
        stage.write(Thermostat.systemMode, OpenEnum(.cool))
        #expect(stage.value(Thermostat.thermostatRunningState) == 0x2)
        #expect(stage.value(Thermostat.thermostatRunningMode) == OpenEnum(.cool))
        stage.run(.seconds(6 * 3600))
        let cooled = stage.value(Thermostat.localTemperature)?.value ?? 0
        #expect((25_50...26_50).contains(cooled))
    }

    @Test("§4.3.7.2 the dead band pushes the other setpoint, and never past its limit")
    func deadBand() {
        var stage = Stage(.thermostat)
        #expect(stage.write(Thermostat.occupiedHeatingSetpoint, 25_00) == .success)
        #expect(stage.value(Thermostat.occupiedCoolingSetpoint) == 27_50)
        #expect(stage.write(Thermostat.occupiedCoolingSetpoint, 20_00) == .success)
        #expect(stage.value(Thermostat.occupiedHeatingSetpoint) == 17_50)
        for value: Int16 in [6_99, 29_01] {
            #expect(
                stage.write(Thermostat.occupiedHeatingSetpoint, value) == .constraintError)
        }
        #expect(stage.value(Thermostat.occupiedHeatingSetpoint) == 17_50)
        // A write to the dead band itself succeeds and changes nothing.
        #expect(stage.write(Thermostat.minSetpointDeadBand, 10) == .success)
        #expect(stage.value(Thermostat.minSetpointDeadBand) == 25)
    }

    @Test("§4.3.9.21 limits lie in order within the absolute ones, and the setpoints follow")
    func limits() {
        var stage = Stage(.thermostat)
        #expect(stage.write(Thermostat.maxHeatSetpointLimit, 30_00) == .constraintError)
        #expect(stage.write(Thermostat.minHeatSetpointLimit, 18_00) == .constraintError)
        #expect(stage.write(Thermostat.minCoolSetpointLimit, 22_00) == .success)
        #expect(stage.write(Thermostat.maxHeatSetpointLimit, 19_00) == .success)
        #expect(stage.value(Thermostat.occupiedHeatingSetpoint) == 19_00)
        #expect(stage.write(Thermostat.occupiedHeatingSetpoint, 19_50) == .constraintError)
    }

    @Test("Whatever is written, the setpoints stay within limits and apart")
    func invariant() {
        var stage = Stage(.thermostat)
        var noise = Noise(seed: 7)
        let attributes = [
            Thermostat.occupiedHeatingSetpoint, Thermostat.occupiedCoolingSetpoint,
            Thermostat.minHeatSetpointLimit, Thermostat.maxHeatSetpointLimit,
            Thermostat.minCoolSetpointLimit, Thermostat.maxCoolSetpointLimit,
        ]
        for _ in 0..<2000 {
            let attribute = attributes[Int(noise.unit() * 6)]
            stage.write(attribute, Int16(5_00 + noise.unit() * 30_00))
            if noise.unit() < 0.3 {
                stage.invoke(
                    Thermostat.SetpointRaiseLower {
                        $0.mode = OpenEnum(rawValue: UInt8(noise.unit() * 3))
                        $0.amount = Int8(noise.signed() * 100)
                    })
            }
            let values = attributes.map { stage.value($0) ?? 0 }
            #expect(values[0] + 2_50 <= values[1])
            #expect(values[2] <= values[0] && values[0] <= values[3])
            #expect(values[4] <= values[1] && values[1] <= values[5])
        }
    }

    @Test("§4.3.10.1 raising both moves both by what the limits leave")
    func raise() {
        var stage = Stage(.thermostat)
        stage.invoke(
            Thermostat.SetpointRaiseLower { ($0.mode, $0.amount) = (OpenEnum(.both), 15) })
        #expect(stage.value(Thermostat.occupiedHeatingSetpoint) == 21_50)
        #expect(stage.value(Thermostat.occupiedCoolingSetpoint) == 27_50)
        stage.invoke(
            Thermostat.SetpointRaiseLower { ($0.mode, $0.amount) = (OpenEnum(.heat), 127) })
        #expect(stage.value(Thermostat.occupiedHeatingSetpoint) == 29_00)
    }

    @Test("Modes that it does not have are refused")
    func modes() {
        var stage = Stage(.thermostat)
        for mode: Thermostat.SystemMode in [.dry, .sleep, .fanOnly, .emergencyHeat] {
            #expect(stage.write(Thermostat.systemMode, OpenEnum(mode)) == .constraintError)
        }
        #expect(stage.write(Thermostat.systemMode, OpenEnum(rawValue: 77)) == .constraintError)
        #expect(stage.value(Thermostat.systemMode) == OpenEnum(.auto))
    }

    @Test("A broken sensor reads null and heats nothing")
    func brokenSensor() throws {
        var stage = Stage(.thermostat)
        try stage.set(.temperature, "null")
        #expect(stage.value(Thermostat.localTemperature) == .null)
        #expect(stage.value(Thermostat.thermostatRunningState) == 0)
        try stage.set(.temperature, "15")
        #expect(stage.value(Thermostat.localTemperature) == .value(15_00))
        #expect(stage.value(Thermostat.thermostatRunningState) == 0x1)
    }
}

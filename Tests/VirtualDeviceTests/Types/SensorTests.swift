import Base
import Matter
import Testing

@testable import VirtualDevice

@Suite("Sensors")
struct SensorTests {
    @Test("A day's temperatures move, stay plausible and are the same for the same seed")
    func temperature() {
        func day(_ seed: UInt64) -> [Int16] {
            var stage = Stage(.temperature, seed: seed)
            return (0..<48).map { _ in
                stage.run(.seconds(1800))
                return stage.value(TemperatureMeasurement.measuredValue)?.value ?? 0
            }
        }
        let values = day(1)
        #expect(values.allSatisfy { (18_00...24_00).contains($0) })
        #expect(Set(values).count > 20)
        // Warmer at three in the afternoon than at three in the night; the run begins at eight.
        #expect(values[13] > values[37])
        #expect(values == day(1))
        #expect(values != day(2))
    }

    @Test("What the console sets stays; null is a broken sensor; auto lets it move again")
    func held() throws {
        var stage = Stage(.temperature)
        try stage.set(.temperature, "-21.55")
        stage.run(.seconds(3600))
        #expect(stage.value(TemperatureMeasurement.measuredValue) == .value(-21_55))
        #expect(stage.models.nextDeadline == nil)
        try stage.set(.temperature, "null")
        #expect(stage.value(TemperatureMeasurement.measuredValue) == .null)
        try stage.set(.temperature, "auto")
        stage.run(.seconds(3600))
        #expect(stage.value(TemperatureMeasurement.measuredValue) != .value(-21_55))
    }

    @Test("Humidity stays within its range")
    func humidity() {
        var stage = Stage(.humidity)
        for _ in 0..<24 {
            stage.run(.seconds(3600))
            let value = stage.value(RelativeHumidityMeasurement.measuredValue)?.value ?? 0
            #expect((35_00...65_00).contains(value))
        }
    }

    @Test("Application Clusters §1.7.5.1 an opened contact is an event, once")
    func contact() throws {
        var stage = Stage(.contact)
        try stage.set(.contact, "open")
        try stage.set(.contact, "open")
        #expect(stage.value(BooleanState.stateValue) == false)
        #expect(stage.events() == [.stateChange(BooleanStateChange { $0.stateValue = false })])
    }

    @Test("People come and go by themselves, until the console decides")
    func occupancy() throws {
        var stage = Stage(.occupancy)
        stage.run(.seconds(6 * 3600))
        let changes = stage.events().count
        #expect((12...72).contains(changes))
        try stage.set(.occupied, "on")
        stage.run(.seconds(6 * 3600))
        #expect(stage.value(OccupancySensing.occupancy) == 1)
        #expect(stage.events().count <= 1)
        try stage.set(.occupied, "auto")
        stage.run(.seconds(1800))
        #expect(stage.value(OccupancySensing.occupancy) == 0)
    }

    @Test("A machine that slept for a month makes up a day at most, at once")
    func sleep() {
        var stage = Stage(.temperature, .thermostat, .occupancy)
        let later = stage.now + .seconds(30 * 86400)
        stage.models.advance(to: later)
        let deadline = stage.models.nextDeadline ?? .distantFuture
        #expect(deadline > later)
    }

    @Test("The weather is mildest at three in the afternoon")
    func weather() {
        let day = DayClock(secondOfDay: 0, at: Instant(nanoseconds: 0))
        func warmth(_ hour: Int) -> Double {
            day.warmth(at: Instant(nanoseconds: 0) + .seconds(hour * 3600))
        }
        #expect(warmth(3) == -1 && warmth(15) == 1 && warmth(9) == 0 && warmth(21) == 0)
        #expect(warmth(12) == 0.75 && warmth(24 + 15) == 1)
    }
}

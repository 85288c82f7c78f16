import Base
import Matter
import Testing

@testable import VirtualDevice

@Suite("Light")
struct LightTests {
    @Test("It goes on and off, and tells only of changes")
    func onAndOff() {
        var stage = Stage(.light)
        for command in 0..<2 {
            #expect(stage.invoke(OnOff.On()) == .success, "\(command)")
        }
        #expect(stage.value(OnOff.onOff) == true)
        stage.invoke(OnOff.Toggle())
        #expect(stage.value(OnOff.onOff) == false)
        #expect(stage.notes() == ["light on", "light off"])
    }

    @Test("Application Clusters §1.5.7.6 a timed on ends to the tenth of a second")
    func timedOff() {
        var stage = Stage(.light)
        stage.invoke(OnOff.OnWithTimedOff { $0.onTime = 35 })
        stage.run(.milliseconds(2000))
        #expect(stage.value(OnOff.onTime) == 15)
        stage.run(.milliseconds(1499))
        #expect(stage.value(OnOff.onOff) == true)
        stage.run(.milliseconds(1))
        #expect(stage.value(OnOff.onOff) == false)
        #expect(stage.value(OnOff.onTime) == 0)
        #expect(stage.models.nextDeadline == nil)
    }

    @Test("Application Clusters §1.5.7.6.4 after an Off the wait time keeps it from a timed on")
    func offWait() {
        var stage = Stage(.light)
        stage.invoke(OnOff.OnWithTimedOff { ($0.onTime, $0.offWaitTime) = (100, 50) })
        stage.invoke(OnOff.Off())
        stage.run(.seconds(2))
        #expect(stage.value(OnOff.offWaitTime) == 30)
        stage.invoke(OnOff.OnWithTimedOff { ($0.onTime, $0.offWaitTime) = (100, 50) })
        #expect(stage.value(OnOff.onOff) == false)
        stage.run(.seconds(4))
        stage.invoke(OnOff.OnWithTimedOff { $0.onTime = 100 })
        #expect(stage.value(OnOff.onOff) == true)
    }

    @Test("Application Clusters §1.5.7.6.1 'only when on' leaves an off light off")
    func onlyWhenOn() {
        var stage = Stage(.light)
        let command = OnOff.OnWithTimedOff {
            $0.onOffControl = .acceptOnlyWhenOn
            $0.onTime = 100
        }
        #expect(stage.invoke(command) == .success)
        #expect(stage.value(OnOff.onOff) == false)
    }

    @Test("A move of the level goes evenly over its time")
    func move() {
        var stage = Stage(.dimmableLight)
        stage.invoke(OnOff.On())
        stage.invoke(
            LevelControl.MoveToLevel {
                $0.level = 54
                $0.transitionTime = .value(100)
            })
        stage.run(.seconds(5))
        #expect(stage.value(LevelControl.currentLevel) == .value(154))
        #expect(stage.value(LevelControl.remainingTime) == 50)
        stage.run(.seconds(5))
        #expect(stage.value(LevelControl.currentLevel) == .value(54))
        #expect(stage.value(LevelControl.remainingTime) == 0)
        #expect(stage.models.nextDeadline == nil)
        // One step a second, as often as a change may be reported.
        #expect(stage.steps == 10)
        #expect(stage.notes() == ["light on", "light level 21%"])
    }

    @Test("Application Clusters §1.6.6.9 an off light ignores a move unless the options say so")
    func options() {
        var stage = Stage(.dimmableLight)
        let move = LevelControl.MoveToLevel { $0.level = 100 }
        #expect(stage.invoke(move) == .success)
        #expect(stage.value(LevelControl.currentLevel) == .value(254))
        stage.invoke(
            LevelControl.MoveToLevel {
                ($0.level, $0.optionsMask, $0.optionsOverride) = (100, 1, 1)
            })
        #expect(stage.value(LevelControl.currentLevel) == .value(100))
        #expect(stage.value(OnOff.onOff) == false)
    }

    @Test("Application Clusters §1.6.4 with on/off a move switches, and the lowest level is off")
    func withOnOff() {
        var stage = Stage(.dimmableLight)
        stage.invoke(LevelControl.MoveToLevelWithOnOff { $0.level = 127 })
        #expect(stage.value(OnOff.onOff) == true)
        stage.invoke(
            LevelControl.MoveToLevelWithOnOff {
                $0.level = 0
                $0.transitionTime = .value(20)
            })
        stage.run(.seconds(1))
        #expect(stage.value(OnOff.onOff) == true)
        stage.run(.seconds(1))
        #expect(stage.value(OnOff.onOff) == false)
        #expect(stage.value(LevelControl.currentLevel) == .value(1))
        #expect(
            stage.notes() == ["light on", "light level 50%", "light level 0%", "light off"])
    }

    @Test("Application Clusters §1.6.7 a step is cut at the end, a rate of 0 is no command")
    func stepAndRate() {
        var stage = Stage(.dimmableLight)
        stage.invoke(OnOff.On())
        stage.invoke(
            LevelControl.Step {
                $0.stepMode = OpenEnum(.down)
                $0.stepSize = 100
            })
        #expect(stage.value(LevelControl.currentLevel) == .value(154))
        stage.invoke(LevelControl.Step { $0.stepSize = 200 })
        #expect(stage.value(LevelControl.currentLevel) == .value(254))
        #expect(
            stage.invoke(LevelControl.Move { $0.rate = .value(0) })
                == .status(.invalidCommand))
        stage.invoke(
            LevelControl.Move {
                $0.moveMode = OpenEnum(.down)
                $0.rate = .value(50)
            })
        stage.run(.seconds(2))
        stage.invoke(LevelControl.Stop())
        #expect(stage.value(LevelControl.currentLevel) == .value(154))
        stage.run(.seconds(2))
        #expect(stage.value(LevelControl.currentLevel) == .value(154))
    }

    @Test("OnLevel decides what On brings; values out of range are refused")
    func onLevel() {
        var stage = Stage(.dimmableLight)
        #expect(stage.write(LevelControl.onLevel, .value(0)) == .constraintError)
        #expect(stage.write(LevelControl.onLevel, .value(128)) == .success)
        stage.invoke(OnOff.On())
        #expect(stage.value(LevelControl.currentLevel) == .value(128))
    }

    @Test("The color temperature moves within what the lamp can do")
    func color() {
        var stage = Stage(.colorLight)
        stage.invoke(OnOff.On())
        stage.invoke(
            ColorControl.MoveToColorTemperature {
                $0.colorTemperatureMireds = 370
                $0.transitionTime = 20
            })
        stage.run(.seconds(1))
        #expect(stage.value(ColorControl.colorTemperatureMireds) == 310)
        stage.run(.seconds(1))
        #expect(stage.value(ColorControl.colorTemperatureMireds) == 370)
        stage.invoke(ColorControl.MoveToColorTemperature { $0.colorTemperatureMireds = 20 })
        #expect(stage.value(ColorControl.colorTemperatureMireds) == 153)
        #expect(stage.notes() == ["light on", "light color 2702 K", "light color 6535 K"])
        #expect(
            stage.invoke(ColorControl.MoveColorTemperature { $0.moveMode = OpenEnum(.up) })
                == .status(.invalidCommand))
    }

    @Test("Application Clusters §1.5.6.6 power that comes back does what StartUpOnOff says")
    func startUp() {
        var stage = Stage(.light)
        stage.models.restart(at: stage.now)
        stage.models.publish(to: &stage.table)
        #expect(stage.value(OnOff.onOff) == false)
        #expect(stage.write(OnOff.startUpOnOff, .value(OpenEnum(.on))) == .success)
        #expect(
            stage.write(OnOff.startUpOnOff, .value(OpenEnum(rawValue: 9))) == .constraintError)
        stage.models.restart(at: stage.now)
        stage.models.publish(to: &stage.table)
        #expect(stage.value(OnOff.onOff) == true)
    }

    @Test("Its button and the console change it without a command")
    func button() throws {
        var stage = Stage(.temperature, .dimmableLight)
        try stage.models.press(on: nil, at: stage.now)
        try stage.set(.level, "50%")
        #expect(stage.value(OnOff.onOff, on: 2) == true)
        #expect(stage.value(LevelControl.currentLevel, on: 2) == .value(127))
        #expect(stage.notes() == [])
    }
}

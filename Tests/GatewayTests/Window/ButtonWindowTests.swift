import Base
import Gateway
import Testing

/// A button that is pressed at virtual time, in milliseconds from the start.
private struct Button {
    var window: ButtonWindow
    var events: [ButtonWindow.Event] = []

    init(_ settings: ButtonWindow.Settings = ButtonWindow.Settings(), isPressed: Bool = false) {
        window = ButtonWindow(settings, isPressed: isPressed)
        drain()
    }

    mutating func drain() {
        while let event = window.nextEvent() { if event != .pressed { events.append(event) } }
    }

    mutating func press(from start: Int, to end: Int) {
        window.receive(isPressed: true, at: at(start))
        window.receive(isPressed: false, at: at(end))
        go(to: end + 30)
    }

    mutating func go(to milliseconds: Int) {
        window.advance(to: at(milliseconds))
        drain()
    }

    mutating func takeEvents() -> [ButtonWindow.Event] {
        defer { events = [] }
        return events
    }
}

private func at(_ milliseconds: Int) -> Instant {
    Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
}

@Suite("ButtonWindow")
struct ButtonWindowTests {
    @Test("a short press opens the window for 180 s, another closes it")
    func shortPress() {
        var button = Button()
        button.press(from: 1000, to: 1200)
        #expect(button.takeEvents() == [.opened(until: at(181_200))])
        button.go(to: 181_199)
        #expect(button.window.isOpen)
        button.press(from: 100_000 + 81_200, to: 181_300)
        // The press began at the moment at which the window closed by itself.
        #expect(button.takeEvents() == [.closed(.time)])
        button.press(from: 190_000, to: 190_100)
        button.press(from: 191_000, to: 191_100)
        #expect(button.takeEvents() == [.opened(until: at(370_100)), .closed(.button)])
        #expect(button.window.nextDeadline == nil)
    }

    @Test("the window closes by itself to the millisecond")
    func time() {
        var button = Button()
        button.window.open(at: at(0))
        button.go(to: 179_999)
        #expect(button.takeEvents() == [.opened(until: at(180_000))])
        button.go(to: 180_000)
        #expect(button.takeEvents() == [.closed(.time)])
    }

    @Test("a press that the closing overtakes does not open the window anew")
    func overtaken() {
        var button = Button()
        button.window.open(at: at(0))
        button.press(from: 179_990, to: 180_200)
        #expect(button.takeEvents() == [.opened(until: at(180_000)), .closed(.time)])
        button.press(from: 180_300, to: 180_400)
        #expect(button.window.isOpen)
    }

    @Test("below 2 s a press is short, at 2 s it is not", arguments: [(1999, true), (2000, false)])
    func short(length: Int, isShort: Bool) {
        var button = Button()
        button.press(from: 0, to: length)
        #expect(button.window.isOpen == isShort)
        #expect(button.takeEvents().count == (isShort ? 1 : 0))
    }

    @Test("bounces count once; what does not last 30 ms is no press")
    func bounces() {
        var button = Button()
        for (time, isPressed) in [
            (0, true), (3, false), (5, true), (200, false), (204, true), (209, false),
        ] { button.window.receive(isPressed: isPressed, at: at(time)) }
        button.go(to: 238)
        #expect(button.takeEvents() == [])
        button.go(to: 239)
        #expect(button.takeEvents() == [.opened(until: at(180_209))])
        button.window.receive(isPressed: true, at: at(1000))
        button.window.receive(isPressed: false, at: at(1029))
        button.go(to: 5000)
        #expect(button.takeEvents() == [] && button.window.isOpen)
        // A repeated edge is none.
        button.window.receive(isPressed: false, at: at(6000))
        button.go(to: 7000)
        #expect(button.takeEvents() == [])
    }

    @Test("each accepted payload extends the window, never past 900 s in all")
    func extension_() {
        var button = Button()
        button.window.open(at: at(0))
        for time in stride(from: 100_000, through: 800_000, by: 100_000) {
            button.window.extend(at: at(time))
            #expect(button.window.openUntil == at(min(900_000, time + 180_000)))
        }
        button.go(to: 899_999)
        #expect(button.window.isOpen)
        button.go(to: 900_000)
        button.window.extend(at: at(900_000))
        #expect(!button.window.isOpen)
        // A longer window is not made shorter.
        button.window.open(seconds: 900, at: at(1_000_000))
        button.window.extend(at: at(1_000_001))
        #expect(button.window.openUntil == at(1_900_000))
    }

    @Test("held for 10 s it arms the reset, not 1 ms earlier")
    func hold() {
        var button = Button()
        button.press(from: 0, to: 9999)
        #expect(button.takeEvents() == [])
        button.press(from: 20_000, to: 30_000)
        #expect(button.takeEvents() == [.resetArmed])
        #expect(button.window.isResetArmed)
    }

    @Test(
        "a short press confirms that ends within 10 s of the release",
        arguments: [(20_100, 21_999, true), (28_001, 29_999, true), (28_001, 30_000, false)])
    func confirm(from: Int, to: Int, confirms: Bool) {
        var button = Button()
        button.window.open(at: at(0))
        button.press(from: 5000, to: 20_000)
        _ = button.takeEvents()
        button.press(from: from, to: to)
        button.go(to: 40_000)
        #expect(
            button.takeEvents()
                == (confirms ? [.closed(.command), .resetConfirmed] : [.resetCancelled]))
        #expect(!button.window.isResetArmed)
    }

    @Test("while it is still held nothing confirms; a second long press cancels at 2 s")
    func longConfirmation() {
        var button = Button()
        button.press(from: 0, to: 12_000)
        button.window.receive(isPressed: true, at: at(13_000))
        button.go(to: 14_999)
        #expect(button.takeEvents() == [.resetArmed])
        button.go(to: 15_000)
        #expect(button.takeEvents() == [.resetCancelled])
        // Its release means nothing, however it goes on.
        button.window.receive(isPressed: false, at: at(15_500))
        button.go(to: 40_000)
        #expect(button.takeEvents() == [] && !button.window.isOpen)
    }

    @Test("anything else that is done at the board cancels the reset")
    func cancelled() {
        var button = Button()
        button.press(from: 0, to: 11_000)
        button.window.receiveOther(at: at(12_000))
        button.press(from: 13_000, to: 13_100)
        #expect(
            button.takeEvents() == [.resetArmed, .resetCancelled, .opened(until: at(193_100))])
        button.window.close(at: at(14_000))
        button.drain()
        #expect(button.takeEvents() == [.closed(.command)])
        button.press(from: 20_000, to: 31_000)
        button.window.open(at: at(32_000))
        button.go(to: 32_000)
        #expect(button.takeEvents() == [.resetArmed, .resetCancelled, .opened(until: at(212_000))])
    }

    @Test("button-factory-reset = no: however long it is held, nothing is armed")
    func notAllowed() {
        var settings = ButtonWindow.Settings()
        settings.allowsFactoryReset = false
        var button = Button(settings)
        button.press(from: 0, to: 20_000)
        #expect(button.takeEvents() == [])
        button.press(from: 40_000, to: 71_000)
        #expect(button.takeEvents() == [.fault(.stuck), .faultEnded])
    }

    @Test("held at power-up it is a fault that arms nothing")
    func heldAtStart() {
        var button = Button(isPressed: true)
        button.go(to: 3_600_000)
        #expect(button.takeEvents() == [.fault(.heldAtStart)])
        #expect(button.window.isFaulty)
        button.window.receive(isPressed: false, at: at(3_600_000))
        button.go(to: 3_600_030)
        #expect(button.takeEvents() == [.faultEnded])
        button.press(from: 3_700_000, to: 3_700_100)
        #expect(button.window.isOpen)
    }

    @Test("a button that stays down for 30 s is stuck, and what it armed is cancelled")
    func stuck() {
        var button = Button()
        button.window.receive(isPressed: true, at: at(0))
        button.go(to: 29_999)
        #expect(button.takeEvents() == [.resetArmed])
        button.go(to: 30_000)
        #expect(button.takeEvents() == [.resetCancelled, .fault(.stuck)])
        button.window.receive(isPressed: false, at: at(31_000))
        button.press(from: 32_000, to: 32_100)
        #expect(button.takeEvents() == [.faultEnded, .opened(until: at(212_100))])
    }

    @Test("however late it is told of the time, it does the same")
    func late() {
        var button = Button()
        button.window.receive(isPressed: true, at: at(0))
        button.window.receive(isPressed: false, at: at(12_000))
        button.go(to: 3_600_000)
        #expect(button.takeEvents() == [.resetArmed, .resetCancelled])
    }
}

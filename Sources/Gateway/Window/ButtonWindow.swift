package import Base

/// The button and the commissioning window that it opens.
///
/// A short press opens the window or closes it. Held for 10 s the button arms the factory reset;
/// after its release one more short press confirms that, and anything else cancels it.
///
/// Scope: edges and instants in, intents out. Not scope: lines, lamps, what a reset does.
package struct ButtonWindow: Sendable {
    package struct Settings: Equatable, Sendable {
        /// How long a window stays open after the last accepted payload.
        package var openSeconds = WindowLimits.openSecondsDefault
        /// Whether holding the button arms anything.
        package var allowsFactoryReset = true

        package init() {}
    }

    package enum Event: Equatable, Sendable {
        /// Somebody pressed, whatever comes of it.
        case pressed
        case opened(until: Instant)
        case closed(Closing)
        case resetArmed
        case resetCancelled
        /// The installation is to be forgotten.
        case resetConfirmed
        case fault(Fault)
        case faultEnded
    }

    package enum Closing: Equatable, Sendable { case button, time, command }

    package enum Fault: Equatable, Sendable {
        /// It was down when it was first looked at.
        case heldAtStart
        /// It has been down for longer than anybody presses.
        case stuck
    }

    private enum Press {
        case up
        /// - Parameter closes: the window was open when the press began.
        case down(since: Instant, closes: Bool)
        /// Down since 10 s and more; its release begins the time for confirming.
        case arming(since: Instant)
        /// Down, and its release means nothing.
        case spent(since: Instant)
        case fault
    }

    private struct Window {
        let openedAt: Instant
        let length: Duration
        var until: Instant
    }

    private enum Due { case settled, held, noShortPress, stuck, noConfirmation, windowOver }

    private var settings: Settings
    private var press: Press
    /// The level differs from the one that counts, since then.
    private var changedAt: Instant?
    private var confirmUntil: Instant?
    private var window: Window?
    /// When a window closed by itself last: a press of the same moment was meant to close it.
    private var expiredAt: Instant?
    private var events: [Event] = []

    /// - Parameter isPressed: the level at power-up.
    package init(_ settings: Settings = Settings(), isPressed: Bool = false) {
        precondition(
            WindowLimits.openSeconds.contains(settings.openSeconds),
            "settings are checked where they are read")
        self.settings = settings
        press = .up
        begin(isPressed: isPressed)
    }

    /// The button is there from now on.
    /// - Parameter isPressed: the level now.
    package mutating func begin(isPressed: Bool) {
        press = isPressed ? .fault : .up
        changedAt = nil
        if isPressed { events.append(.fault(.heldAtStart)) }
    }

    /// Holds from the next opening on.
    package mutating func use(_ settings: Settings) {
        precondition(
            WindowLimits.openSeconds.contains(settings.openSeconds),
            "settings are checked where they are read")
        self.settings = settings
    }

    // MARK: Inputs

    /// The button's level changed, perhaps by a bounce only.
    package mutating func receive(isPressed: Bool, at now: Instant) {
        advance(to: now)
        guard isPressed != isDown else {
            changedAt = nil
            // What waited for the contact to settle is due again.
            advance(to: now)
            return
        }
        changedAt = changedAt ?? now
    }

    /// Opens the window, or lets an open one last as if it was opened now.
    /// - Parameter seconds: how long for; nil is the setting.
    package mutating func open(seconds: Int? = nil, at now: Instant) {
        advance(to: now)
        cancelReset()
        let length = Duration.seconds(seconds ?? settings.openSeconds)
        let until = now + min(length, WindowLimits.openInAll)
        window = Window(openedAt: now, length: length, until: until)
        events.append(.opened(until: until))
    }

    package mutating func close(at now: Instant) {
        advance(to: now)
        cancelReset()
        closeWindow(.command)
    }

    /// A payload was accepted: there is time for another one.
    package mutating func extend(at now: Instant) {
        advance(to: now)
        guard let window else { return }
        let latest = window.openedAt + WindowLimits.openInAll
        self.window?.until = min(latest, max(window.until, now + window.length))
    }

    /// Something else was done at the board: nobody is about to confirm a reset.
    package mutating func receiveOther(at now: Instant) {
        advance(to: now)
        cancelReset()
    }

    package mutating func advance(to now: Instant) {
        while let (deadline, due) = next, deadline <= now { fire(due, at: deadline) }
    }

    package mutating func nextEvent() -> Event? {
        events.isEmpty ? nil : events.removeFirst()
    }

    package var nextDeadline: Instant? { next?.0 }

    // MARK: State

    package var isOpen: Bool { window != nil }
    /// Nil when the window is closed.
    package var openUntil: Instant? { window?.until }
    package var isFaulty: Bool { if case .fault = press { true } else { false } }
    /// From the tenth second of holding until it is confirmed or cancelled.
    package var isResetArmed: Bool {
        if case .arming = press { return true }
        return confirmUntil != nil
    }

    private var isDown: Bool { if case .up = press { false } else { true } }

    // MARK: Time

    private var next: (Instant, Due)? {
        var next: (Instant, Due)?
        func consider(_ candidate: (Instant, Due)?) {
            guard let candidate else { return }
            if next.map({ candidate.0 < $0.0 }) ?? true { next = candidate }
        }
        // While the contact moves, how long it has been down is not known.
        if let changedAt {
            consider((changedAt + WindowLimits.debounce, .settled))
        } else {
            consider(pressDue)
        }
        consider(window.map { ($0.until, .windowOver) })
        return next
    }

    private var pressDue: (Instant, Due)? {
        switch press {
        case .up: return confirmUntil.map { ($0, .noConfirmation) }
        case .down(let since, _):
            if let confirmUntil {
                let long = since + WindowLimits.shortPress
                return long < confirmUntil ? (long, .noShortPress) : (confirmUntil, .noConfirmation)
            }
            guard settings.allowsFactoryReset else { return (since + WindowLimits.stuck, .stuck) }
            return (since + WindowLimits.holdToArm, .held)
        case .arming(let since), .spent(let since):
            return (since + WindowLimits.stuck, .stuck)
        case .fault: return nil
        }
    }

    private mutating func fire(_ due: Due, at now: Instant) {
        switch due {
        case .settled: settle()
        case .held:
            guard case .down(let since, _) = press else { return }
            press = .arming(since: since)
            events.append(.resetArmed)
        case .noShortPress, .noConfirmation: cancelReset()
        case .stuck:
            if isResetArmed { events.append(.resetCancelled) }
            press = .fault
            events.append(.fault(.stuck))
        case .windowOver:
            expiredAt = now
            closeWindow(.time)
        }
    }

    // MARK: Presses

    /// The level has stayed: it counts from the edge on.
    private mutating func settle() {
        guard let at = changedAt else { return }
        changedAt = nil
        while let (deadline, due) = pressDue, deadline <= at { fire(due, at: deadline) }
        if isDown { released(at: at) } else { pressed(at: at) }
    }

    private mutating func pressed(at now: Instant) {
        events.append(.pressed)
        press = .down(since: now, closes: isOpen || expiredAt.map { $0 >= now } ?? false)
    }

    private mutating func released(at now: Instant) {
        let ended = press
        press = .up
        switch ended {
        case .down(let since, let closes):
            guard now - since < WindowLimits.shortPress else { return }
            shortPress(closes: closes, at: now)
        case .arming: confirmUntil = now + WindowLimits.confirmation
        case .fault: events.append(.faultEnded)
        case .spent, .up: break
        }
    }

    private mutating func shortPress(closes: Bool, at now: Instant) {
        if confirmUntil != nil {
            confirmUntil = nil
            closeWindow(.command)
            events.append(.resetConfirmed)
        } else if closes {
            closeWindow(.button)
        } else if !isOpen {
            let until = now + .seconds(settings.openSeconds)
            window = Window(
                openedAt: now, length: .seconds(settings.openSeconds), until: until)
            events.append(.opened(until: until))
        }
    }

    private mutating func cancelReset() {
        guard isResetArmed else { return }
        confirmUntil = nil
        switch press {
        case .arming(let since), .down(let since, _): press = .spent(since: since)
        case .up, .spent, .fault: break
        }
        events.append(.resetCancelled)
    }

    private mutating func closeWindow(_ closing: Closing) {
        guard window != nil else { return }
        window = nil
        events.append(.closed(closing))
    }
}

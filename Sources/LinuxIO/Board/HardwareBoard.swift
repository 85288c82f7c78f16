package import Base
package import MatterNode

/// What became of a part of the board.
package enum BoardPartChange: Equatable, Sendable {
    /// It cannot be used. A button or a lamp is tried again.
    case unusable(BoardPartError)
    /// It can be used now.
    case back
}

/// The board as it is wired. What cannot be used is named, and the rest is used. Button and lamp
/// are tried again: another program may have them for a while, and a chip may come late.
package final class HardwareBoard: Board, @unchecked Sendable {
    package var onButton: ((_ isPressed: Bool, _ at: Instant) -> Void)?
    package let isButtonPressed: Bool

    private let settings: BoardSettings
    private let poll: PollLoop
    private let leds: String
    private let changed: (BoardPart, BoardPartChange) -> Void
    private var button: GPIOLine?
    private var workLamp: LampOutput?
    private var faultLamp: LampOutput?
    private var buzzer: GPIOLine?
    /// What the work lamp is to show, also while it is away.
    private var isWorkOn = false
    /// What was told of those that are away.
    private var problems: [BoardPart: BoardPartError] = [:]
    private var retry: TimerID?

    /// Who holds a line lets go of it in minutes, not seconds.
    private static let retryInterval = Duration.seconds(30)

    /// - Parameters:
    ///   - leds: the kernel's folder of LEDs.
    ///   - changed: called at once for each part that cannot be used, and later on the loop.
    package init(
        _ settings: BoardSettings, on poll: PollLoop, leds: String = KernelLED.folder,
        changed: @escaping (BoardPart, BoardPartChange) -> Void
    ) {
        self.settings = settings
        self.poll = poll
        self.leds = leds
        self.changed = changed
        var problems: [BoardPart: BoardPartError] = [:]
        func make<Part>(
            _ part: BoardPart, _ body: () throws(BoardPartError) -> Part?
        ) -> Part? {
            do throws(BoardPartError) { return try body() } catch {
                problems[part] = error
                changed(part, .unusable(error))
                return nil
            }
        }
        button = make(.button) { () throws(BoardPartError) in
            try Self.line(settings.button, as: .input)
        }
        workLamp = make(.workLamp) { () throws(BoardPartError) in
            try LampOutput(settings.workLamp, leds)
        }
        faultLamp = make(.faultLamp) { () throws(BoardPartError) in
            try LampOutput(settings.faultLamp, leds)
        }
        buzzer = make(.buzzer) { () throws(BoardPartError) in
            try Self.line(settings.buzzer, as: .output)
        }
        isButtonPressed = button?.isActive ?? false
        self.problems = problems
        watchButton()
        tryAgainLater()
    }

    deinit { if let retry { poll.loop.cancel(retry) } }

    package var hasFaultLamp: Bool { faultLamp != nil }
    package var hasBuzzer: Bool { buzzer != nil }

    package func show(_ lamp: Lamp, isOn: Bool) {
        switch lamp {
        case .work:
            isWorkOn = isOn
            workLamp?.set(isOn)
        case .fault: faultLamp?.set(isOn)
        case .buzzer: buzzer?.set(isOn)
        }
    }

    // MARK: Parts that are away

    private static func line(
        _ settings: GPIOLineSettings?, as use: GPIOLine.Use
    ) throws(BoardPartError) -> GPIOLine? {
        guard let settings else { return nil }
        return try GPIOLine(settings, as: use)
    }

    private func watchButton() {
        button?.watch(on: poll) { [unowned self] isPressed, instant in
            onButton?(isPressed, instant)
        }
    }

    /// The agent knows from its start whether there is a second lamp or a buzzer; these two it
    /// takes for granted.
    private func tryAgainLater() {
        guard problems[.button] != nil || problems[.workLamp] != nil else { return }
        retry = poll.loop.schedule(at: poll.loop.now + Self.retryInterval) { [weak self] in
            self?.tryAgain()
        }
    }

    private func tryAgain() {
        retry = nil
        attemptAgain(.button) { () throws(BoardPartError) in
            button = try Self.line(settings.button, as: .input)
            watchButton()
        }
        attemptAgain(.workLamp) { () throws(BoardPartError) in
            workLamp = try LampOutput(settings.workLamp, leds)
            workLamp?.set(isWorkOn)
        }
        tryAgainLater()
    }

    /// Another cause than before is told.
    private func attemptAgain(_ part: BoardPart, _ body: () throws(BoardPartError) -> Void) {
        guard let known = problems[part] else { return }
        do throws(BoardPartError) {
            try body()
            problems[part] = nil
            changed(part, .back)
        } catch {
            problems[part] = error
            if error != known { changed(part, .unusable(error)) }
        }
    }
}

private enum LampOutput {
    case line(GPIOLine)
    case led(KernelLED)

    init?(_ settings: LampSettings?, _ leds: String) throws(BoardPartError) {
        switch settings {
        case nil: return nil
        case .line(let line): self = .line(try GPIOLine(line, as: .output))
        case .led(let name): self = .led(try KernelLED(name, in: leds))
        }
    }

    func set(_ isOn: Bool) {
        switch self {
        case .line(let line): line.set(isOn)
        case .led(let led): led.set(isOn)
        }
    }
}

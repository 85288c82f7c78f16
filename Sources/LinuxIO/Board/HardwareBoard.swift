package import Base
package import MatterNode

/// The board as it is wired. What cannot be used is named once, and the rest is used.
package final class HardwareBoard: Board, @unchecked Sendable {
    package var onButton: ((_ isPressed: Bool, _ at: Instant) -> Void)?
    package let isButtonPressed: Bool

    private let button: GPIOLine?
    private let workLamp: LampOutput?
    private let faultLamp: LampOutput?
    private let buzzer: GPIOLine?

    /// - Parameter problem: called at once for each part that cannot be used.
    package init(
        _ settings: BoardSettings, on poll: PollLoop,
        problem: (BoardPart, BoardPartError) -> Void
    ) {
        func make<Part>(
            _ part: BoardPart, _ body: () throws(BoardPartError) -> Part?
        ) -> Part? {
            do throws(BoardPartError) { return try body() } catch {
                problem(part, error)
                return nil
            }
        }
        button = make(.button) { () throws(BoardPartError) in
            guard let line = settings.button else { return nil }
            return try GPIOLine(line, as: .input)
        }
        workLamp = make(.workLamp) { () throws(BoardPartError) in
            try LampOutput(settings.workLamp)
        }
        faultLamp = make(.faultLamp) { () throws(BoardPartError) in
            try LampOutput(settings.faultLamp)
        }
        buzzer = make(.buzzer) { () throws(BoardPartError) in
            guard let line = settings.buzzer else { return nil }
            return try GPIOLine(line, as: .output)
        }
        isButtonPressed = button?.isActive ?? false
        button?.watch(on: poll) { [unowned self] isPressed, instant in
            onButton?(isPressed, instant)
        }
    }

    package var hasFaultLamp: Bool { faultLamp != nil }
    package var hasBuzzer: Bool { buzzer != nil }

    package func show(_ lamp: Lamp, isOn: Bool) {
        switch lamp {
        case .work: workLamp?.set(isOn)
        case .fault: faultLamp?.set(isOn)
        case .buzzer: buzzer?.set(isOn)
        }
    }
}

private enum LampOutput {
    case line(GPIOLine)
    case led(KernelLED)

    init?(_ settings: LampSettings?) throws(BoardPartError) {
        switch settings {
        case nil: return nil
        case .line(let line): self = .line(try GPIOLine(line, as: .output))
        case .led(let name): self = .led(try KernelLED(name))
        }
    }

    func set(_ isOn: Bool) {
        switch self {
        case .line(let line): line.set(isOn)
        case .led(let led): led.set(isOn)
        }
    }
}

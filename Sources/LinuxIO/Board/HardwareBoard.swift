package import Base
package import MatterNode

/// The board as it is wired. What cannot be used, or goes while it is used, is named once, tried
/// again from time to time, and the rest is used meanwhile.
package final class HardwareBoard: Board, @unchecked Sendable {
    package var onButton: ((_ isPressed: Bool, _ at: Instant) -> Void)?
    package var onPart: ((BoardPart) -> Void)?

    private let settings: BoardSettings
    private let poll: PollLoop
    private let retry: Duration
    private let ledFolder: String
    private let changed: (BoardPart, BoardPartError?) -> Void
    private var button: GPIOLine?
    private var workLamp: LampOutput?
    private var faultLamp: LampOutput?
    private var buzzer: GPIOLine?
    /// Not in use yet, with what was told of each; nil before it is tried first.
    private var missing: [(part: BoardPart, error: BoardPartError?)]
    private var timer: TimerID?

    /// - Parameter changed: called for each part that cannot be used, at once; later when the
    ///   reason is another, and with nil when the part works.
    package convenience init(
        _ settings: BoardSettings, on poll: PollLoop,
        changed: @escaping (BoardPart, BoardPartError?) -> Void
    ) {
        self.init(
            settings, on: poll, retry: Limits.partRetry, ledFolder: KernelLED.folder,
            changed: changed)
    }

    init(
        _ settings: BoardSettings, on poll: PollLoop, retry: Duration, ledFolder: String,
        changed: @escaping (BoardPart, BoardPartError?) -> Void
    ) {
        self.settings = settings
        self.poll = poll
        self.retry = retry
        self.ledFolder = ledFolder
        self.changed = changed
        missing = BoardPart.allCases.map { ($0, nil) }
        look()
    }

    deinit { if let timer { poll.loop.cancel(timer) } }

    package var isButtonPressed: Bool { button?.isActive ?? false }
    package var hasFaultLamp: Bool { faultLamp != nil }
    package var hasBuzzer: Bool { buzzer != nil }

    package func show(_ lamp: Lamp, isOn: Bool) {
        switch lamp {
        case .work: if workLamp?.set(isOn) == false { lose(.workLamp) }
        case .fault: if faultLamp?.set(isOn) == false { lose(.faultLamp) }
        case .buzzer: if buzzer?.set(isOn) == false { lose(.buzzer) }
        }
    }

    /// Its chip has gone, as that of an adapter on USB does, or of a driver that is loaded anew.
    private func lose(_ part: BoardPart) {
        let error: BoardPartError
        switch part {
        case .button:
            error = .noChip
            button = nil
        case .workLamp:
            error = workLamp?.absence ?? .noChip
            workLamp = nil
        case .faultLamp:
            error = faultLamp?.absence ?? .noChip
            faultLamp = nil
        case .buzzer:
            error = .noChip
            buzzer = nil
        }
        missing.append((part, error))
        changed(part, error)
        lookLater()
    }

    /// Tries what is missing, and sees to it that what stays so is tried again.
    private func look() {
        timer = nil
        var left: [(part: BoardPart, error: BoardPartError?)] = []
        var found: [BoardPart] = []
        for (part, before) in missing {
            do throws(BoardPartError) {
                try open(part)
                if before != nil { found.append(part) }
            } catch {
                if error != before { changed(part, error) }
                left.append((part, error))
            }
        }
        missing = left
        for part in found {
            changed(part, nil)
            onPart?(part)
        }
        if !left.isEmpty { lookLater() }
    }

    private func lookLater() {
        guard timer == nil else { return }
        timer = poll.loop.schedule(at: poll.loop.now + retry) { [weak self] in self?.look() }
    }

    /// Nothing where the settings name no such part.
    private func open(_ part: BoardPart) throws(BoardPartError) {
        switch part {
        case .button:
            guard let line = settings.button else { return }
            let opened = try GPIOLine(line, as: .input)
            opened.watch(
                on: poll, { [unowned self] isPressed, instant in onButton?(isPressed, instant) },
                lost: { [unowned self] in lose(.button) })
            button = opened
        case .workLamp:
            workLamp = try settings.workLamp.map { lamp throws(BoardPartError) in
                try LampOutput(lamp, ledFolder)
            }
        case .faultLamp:
            faultLamp = try settings.faultLamp.map { lamp throws(BoardPartError) in
                try LampOutput(lamp, ledFolder)
            }
        case .buzzer:
            buzzer = try settings.buzzer.map { line throws(BoardPartError) in
                try GPIOLine(line, as: .output)
            }
        }
    }
}

private enum LampOutput {
    case line(GPIOLine)
    case led(KernelLED)

    init(_ settings: LampSettings, _ folder: String) throws(BoardPartError) {
        switch settings {
        case .line(let line): self = .line(try GPIOLine(line, as: .output))
        case .led(let name): self = .led(try KernelLED(name, in: folder))
        }
    }

    /// What is said when it has gone.
    var absence: BoardPartError {
        if case .led = self { .noLED } else { .noChip }
    }

    /// - Returns: false when it has gone.
    func set(_ isOn: Bool) -> Bool {
        switch self {
        case .line(let line): line.set(isOn)
        case .led(let led): led.set(isOn)
        }
    }
}

internal import Base
internal import Crypto
package import MatterNode

/// A serial console, which nobody logs in to: while it is locked it takes setup codes and labels,
/// as a scanner does, and the PIN.
package final class GuardedConsole: @unchecked Sendable {
    private let agent: Agent
    private let store: any Store
    private let console: MaintainerConsole
    private let say: (String) -> Void
    private let hide: (Bool) -> Void
    /// Called when it locks: what is drawn on its screen, and takes keys, has to go.
    package var onLock: (() -> Void)?
    private var lock: ConsoleLock
    private var timer: TimerID?

    /// - Parameters:
    ///   - console: has what is typed while it is open.
    ///   - say: shows a line.
    ///   - hide: whether what is typed is hidden.
    package init(
        _ console: MaintainerConsole, agent: Agent, store: any Store,
        say: @escaping (String) -> Void, hide: @escaping (Bool) -> Void
    ) {
        self.agent = agent
        self.store = store
        self.console = console
        self.say = say
        self.hide = hide
        lock = ConsoleLock(isLocked: false, at: agent.loop.now)
    }

    /// Locks it where there is a PIN.
    package func start() {
        guard hasPIN else { return show(Self.open) }
        lock = ConsoleLock(isLocked: true, at: agent.loop.now)
        showLock()
    }

    package func stop() {
        if let timer { agent.loop.cancel(timer) }
        timer = nil
    }

    package func receive(_ event: SerialCodes.Event) {
        // Somebody may have set a PIN meanwhile.
        if !lock.isLocked, advance() { return }
        guard lock.isLocked else {
            lock.receiveInput(at: agent.loop.now)
            console.receive(event)
            return schedule()
        }
        guard case .line(let line) = event, !ConsolePIN.isOfInstaller(line) else {
            return agent.assumeIsolated { $0.receivePayload(event) }
        }
        attempt(line)
    }

    /// Somebody presses keys at what is drawn on the screen.
    package func receiveKeys() {
        guard !lock.isLocked, !advance() else { return }
        lock.receiveInput(at: agent.loop.now)
        schedule()
    }

    private func attempt(_ pin: Secret) {
        let kept = try? ConsolePIN.kept(in: store)
        let answer = lock.receive(at: agent.loop.now) {
            switch kept {
            case .pin(let kept)?: kept.isRight(pin)
            // It was taken away meanwhile.
            case ConsolePIN.Kept.none?: true
            case .unknown?, nil: false
            }
        }
        switch answer {
        case .opened:
            hide(false)
            show(Self.open)
            schedule()
        case .wrong: show("this console is locked, and that is not its PIN")
        case .wait(let time): show("too many wrong PINs: try again in \(time.waitText)")
        }
    }

    /// - Returns: whether it has locked now.
    private func advance() -> Bool {
        lock.advance(to: agent.loop.now) { hasPIN }
        if lock.isLocked { showLock() }
        return lock.isLocked
    }

    /// One that cannot be read counts: nobody opens a console by breaking the store.
    private var hasPIN: Bool { (try? ConsolePIN.kept(in: store)) != ConsolePIN.Kept.none }

    private func schedule() {
        stop()
        guard let deadline = lock.nextDeadline else { return }
        timer = agent.loop.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            timer = nil
            _ = advance()
        }
    }

    private func showLock() {
        stop()
        onLock?()
        hide(true)
        show("This console is locked. PIN (it is not shown):")
    }

    private func show(_ line: String) { say(line + "\n") }

    private static let open =
        "Running. window open lets devices in; help lists the commands."
}

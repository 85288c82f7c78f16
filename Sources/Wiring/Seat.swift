internal import Base
internal import Gateway
internal import MatterNode

/// Where a maintainer sits: the terminal of a foreground agent, or a serial line.
final class Seat: @unchecked Sendable {
    let console: MaintainerConsole
    let screen: any Screen
    /// At serial lines, where nobody logs in.
    let lock: GuardedConsole?
    private let input: LineInput
    private var drawn: KeyScreen?

    init(
        _ console: MaintainerConsole, at screen: any Screen, _ input: LineInput,
        lock: GuardedConsole?
    ) {
        self.console = console
        self.screen = screen
        self.input = input
        self.lock = lock
    }

    /// Its screen, to be drawn on; nil where it is no terminal, or is drawn on already.
    func openScreen(on loop: Loop) -> KeyScreen? {
        guard drawn == nil, let screen = screen as? any DrawableScreen else { return nil }
        let drawn = KeyScreen(
            on: loop, octetsPerSecond: screen.octetsPerSecond,
            KeyScreen.Terminal(
                size: { screen.size }, isDrained: { screen.isDrained },
                draw: { screen.draw($0) }, close: { [weak self] in self?.leave(screen) }))
        guard
            screen.takeKeys({ [weak drawn] text in
                for line in text.split(separator: "\n") { drawn?.tell(String(line)) }
            })
        else { return nil }
        self.drawn = drawn
        input.onKeys = { [weak self] octets in
            self?.lock?.receiveKeys()
            self?.drawn?.receive(keys: octets)
        }
        lock?.onLock = { [weak self] in self?.closeScreen() }
        return drawn
    }

    /// Gives the screen back to its lines.
    func closeScreen() { drawn?.close() }

    /// Takes no more commands, and its screen is left empty where it was drawn on.
    func stop() {
        closeScreen()
        lock?.stop()
        console.stop()
    }

    var isSerial: Bool { screen is LockableScreen }
    /// Whether it is drawn on.
    var isDrawn: Bool { drawn != nil }
    /// Lets go of where lines come from.
    func stopInput() { input.stop() }
    func startInput() { input.start() }

    private func leave(_ screen: any DrawableScreen) {
        drawn = nil
        input.onKeys = nil
        screen.draw(KeyScreen.farewell)
        _ = screen.takeKeys(nil)
    }
}

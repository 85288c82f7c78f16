package import Base
package import Crypto
package import Matter
package import MatterNode

/// Carries out one command and says what came of it.
///
/// Scope: from a parsed command to its output. Not scope: reading words, writing text, making
/// the gateway; `CommandSurroundings` lends those.
package struct CommandRunner {
    let surroundings: any CommandSurroundings

    package init(_ surroundings: any CommandSurroundings) {
        self.surroundings = surroundings
    }

    package func run(_ command: ConsoleCommand) async -> Output {
        do throws(Explanation) {
            let output = try await perform(command)
            if command.changesWhatIsKept { await surroundings.agent?.keeping?.look() }
            return output
        } catch {
            return error.output
        }
    }

    private func perform(_ command: ConsoleCommand) async throws(Explanation) -> Output {
        switch command {
        case .help(let name): CommandHelp.text(about: name)
        case .version: PlainOutput.version(GatewayVersion.text)
        case .selfTest: SelfTest.run()
        case .tlv(let bytes): PlainOutput.tlv(bytes)
        case .devices(let filter, let query): try await devices(filter, query)
        case .show(let selector, let isStored): try await show(selector, isStored)
        case .history(let selector, let question): try await history(selector, question)
        case .name(let selector, let text): try rename(selector, name: text)
        case .room(let selector, let text): try rename(selector, room: text)
        case .rooms: RoomOutput.list(try nodes())
        case .pair(let request): try await pair(request)
        case .read(let selector, let paths): try await read(selector, paths)
        case .write(let selector, let path, let value):
            try await write(selector, path, value)
        case .on(let selector): try await invoke(OnOff.On(), selector, "on")
        case .off(let selector): try await invoke(OnOff.Off(), selector, "off")
        case .toggle(let selector): try await invoke(OnOff.Toggle(), selector, "toggled")
        case .level(let selector, let percent, let seconds):
            try await level(selector, percent, over: seconds)
        case .thermostat(let selector, let order): try await thermostat(selector, order)
        case .fan(let selector, let order): try await fan(selector, order)
        case .identify(let selector, let seconds): try await identify(selector, seconds)
        case .fabrics(let selector): try await fabrics(selector)
        case .share(let selector, let seconds): try await share(selector, seconds)
        case .stopSharing(let selector): try await stopSharing(selector)
        case .labels(let labels): await self.labels(labels)
        case .authorities: AuthorityOutput.list(try surroundings.authorities())
        case .addAuthorities(let path): try await addAuthorities(path)
        case .removeAuthority(let keyID): try removeAuthority(keyID)
        case .wiFi(let order): try await wiFi(order)
        case .thread(let order): try await thread(order)
        case .setPIN: try await setPIN()
        case .clearPIN: try clearPIN()
        case .settings(let key, let value): try settings(key, value)
        case .backup(let file, let isForced, let isConfirmed):
            try await backup(file, isForced: isForced, isConfirmed: isConfirmed)
        case .restore(let file, let isForced, let isConfirmed):
            try await restore(file, isForced: isForced, isConfirmed: isConfirmed)
        case .factoryReset(let isConfirmed): try await factoryReset(isConfirmed: isConfirmed)
        case .discover(let seconds): try await discover(seconds)
        case .prepare: try await prepare()
        case .alert(let order): try await alert(order)
        case .poll(let selector, let order): try poll(selector, order)
        case .doctor: try await doctor()
        case .replace(let selector, let request, let isConfirmed):
            try await replace(selector, request, isConfirmed: isConfirmed)
        case .remove(let selector, let isForced, let isConfirmed):
            try await remove(selector, isForced: isForced, isConfirmed: isConfirmed)
        case .run: throw Explanation.runsAlready
        case .window(let action): try await window(action)
        case .console: throw Explanation.noConsole(hasAgent: surroundings.agent != nil)
        case .status: try await status()
        case .dashboard(let isLive): try await dashboard(isLive: isLive)
        case .log(let level): try log(level)
        case .cancel: try await cancel()
        }
    }
}

/// What a command is lent by the process that runs it.
package protocol CommandSurroundings: KeepingSurroundings {
    func store() throws(Explanation) -> any Store
    func gateway() async throws(Explanation) -> Gateway
    func history() throws(Explanation) -> any History
    /// Whom this process believes about devices.
    func authorities() throws(Explanation) -> TrustAnchors
    /// Nil where none runs.
    var agent: Agent? { get }

    /// One line of standard input, or of a hidden prompt where that is a terminal; nil when there
    /// is none.
    func readCode() async throws(Explanation) -> Secret?
    /// Asks for a random word that is shown; true when it was typed.
    /// - Parameter question: what is about to happen.
    func confirm(_ question: String) async throws(Explanation) -> Bool
    func parseJSON(_ text: String) throws(Explanation) -> JSONValue

    /// The terminal of whoever typed the command, to be drawn on; nil where there is none.
    func openScreen() async throws(Explanation) -> KeyScreen?

    /// Lines that show a text as a QR symbol; nil where the output can show none.
    func picture(of text: [UInt8]) async -> [String]?

    /// Text for people while a command runs; not part of its output.
    func progress(_ text: String)
    var now: Instant { get }
}

/// What this program calls itself.
package enum GatewayVersion {
    package static let text = "0.1.0"
}

/// A command that did not work throws what a person is told.
extension Explanation: Error {}

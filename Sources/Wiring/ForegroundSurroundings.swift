internal import Base
internal import Crypto
internal import Gateway
internal import Matter
internal import MatterNode

/// Lends commands of the agent's console what the process has: one store and gateway for all of
/// them, and the console's next line as an answer.
final class ForegroundSurroundings: CommandSurroundings, @unchecked Sendable {
    private let process: Surroundings
    private let screen: any Screen
    private let showsPictures: Bool
    private let asking: () async throws(CancellationError) -> Secret
    private let erasing: () -> Void
    private let opening: () -> KeyScreen?
    let agent: Agent?

    init(
        _ process: Surroundings, agent: Agent?, screen: any Screen, showsPictures: Bool = true,
        asking: @escaping () async throws(CancellationError) -> Secret,
        erasing: @escaping () -> Void, opening: @escaping () -> KeyScreen? = { nil }
    ) {
        self.process = process
        self.agent = agent
        self.screen = screen
        self.showsPictures = showsPictures
        self.asking = asking
        self.erasing = erasing
        self.opening = opening
    }

    var now: Instant { process.now }

    func store() throws(Explanation) -> any Store { try process.store() }
    func gateway() async throws(Explanation) -> Gateway { try await process.gateway() }
    func history() throws(Explanation) -> any History { try process.history() }
    func authorities() throws(Explanation) -> TrustAnchors { try process.authorities() }
    func parseJSON(_ text: String) throws(Explanation) -> JSONValue {
        try process.parseJSON(text)
    }
    func openScreen() -> KeyScreen? { opening() }
    /// What the process knows of its terminal is not true of a serial line.
    func picture(of text: [UInt8]) -> [String]? {
        showsPictures ? process.picture(of: text) : nil
    }
    func progress(_ text: String) { screen.writeError(text) }

    func readCode() async throws(Explanation) -> Secret? {
        try await readHidden("setup code")
    }

    func readPassphrase(_ prompt: String) async throws(Explanation) -> Secret {
        try await readHidden(prompt)
    }

    func readText(_ prompt: String) async throws(Explanation) -> Secret {
        screen.writeError("\(prompt):\n")
        do throws(CancellationError) { return try await asking() } catch {
            throw Explanation.interrupted
        }
    }

    private func readHidden(_ prompt: String) async throws(Explanation) -> Secret {
        screen.writeError("\(prompt) (it is not shown):\n")
        screen.hidesInput = true
        defer { screen.hidesInput = false }
        do throws(CancellationError) { return try await asking() } catch {
            throw Explanation.interrupted
        }
    }

    func confirm(_ question: String) async throws(Explanation) -> Bool {
        var random = SystemRandom()
        let word = ConfirmationWord.draw(using: &random)
        screen.writeError("\(question) Type \(word) to go on:\n")
        do throws(CancellationError) {
            let line = try await asking()
            return String(decoding: [UInt8](line.span), as: UTF8.self) == word
        } catch { throw Explanation.interrupted }
    }
}

// What commands about the state as a whole need.
extension ForegroundSurroundings {
    var hasTerminal: Bool { true }
    func exists(_ path: String) -> Bool { process.exists(path) }
    func files(inFolder path: String) throws(Explanation) -> [String]? {
        try process.files(inFolder: path)
    }
    func readFile(_ path: String, limit: Int) throws(Explanation) -> [UInt8] {
        try process.readFile(path, limit: limit)
    }
    func writeFile(_ bytes: [UInt8], to path: String) throws(Explanation) {
        try process.writeFile(bytes, to: path)
    }
    func boardNetwork(_ ssid: [UInt8]?) throws(Explanation) -> WiFiNetworkCredentials {
        try process.boardNetwork(ssid)
    }
    func soundStore() throws(Explanation) -> (any Store)? { try process.soundStore() }
    func newStore() throws(Explanation) -> (any Store, aside: String) {
        try process.newStore()
    }
    /// The program ends, and then it is erased: until then everything works with it.
    func eraseStore() throws(Explanation) { erasing() }
    var unixSeconds: Int64 { process.unixSeconds }
    var machine: MachineFacts { process.machine }
    var random: SharedRandom { process.random }
}

extension Explanation {
    fileprivate static let interrupted = Explanation(
        .interrupted, "cancelled", remedy: "type the command again")
}

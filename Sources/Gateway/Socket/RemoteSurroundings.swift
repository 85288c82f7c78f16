internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// Lends a console's command what the agent's process has, and what only the console's side has:
/// its prompts, its files, its terminal.
final class RemoteSurroundings: CommandSurroundings, @unchecked Sendable {
    private let process: any CommandSurroundings
    private let console: ConsoleSession

    init(_ process: any CommandSurroundings, console: ConsoleSession) {
        self.process = process
        self.console = console
    }

    // MARK: Of the console

    var hasTerminal: Bool { console.hasTerminal }
    func progress(_ text: String) { console.send(.errorOutput(text)) }

    func readCode() async throws(Explanation) -> Secret? {
        guard case .secret(let code) = try await console.ask(.code) else { return nil }
        return code
    }

    func readPassphrase(_ prompt: String) async throws(Explanation) -> Secret {
        guard case .secret(let text) = try await console.ask(.passphrase(prompt: prompt)) else {
            throw Explanation(ConsoleProtocolError.unexpected)
        }
        return text
    }

    func readText(_ prompt: String) async throws(Explanation) -> Secret {
        guard case .secret(let text) = try await console.ask(.text(prompt: prompt)) else {
            throw Explanation(ConsoleProtocolError.unexpected)
        }
        return text
    }

    /// The console's user may read what the agent's may not.
    func boardNetwork(_ ssid: [UInt8]?) async throws(Explanation) -> WiFiNetworkCredentials {
        let answer = try await console.ask(.boardNetwork(ssid: ssid))
        guard case .network(let network) = answer else {
            throw Explanation(ConsoleProtocolError.unexpected)
        }
        return network
    }

    func confirm(_ question: String) async throws(Explanation) -> Bool {
        try await console.ask(.confirmation(question)) == .truth(true)
    }

    func openScreen() async throws(Explanation) -> KeyScreen? { try await console.openScreen() }

    func picture(of text: [UInt8]) async -> [String]? {
        guard case .texts(let lines)? = try? await console.ask(.picture(text)) else {
            return nil
        }
        return lines
    }

    func exists(_ path: String) async throws(Explanation) -> Bool {
        try await console.ask(.exists(path: path)) == .truth(true)
    }

    func files(inFolder path: String) async throws(Explanation) -> [String]? {
        guard case .texts(let files) = try await console.ask(.files(folder: path)) else {
            return nil
        }
        return files
    }

    func readFile(_ path: String, limit: Int) async throws(Explanation) -> [UInt8] {
        guard case .octets(let octets) = try await console.ask(.read(path: path, limit: limit))
        else { throw Explanation(ConsoleProtocolError.unexpected) }
        return octets
    }

    func writeFile(_ bytes: [UInt8], to path: String) async throws(Explanation) {
        guard try await console.ask(.write(bytes, path: path)) == .nothing else {
            throw Explanation(ConsoleProtocolError.unexpected)
        }
    }

    // MARK: Of the process

    var agent: Agent? { process.agent }
    var now: Instant { process.now }
    var unixSeconds: Int64 { process.unixSeconds }
    var machine: MachineFacts { process.machine }
    var random: SharedRandom { process.random }
    func store() throws(Explanation) -> any Store { try process.store() }
    func gateway() async throws(Explanation) -> Gateway { try await process.gateway() }
    func history() throws(Explanation) -> any History { try process.history() }
    func authorities() throws(Explanation) -> TrustAnchors { try process.authorities() }
    func parseJSON(_ text: String) throws(Explanation) -> JSONValue {
        try process.parseJSON(text)
    }
    func soundStore() throws(Explanation) -> (any Store)? { try process.soundStore() }
    func newStore() throws(Explanation) -> (any Store, aside: String) { try process.newStore() }
    func eraseStore() throws(Explanation) { try process.eraseStore() }
}

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
    private let asking: () async throws(CancellationError) -> Secret
    let agent: Agent?

    init(
        _ process: Surroundings, agent: Agent, screen: any Screen,
        asking: @escaping () async throws(CancellationError) -> Secret
    ) {
        self.process = process
        self.agent = agent
        self.screen = screen
        self.asking = asking
    }

    var now: Instant { process.now }

    func store() throws(Explanation) -> any Store { try process.store() }
    func gateway() async throws(Explanation) -> Gateway { try await process.gateway() }
    func authorities() throws(Explanation) -> TrustAnchors { try process.authorities() }
    func parseJSON(_ text: String) throws(Explanation) -> JSONValue {
        try process.parseJSON(text)
    }
    func progress(_ text: String) { screen.writeError(text) }

    func readCode() async throws(Explanation) -> Secret? {
        screen.writeError("setup code (it is not shown):\n")
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

extension Explanation {
    fileprivate static let interrupted = Explanation(
        .interrupted, "cancelled", remedy: "type the command again")
}

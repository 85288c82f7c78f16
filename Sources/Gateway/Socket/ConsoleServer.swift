internal import Base
package import MatterNode

/// The consoles that are connected to the agent: many at once, and none waits for another.
package final class ConsoleServer: @unchecked Sendable {
    private let agent: Agent
    private let process: () -> any CommandSurroundings
    private var sessions: [ConsoleSession] = []

    /// - Parameter process: what commands are lent by the agent's process; what belongs to a
    ///   person is asked of the console instead.
    package init(agent: Agent, process: @escaping () -> any CommandSurroundings) {
        self.agent = agent
        self.process = process
    }

    package var count: Int { sessions.count }

    package func accept(_ stream: any ByteStream) {
        guard sessions.count < ConsoleLimits.consoles else { return refuse(stream) }
        let session = ConsoleSession(
            stream, agent: agent, process: process,
            ended: { [weak self] ended in self?.remove(ended) })
        sessions.append(session)
        session.start()
    }

    /// Tells the consoles that stay what goes on.
    package func tell(_ output: Output) {
        // One that takes nothing any more goes meanwhile.
        for session in sessions { session.tell(output) }
    }

    package func stop() {
        for session in sessions { session.end() }
    }

    private func remove(_ ended: ConsoleSession) {
        sessions.removeAll { $0 === ended }
    }

    private func refuse(_ stream: any ByteStream) {
        let explanation = Explanation.tooManyConsoles
        stream.send(ConsoleMessage.errorOutput(explanation.line + "\n").frame().span)
        stream.send(ConsoleMessage.ended(explanation.kind.exitCode).frame().span)
        stream.close()
    }
}

internal import Base
internal import Matter
internal import MatterNode

/// Reads what every device measures or is set to, one device at a time, round after round.
///
/// Scope: asking and telling. Not scope: keeping what was said.
struct ReadingRounds: Sendable {
    let gateway: Gateway
    /// From the end of a round to the beginning of the next.
    let pause: Duration
    let tell: @Sendable (AgentEvent) -> Void

    /// One that needs longer, from looking for it to its answer, is away: the others do not wait.
    private static let timeToSay = Duration.seconds(10)

    /// Until its task is cancelled.
    func run() async {
        repeat {
            // A store that cannot be read now may be read in the next round.
            let nodes = (try? await gateway.nodes()) ?? []
            tell(.roundBegan(nodes.map(\.nodeID)))
            for node in nodes { await read(node) }
        } while (try? await gateway.loop.sleep(for: pause)) != nil
    }

    private func read(_ node: NodeRecord) async {
        let paths = MainReadings.paths(of: node, on: nil)
        // A device that is being added has the network to itself.
        guard !paths.isEmpty, (try? await gateway.untilNoRun()) != nil else { return }
        let answer = LoopWait<[AttributeReport]?>()
        let flow = gateway.loop.spawn { @Sendable [gateway] in
            answer.resume(returning: try? await gateway.read(paths, of: node))
        }
        let timer = gateway.loop.schedule(at: gateway.loop.now + Self.timeToSay) {
            answer.resume(returning: nil)
        }
        let reports = try? await answer.value()
        gateway.loop.cancel(timer)
        flow.cancel()
        await flow.value
        guard !Task.isCancelled else { return }
        if let reports {
            tell(.readings(reports, of: node))
        } else {
            tell(.noReadings(of: node))
        }
    }
}

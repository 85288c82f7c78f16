internal import Base
internal import Matter
internal import MatterNode

/// Shows the dashboard at one console until its user quits, or it is closed.
///
/// What changes by itself is drawn once a second, what a key has changed at once; nothing while
/// what was drawn before has not arrived, and no more than the line carries.
final class Dashboard: @unchecked Sendable {
    private let agent: Agent
    private let screen: KeyScreen
    private let runner: CommandRunner
    private var view: DashboardView
    private var action: LoopTask?
    /// When the line will have carried what was drawn.
    private var isFreeAt: Instant
    private var courseOf: NodeID?
    private var courseDue: Instant

    static let period = Duration.seconds(1)
    /// A reading of a temperature changes little in so long.
    private static let coursePeriod = Duration.seconds(60)

    init(_ agent: Agent, on screen: KeyScreen, _ runner: CommandRunner, hasBlocks: Bool) {
        self.agent = agent
        self.screen = screen
        self.runner = runner
        view = DashboardView(hasBlocks: hasBlocks)
        isFreeAt = agent.loop.now
        courseDue = agent.loop.now
    }

    func run() async {
        defer {
            action?.cancel()
            screen.close()
        }
        var due = agent.loop.now
        while screen.isOpen, !Task.isCancelled {
            if agent.loop.now >= due {
                await look()
                due = agent.loop.now + Self.period
            }
            await showCourse()
            draw()
            let isBusy = isFreeAt > agent.loop.now
            let input: KeyScreen.Input?
            do throws(CancellationError) {
                input = try await screen.inputs.next(until: isBusy ? min(due, isFreeAt) : due)
            } catch { return }
            switch input {
            case .keys(let octets): view.receive(octets)
            case .told(let line): view.note(line)
            case .changed, nil: break
            }
            while let event = view.nextEvent() {
                if event == .quit { return }
                perform(event)
            }
        }
    }

    private func draw() {
        let now = agent.loop.now
        guard screen.isOpen, screen.isDrained, now >= isFreeAt else { return }
        guard let text = view.nextTransmit() else { return }
        screen.draw(text)
        guard let rate = screen.octetsPerSecond else { return }
        isFreeAt = now + .milliseconds(text.utf8.count * 1000 / rate)
    }

    private func look() async {
        view.resize(to: screen.size)
        view.show(await runner.dashboardContent(of: agent))
    }

    /// The course of what is chosen now; anew after a while.
    private func showCourse() async {
        let now = agent.loop.now
        guard view.selected != courseOf || now >= courseDue else { return }
        courseOf = view.selected
        courseDue = now + Self.coursePeriod
        guard let nodeID = courseOf, let state = await agent.keeping?.state(of: nodeID) else {
            return view.show(course: "")
        }
        view.show(course: await runner.temperatureCourse(of: state.node))
    }

    // MARK: Actions

    /// One at a time: whoever presses a key twice did not see what came of the first.
    private func perform(_ event: DashboardView.Event) {
        guard let command = Self.command(event) else { return }
        guard action == nil else { return view.note("wait for the one before") }
        view.note("...")
        action = agent.loop.spawn { @Sendable [self] in
            let output = await runner.run(command)
            action = nil
            screen.tell(output)
        }
    }

    private static func command(_ event: DashboardView.Event) -> ConsoleCommand? {
        func selector(_ nodeID: NodeID) -> NodeSelector? { try? NodeSelector(nodeID.text) }
        return switch event {
        case .toggle(let nodeID): selector(nodeID).map { .toggle($0) }
        case .identify(let nodeID):
            selector(nodeID).map {
                .identify($0, seconds: ConsoleLimits.identifySecondsDefault)
            }
        case .quit: nil
        }
    }
}

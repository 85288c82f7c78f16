internal import Base
internal import CHeapSize
internal import Gateway
internal import Matter
internal import MatterNode
internal import Simulation
internal import VirtualDevice

// What must hold in the evenings, and of alerts at any time.

extension Month {
    // MARK: Alerts

    func receive(_ event: KeepingEvent) {
        guard isSetUp else { return }
        switch event {
        case .raised(let alert) where alert.rule.condition == .offline:
            result.alertsRaised += 1
            guard let place = place(ofHistory: alert.rule.historyID) else { return }
            if !gaps.isExplained(place, at: world.sim.now) {
                report("\(gaps.places[place].name) is said to be away, and is not")
            }
        case .raised(let alert):
            result.alertsRaised += 1
            if alert.rule.id == 1 { raised += 1 }
        case .cleared(let alert): if alert.rule.id == 1 { cleared += 1 }
        default: break
        }
    }

    /// When a device is back that was away for long, with a gateway that ran all the time.
    func checkWasTold(_ place: Int) {
        guard isUp, isSetUp else { return }
        let start = max(awaySince[place], life.startedAt)
        // The report that does not come, the attempt, the limit.
        let bound = gaps.places[place].interval * 11 / 10 + .seconds(120 + 600)
        guard world.sim.now - start > bound, let node = node(of: place) else { return }
        let isTold = life.keeping.assumeIsolated { keeping in
            keeping.alertStates().contains { state in
                state.isRaised && state.rule.condition == .offline
                    && state.rule.historyID == node
            }
        }
        if !isTold {
            report(
                "\(gaps.places[place].name) was away for"
                    + " \((world.sim.now - start).wholeSeconds) s and nobody was told")
        }
    }

    private func place(ofHistory historyID: NodeID) -> Int? {
        gaps.places.indices.first { node(of: $0) == historyID }
    }

    // MARK: The evening

    /// The cellar is too warm for a quarter of an hour, which is told and is over.
    func checkEvening() {
        let cellar = world.devices[0].device
        let before = (raised, cleared)
        world.sim.run(for: .seconds(1800))
        set(cellar, .number(30_00))
        world.sim.run(for: .seconds(540))
        if raised != before.0 { report("the cellar's limit is told before its time") }
        world.sim.run(for: .seconds(200))
        if raised != before.0 + 1 { report("the cellar is too warm and nobody is told") }
        set(cellar, .number(21_00))
        world.sim.run(for: .seconds(120))
        if cleared != before.1 + 1 { report("the cellar is cool again and nobody is told") }
        set(cellar, .auto)
    }

    /// At its end all is well.
    func checkDay() -> MonthResult.Day {
        let states = life.keeping.assumeIsolated { $0.states() }
        for state in states {
            let name = state.node.serialNumber
            if case .online = state.link, state.isSubscribed {
            } else {
                report("\(name) is not kept read: \(state.link)")
            }
            let topic = MonthBroker.base + "node/\(state.node.nodeID.text)/availability"
            if broker.retained[topic] != "online" { report("\(name) is away by the broker") }
        }
        if states.count != gaps.places.count { report("there are \(states.count) nodes") }
        if life.keeping.assumeIsolated({ $0.isAnyAlertRaised }) { report("an alert is left") }
        if broker.retained[MonthBroker.base + "status"] != "online" {
            report("the gateway is away by the broker")
        }
        if life.mqtt.status.waitingReadings > Self.gathered {
            report("\(life.mqtt.status.waitingReadings) readings wait for the broker")
        }
        if broker.ledger.waitingCount > Self.gathered {
            report("\(broker.ledger.waitingCount) readings are not at the broker")
        }
        gaps.checkAll({ place(of: $0) }, at: world.sim.now)
        if remains > 0 { report("\(remains) processes that have ended are still there") }
        return tables()
    }

    /// What is gathered for one message of history.
    private static let gathered = 64

    private func tables() -> MonthResult.Day {
        var day = MonthResult.Day()
        let life = life!
        day.heap = Int(heap_size())
        day.pages = Int(heap_size_of_sqlite())
        day.notes =
            Self.octets(of: world.timeline) + broker.ledger.octets + world.network.keptOctets
            + Self.octets(of: world.medium.events.map(\.text))
            + world.medium.events.capacity * MemoryLayout<EventRecord>.stride
        day.timers = world.sim.loop.timerCount
        life.node.assumeIsolated { node in
            day.sessions = node.sessionCount
            day.exchanges = node.exchangeCount
            day.inboxes = node.inboxCount
            day.subscriptions = node.subscriptionCount
        }
        day.browsers = life.resolver.assumeIsolated { $0.browserCount }
        let bounds: [(String, Int, Int)] = [
            ("sessions", day.sessions, 2 * gaps.places.count),
            ("exchanges", day.exchanges, gaps.places.count),
            ("inboxes", day.inboxes, gaps.places.count),
            ("browsers", day.browsers, 1),
            ("subscriptions", day.subscriptions, 2 * gaps.places.count),
        ]
        for (name, count, bound) in bounds where count > bound {
            report("\(count) \(name) are left, \(bound) are enough")
        }
        return day
    }

    // MARK: Memory

    /// The end of the month is no larger than its beginning, when all caches are full.
    func checkGrowth() {
        let days = result.days
        guard days.count >= Self.fullAfter + 2 else { return }
        let rest = days[Self.fullAfter...]
        let half = rest.count / 2
        let before = rest.prefix(half).map(\.rest).sorted()[half / 2]
        let after = rest.suffix(half).map(\.rest).sorted()[half / 2]
        let bound = Self.growth * rest.count
        if after - before > bound {
            report("memory grew from \(before) to \(after) octets in \(rest.count) days")
        }
    }

    /// Of an array of texts: its own room, and that of each text that does not fit its place.
    private static func octets(of texts: [String]) -> Int {
        texts.reduce(texts.capacity * MemoryLayout<String>.stride) { sum, text in
            sum + (text.utf8.count > 15 ? (text.utf8.count + 33 + 15) / 16 * 16 : 0)
        }
    }

    /// Days until the tables have their size.
    private static let fullAfter = 4
    /// Octets in a day: the names of boots in the history, and when what was away.
    private static let growth = 3000

    func report(_ text: String) {
        guard result.faults.count < 50 else { return }
        result.faults.append("\(world.sim.now.text): \(text)")
    }
}

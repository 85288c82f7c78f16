internal import Base
internal import CSeededRandom
internal import Gateway
internal import LinuxIO
internal import Matter
internal import MatterNode
internal import Simulation
internal import VirtualDevice

/// A gateway that nobody looks after for a month: every day its broker, its network, its power,
/// its clock and its devices fail, and every evening all must be as if nothing had been.
///
/// Scope: who is there, and what the days are like. What goes wrong is the plan's and in
/// `MonthTroubles`, what must hold in `GapCheck`, `ReadingLedger` and `MonthChecks`.
package final class Month: @unchecked Sendable {
    /// What a canary breaks, for the proof that each checker finds what it looks for.
    package enum Canary: String, CaseIterable, Sendable {
        /// What is read in the evenings is forgotten.
        case gap
        /// Readings are kept from the file.
        case loss
        /// Nobody set a limit.
        case alert
        /// Something is kept for every reading.
        case growth
    }

    let world: World
    let sleeper: MonthSleeper
    let broker: MonthBroker
    let canary: Canary?
    let plan: MonthPlan
    private let folder: String
    private(set) var life: MonthLife!
    private var history: WatchedHistory?
    var gaps: GapCheck
    var result: MonthResult
    /// Of the node in each place.
    private var places: [NodeID: Int] = [:]
    private var gone: [Gone] = []
    /// Nothing is looked at before.
    var isSetUp = false
    private var isEvening = false
    private var hoard: [[UInt8]] = []

    // What is wrong at the moment; see `MonthTroubles`.
    var isUp = true
    var cutAt: Instant?
    var boot = 1
    var mayLackDate = false
    var brokersGone = 0
    var networksGone = 0
    var noises = 0
    var moves = 0
    var isOff: [Bool]
    var reasons: [Int]
    var awaySince: [Instant]
    /// Of the limit of the evenings.
    var raised = 0
    var cleared = 0

    private struct Gone { weak var life: MonthLife? }

    static let clock: Int64 = 1_780_000_000
    static let timeToRestart = Duration.seconds(1)
    private static let types: [[DeviceType]] = [
        [.temperature, .humidity], [.plug], [.dimmableLight], [.contact],
    ]
    private static let lamps = [1, 2]
    private static let names = ["Cellar", "Plug", "Lamp", "Door", "Freezer"]
    /// A month takes some ten million.
    private static let turns = 500_000_000

    /// - Parameters:
    ///   - hours: of a day, from two on.
    ///   - folder: for the history's file; empty, and its owner's to remove.
    ///   - told: of each day that is over.
    package static func run(
        seed: UInt64, days: Int, hours: Int = 24, folder: String, canary: Canary? = nil,
        told: (MonthResult.Day) -> Void = { _ in }
    ) -> MonthResult {
        seeded_random_begin(seed)
        defer { seeded_random_end() }
        return Month(seed, days, hours, folder, canary).complete(told)
    }

    private init(
        _ seed: UInt64, _ days: Int, _ hours: Int, _ folder: String, _ canary: Canary?
    ) {
        let count = Self.types.count + 1
        plan = MonthPlan(
            seed: seed, days: days, hours: hours, devices: count, lamps: Self.lamps)
        world = World(seed: seed, clock: Self.clock, devices: Self.types, turns: Self.turns)
        sleeper = MonthSleeper(world)
        broker = MonthBroker(on: world.sim.loop)
        self.canary = canary
        self.folder = folder
        result = MonthResult(seed: seed)
        gaps = GapCheck(
            (0..<count).map { index in
                GapCheck.Place(
                    name: Self.names[index],
                    interval: index < count - 1
                        ? .seconds(60) : .seconds(Int64(MonthSleeper.intervalSeconds)))
            })
        isOff = Array(repeating: false, count: count)
        reasons = Array(repeating: 0, count: count)
        awaySince = Array(repeating: world.sim.now, count: count)
    }

    private func complete(_ told: (MonthResult.Day) -> Void) -> MonthResult {
        setClock(Self.clock)
        isUp = false
        startLife(cut: nil)
        setUp()
        for day in 0..<plan.days {
            let start = Instant(nanoseconds: 0) + plan.day * day
            schedule(plan.incidents(of: day))
            world.sim.run(until: start + plan.evening)
            isEvening = true
            checkEvening()
            world.sim.run(until: start + plan.day)
            isEvening = false
            let seen = checkDay()
            result.days.append(seen)
            told(seen)
        }
        checkGrowth()
        finish()
        return result
    }

    /// A day's at a time: what is to come takes memory too.
    private func schedule(_ incidents: [MonthPlan.Incident]) {
        for incident in incidents {
            _ = world.sim.loop.schedule(at: Instant(nanoseconds: 0) + incident.time) {
                [unowned self] in happen(incident.event)
            }
        }
    }

    // MARK: Lives

    /// - Parameter cut: when the process before was killed; nil when it ended as it should.
    func startLife(cut: Instant?) {
        if let life { gone.append(Gone(life: life)) }
        gone.removeAll { $0.life == nil }
        result.lives += 1
        isUp = true
        let history = openHistory(cut: cut)
        self.history = history
        life = MonthLife(world, number: result.lives, history: history, broker: broker) {
            [unowned self] event in receive(event)
        }
        guard isSetUp else { return }
        for place in gaps.places.indices { gaps.end(place, at: world.sim.now) }
    }

    private func openHistory(cut: Instant?) -> WatchedHistory {
        let surroundings = HistoryFile.Surroundings(
            boot: "boot \(boot)",
            unixMilliseconds: { [unowned world] in
                world.plausibleSeconds == nil
                    ? nil : world.clockOffset * 1000 + world.sim.now.nanoseconds / 1_000_000
            })
        let file = HistoryFile(
            beside: folder + "/gateway.db", surroundings, at: world.sim.now)
        if let first = broker.ledger.firstWaiting {
            var stored: [HistoryRow] = []
            while let more = try? file.readings(
                after: stored.last?.sequence ?? first - 1, limit: 1000), !more.isEmpty
            { stored += more }
            broker.change { $0.reopened(with: stored, cut: cut) }
        }
        let watched = WatchedHistory(file) { [unowned self] reading, sequence in
            broker.change { $0.append(reading, as: sequence, mayLackDate: mayLackDate) }
            if let place = places[reading.source.historyID], canary != .gap || !isEvening {
                gaps.receive(reading.source, of: place, at: reading.at)
            }
            if canary == .growth { hoard.append([UInt8](repeating: 0, count: 200)) }
        }
        if canary == .loss { watched.losesEach = 500 }
        return watched
    }

    /// Lives that are over and still take memory, an hour later and more.
    var remains: Int { gone.count { $0.life != nil } }

    func place(of source: ReadingSource) -> Int? { places[source.historyID] }
    func node(of place: Int) -> NodeID? { places.first { $0.value == place }?.key }

    /// Adds the devices, as an installer would.
    private func setUp() {
        let life = life!
        let devices = world.devices
        let sleeping = sleeper.record
        let hasLimit = canary != .alert
        _ = world.sim.run { () async throws(Never) -> Void in
            for house in devices { await life.commission(house) }
            let cellar = life.record("SIM-1") ?? sleeping
            await life.keep(
                AlertRecord(
                    id: 1, historyID: cellar.historyID, word: "temperature", isAbove: true,
                    limit: hasLimit ? 28_00 : 90_00, seconds: 600), sleeping)
        }
        for record in world.medium.nodes {
            let index = devices.firstIndex {
                $0.device.settings.serialNumber == record.serialNumber
            }
            places[record.historyID] = index ?? devices.count
        }
        precondition(places.count == gaps.places.count, "every device is a node")
        isSetUp = true
    }

    private func finish() {
        let life = life!
        isUp = false
        life.close {}
        world.sim.run(for: .seconds(60))
        result.faults += gaps.faults + broker.ledger.faults
        result.timeline = world.timeline
        let ledger = broker.ledger
        result.readings = ledger.appended
        result.forwarded = ledger.forwarded
        result.repeated = ledger.repeated
        result.lost = ledger.lost
        result.undated = ledger.undated
        result.longestGap = gaps.longest.wholeSeconds
        result.turns = world.sim.turns
        // Its timers hold what they are given.
        sleeper.device.vanish()
        for house in world.devices { house.device.stop() }
    }
}

package import Base

/// What one lamp does to show how things stand: on and off, and when that changes next.
///
/// What is most urgent wins: an armed factory reset, then the result of each run for one cycle of
/// its pattern, then the run in progress, a failure until the next input, a fault of the gateway,
/// the open window, a node that is away, and nothing.
package struct LampPattern: Sendable {
    /// Which of the states a lamp shows; with one lamp all of them.
    package enum Role: Sendable {
        case everything, work, faults
        /// A buzzer's: each result once, and silence.
        case sounds
    }

    /// What the flashes of a failure tell; they are counted by whoever stands there.
    package enum FailureCode: Int, CaseIterable, Sendable {
        case code = 1
        case notFound = 2
        case passcode = 3
        case attestation = 4
        case network = 5
        case notReachableAfterwards = 6
        case gateway = 7
    }

    package enum Work: Sendable { case searching, commissioning }

    /// What lasts.
    package struct Conditions: Equatable, Sendable {
        package var isResetArmed = false
        package var work: Work?
        /// The gateway itself, or its button.
        package var isFaulty = false
        package var isWindowOpen = false
        /// One has been away for longer than its limit.
        package var isNodeOffline = false

        package init() {}
    }

    private enum Result: Equatable {
        case success
        case failure(FailureCode)
    }

    private enum Shown: Equatable {
        case nothing, idle, windowOpen, searching, commissioning, nodeOffline, resetArmed
        case success
        case failure(FailureCode)
    }

    private struct Phase {
        let isOn: Bool
        let length: Duration

        static func on(_ milliseconds: Int) -> Phase {
            Phase(isOn: true, length: .milliseconds(milliseconds))
        }
        static func off(_ milliseconds: Int) -> Phase {
            Phase(isOn: false, length: .milliseconds(milliseconds))
        }
    }

    private let role: Role
    private var conditions = Conditions()
    private var results: [Result] = []
    /// Goes on until the next input.
    private var failure: FailureCode?

    private var shown = Shown.nothing
    private var phases: [Phase] = []
    private var phase = 0
    private var phaseEnd: Instant?

    package init(_ role: Role = .everything, at now: Instant) {
        self.role = role
        choose(at: now)
    }

    // MARK: Inputs

    package mutating func show(_ conditions: Conditions, at now: Instant) {
        advance(to: now)
        self.conditions = conditions
        choose(at: now)
    }

    package mutating func succeed(at now: Instant) { add(.success, at: now) }

    package mutating func fail(_ code: FailureCode, at now: Instant) {
        failure = code
        add(.failure(code), at: now)
    }

    /// Somebody pressed the button or scanned something: failures were seen.
    package mutating func receiveInput(at now: Instant) {
        advance(to: now)
        failure = nil
        results.removeAll { $0 != .success }
        choose(at: now)
    }

    package mutating func advance(to now: Instant) {
        while let end = phaseEnd, end <= now {
            phase += 1
            if phase == phases.count {
                phase = 0
                if results.first.map(Self.shown) == shown { results.removeFirst() }
                choose(at: end, isCycleOver: true)
            } else {
                phaseEnd = end + phases[phase].length
            }
        }
    }

    // MARK: Outputs

    package var isOn: Bool { phases.isEmpty ? false : phases[phase].isOn }
    package var nextDeadline: Instant? { phaseEnd }

    // MARK: Choosing

    private mutating func add(_ result: Result, at now: Instant) {
        advance(to: now)
        guard role != (result == .success ? .faults : .work) else { return }
        if results.count == WindowLimits.lampResults { results.removeFirst() }
        results.append(result)
        choose(at: now)
    }

    private mutating func choose(at now: Instant, isCycleOver: Bool = false) {
        let chosen = choice
        guard chosen != shown || isCycleOver || phases.isEmpty else { return }
        shown = chosen
        phases = role == .sounds && chosen == .success ? Self.beep : Self.phases(chosen)
        phase = 0
        phaseEnd = phases.first.map { now + $0.length }
    }

    private var choice: Shown {
        let showsFaults = role != .work && role != .sounds
        let showsWork = role != .faults && role != .sounds
        if showsFaults, conditions.isResetArmed { return .resetArmed }
        if let result = results.first { return Self.shown(result) }
        if showsWork, let work = conditions.work {
            return work == .searching ? .searching : .commissioning
        }
        if showsFaults, let failure { return .failure(failure) }
        if showsFaults, conditions.isFaulty { return .failure(.gateway) }
        if showsWork, conditions.isWindowOpen { return .windowOpen }
        if showsFaults, conditions.isNodeOffline { return .nodeOffline }
        return showsWork ? .idle : .nothing
    }

    private static func shown(_ result: Result) -> Shown {
        switch result {
        case .success: .success
        case .failure(let code): .failure(code)
        }
    }

    /// A success that is heard.
    private static let beep: [Phase] = [.on(600), .off(500)]

    private static func phases(_ shown: Shown) -> [Phase] {
        switch shown {
        case .nothing: []
        case .idle: [.on(50), .off(4950)]
        case .windowOpen: [.on(1000), .off(1000)]
        case .searching: [.on(100), .off(150), .on(100), .off(650)]
        case .commissioning: [.on(125), .off(125)]
        case .nodeOffline: [.on(1000), .off(9000)]
        case .resetArmed: [.on(50), .off(50)]
        // The gap tells two devices that succeed in a row apart.
        case .success: [.on(3000), .off(500)]
        case .failure(let code):
            Array(repeatElement([.on(250), .off(250)], count: code.rawValue - 1).joined())
                + [.on(250), .off(1500)]
        }
    }
}

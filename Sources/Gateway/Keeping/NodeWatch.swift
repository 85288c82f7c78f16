package import Base

/// When a node is to be connected with and asked, and whether it is there: a machine of the
/// contract in Sources/README.md, but for its outputs, which its owner looks at after each call.
///
/// A subscription says by itself that its node is alive. What is asked beside it is asked only
/// when nothing was heard for the interval, or when the node has no room for subscriptions to all
/// that is kept; and never of a node that sleeps.
package struct NodeWatch: Sendable {
    package enum Step: Equatable, Sendable {
        /// Connect, and subscribe.
        case connect
        /// Ask for the values in the session that there is.
        case check
        /// Nothing until `nextDeadline`.
        case wait
    }

    /// Why the node did not do what it was asked.
    package enum Failure: Sendable {
        case away
        /// It says that it does not know us. Core §4.14.2.3.2.
        case stranger
        /// It answers, and takes no subscription.
        case noSubscription
    }

    package private(set) var link = NodeState.Link.unknown
    package private(set) var isSubscribed = false
    package private(set) var heardAt: Instant?
    /// Between two checks; see `KeepingLimits.pollInterval`.
    package var pollInterval: Duration {
        didSet {
            guard pollInterval != oldValue, nextCheck != .distantFuture else { return }
            nextCheck = checkTime
        }
    }
    /// It sleeps between what it says by itself.
    package var isSleepy = false
    private var failures = 0
    private var subscribedAt: Instant?
    private var shortSubscriptions = 0
    private var refusals = 0
    /// The subscriptions are to all that is kept.
    private var isWhole = true
    /// When it answered last what no subscription tells.
    private var checkedAt: Instant?
    private var nextConnect: Instant
    private var nextCheck = Instant.distantFuture
    private var now: Instant

    /// - Parameter start: when to connect first.
    package init(pollInterval: Duration, start: Instant) {
        self.pollInterval = pollInterval
        nextConnect = start
        now = start
    }

    // MARK: Inputs

    package mutating func advance(to now: Instant) { self.now = max(self.now, now) }

    /// It is connected with now.
    package mutating func begin(at now: Instant) {
        advance(to: now)
        attempt = now
        isAnnounced = false
    }

    /// It said something in a session of ours.
    package mutating func receive(at now: Instant) {
        advance(to: now)
        heardAt = now
        failures = 0
        refusals = 0
        switch link {
        case .online: break
        // It may finish a report after it has said that it leaves.
        case .left where isLeaving: break
        case .unknown, .offline, .left: link = .online(since: now)
        }
        nextCheck = checkTime
    }

    /// It took subscriptions.
    /// - Parameter isWhole: whether they are to all that is kept; the rest is asked for.
    package mutating func subscribed(at now: Instant, isWhole: Bool = true) {
        isLeaving = false
        receive(at: now)
        isSubscribed = true
        self.isWhole = isWhole
        checkedAt = nil
        subscribedAt = now
        nextConnect = .distantFuture
        nextCheck = checkTime
    }

    /// It was asked for everything, and has answered.
    package mutating func checked(at now: Instant) {
        checkedAt = now
        receive(at: now)
    }

    /// A subscription, or the session, is over; the next step finds out whether the node is.
    package mutating func lost(at now: Instant) {
        advance(to: now)
        guard case .online = link else { return }
        if let subscribedAt, now - subscribedAt < KeepingLimits.shortSubscription {
            shortSubscriptions += 1
        } else {
            shortSubscriptions = 0
        }
        subscribedAt = nil
        isSubscribed = false
        nextConnect =
            shortSubscriptions < 2 ? now : now + Self.pause(after: shortSubscriptions - 1)
        nextCheck = shortSubscriptions < 2 ? .distantFuture : checkTime
    }

    /// A step has failed.
    /// - Parameter random: for the jitter of the pause, so that nodes that a power cut took away
    ///   together are not looked for together.
    package mutating func failed(_ failure: Failure, at now: Instant, random: UInt16) {
        advance(to: now)
        isSubscribed = false
        nextCheck = .distantFuture
        switch failure {
        case .noSubscription:
            isLeaving = false
            receive(at: now)
            nextConnect = now + Self.jittered(KeepingLimits.resubscribePause, random)
            nextCheck = now
            return
        case .stranger:
            refusals += 1
            if refusals >= KeepingLimits.refusalsOfLeft { return leave(at: now) }
        case .away: refusals = 0
        }
        failures += 1
        if case .left = link {
        } else if case .offline = link {
        } else {
            link = .offline(since: now)
        }
        let pause = isLeft ? KeepingLimits.pauseOfLeft : Self.pause(after: failures)
        nextConnect =
            now + (isAnnounced ? KeepingLimits.announcementPause : Self.jittered(pause, random))
        attempt = nil
    }

    /// It says by itself that it leaves our fabric.
    package mutating func leave(at now: Instant) {
        advance(to: now)
        isLeaving = true
        isSubscribed = false
        if !isLeft { link = .left(since: now) }
        nextConnect = now + KeepingLimits.pauseOfLeft
        nextCheck = .distantFuture
    }

    /// It has told the network that it is there: a node that is missed is connected with at
    /// once, and one that is not may have been restarted, without our session.
    package mutating func announced(at now: Instant) {
        advance(to: now)
        guard case .online = link else {
            // What comes soon is the answer to our own question, which a border router gives for
            // a dead device too; what comes later may be of one that this attempt has given up.
            if let attempt {
                isAnnounced = isAnnounced || now - attempt > KeepingLimits.answerTime
            }
            // One that has left and announces itself in our fabric is back.
            nextConnect = min(nextConnect, now + KeepingLimits.announcementPause)
            return
        }
        guard !isSleepy else { return }
        let heard = heardAt ?? now
        nextCheck = min(
            nextCheck,
            max(
                now + KeepingLimits.announcementPause,
                heard + KeepingLimits.announcementCheckPause))
    }

    // MARK: Outputs

    package var nextStep: Step {
        if nextConnect <= now { return .connect }
        return nextCheck <= now ? .check : .wait
    }

    package var nextDeadline: Instant { min(nextConnect, nextCheck) }

    // MARK: Private

    /// When the step that goes on began.
    private var attempt: Instant?
    /// It announced itself while it was connected with.
    private var isAnnounced = false

    /// Said that it leaves, and not been connected with since.
    private var isLeaving = false

    private var isLeft: Bool { if case .left = link { true } else { false } }

    private var checkTime: Instant {
        guard let heardAt else { return .distantFuture }
        if isSubscribed {
            let grace = pollInterval / KeepingLimits.pollGraceDivisor
            if isSleepy { return .distantFuture }
            if !isWhole { return checkedAt.map { $0 + pollInterval } ?? heardAt }
            return heardAt + (pollInterval + grace)
        }
        if case .online = link { return heardAt + pollInterval }
        return .distantFuture
    }

    /// 5 s, 10 s, 20 s and so on.
    private static func pause(after failures: Int) -> Duration {
        min(KeepingLimits.firstPause * (1 << min(failures - 1, 10)), KeepingLimits.longestPause)
    }

    /// Three quarters to five quarters of the pause.
    private static func jittered(_ pause: Duration, _ random: UInt16) -> Duration {
        pause * 3 / 4 + pause * Int(random) / 131_072
    }
}

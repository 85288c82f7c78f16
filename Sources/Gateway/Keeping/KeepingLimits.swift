/// Every bound of keeping devices read, with its reason.
package enum KeepingLimits {
    /// Nodes that are connected with at once. A handshake takes a small board some 20 ms of
    /// arithmetic and a Thread network some 3 s, and a node that is away holds its turn for ten
    /// seconds: 250 nodes are all connected with in a minute, half of them away in three.
    package static let connectingAtOnce = 8
    /// Kept values of one node: a bridge with 64 devices of a handful each.
    package static let readingsPerNode = 256
    /// What wakes a node's flow at a time: all that can happen in one turn of the loop.
    static let wakes = 8
    /// Paths of one subscription that are asked for at first: what most devices take, though
    /// they need not; it fits one message.
    static let pathsPerSubscription = 24
    /// Subscriptions of one fabric that every device must take. Core §2.11.2.2.
    static let subscriptionsPerNode = 3

    /// For a report: changes of a value within a second are one.
    static let minIntervalSeconds: UInt16 = 1
    /// Between two reports of a node that does not sleep: as old as its values may get.
    static let maxIntervalSeconds: UInt16 = 60
    /// The longest that a publisher may choose, Core §2.11.2.1.
    static let sleepyMaxIntervalSeconds: UInt16 = 3600

    /// A value as old as this is confirmed by a report that does not tell it: half of what a
    /// device that stays the same lets pass, so that one that reports another value often does
    /// not have all of them told again each time.
    static let confirmation = Duration.seconds(30)

    /// Between two polls of a node that says nothing; see `ConsoleLimits.pollSeconds`.
    package static let pollInterval = Duration.seconds(60)
    /// The part of an interval that a report may be late by before its node is asked: of a
    /// minute, five transmissions.
    static let pollGraceDivisor = 10
    /// A subscription that lasted for less was none; two of them one after the other are followed
    /// by a pause, for a device that ends each would be asked without end.
    static let shortSubscription = Duration.seconds(30)
    /// Between tries to subscribe at a node that is there and takes no subscription.
    static let resubscribePause = Duration.seconds(300)
    /// Between tries to connect: soon, for most that fall silent only restart; then so rarely
    /// that a house full of dead devices is not heard on the network. Announcements do not wait.
    static let firstPause = Duration.seconds(5)
    static let longestPause = Duration.seconds(300)
    /// A node that has left does not come back by itself; a person may add it to us again.
    static let pauseOfLeft = Duration.seconds(3600)
    /// What follows an announcement: the device repeats it a second later.
    static let announcementPause = Duration.seconds(2)
    /// For the answers to our own questions: two of these, and the delay of an answer.
    static let answerTime = Duration.seconds(3)
    /// A node that is known to be there is asked for no announcement more often: whoever looks
    /// for it makes it announce itself.
    static let announcementCheckPause = Duration.seconds(30)
    /// For one try, from looking for it to its first report. A node that sleeps through a
    /// handshake needs several of its intervals.
    static let timeToConnect = Duration.seconds(60)
    /// Refusals that prove that a node does not know us any more. The first may be of another
    /// device that has its address now.
    static let refusalsOfLeft = 2

    /// How long a node may be away before people are told.
    package static let offlineLimit = Duration.seconds(600)
    /// Minutes: shorter is every restart, longer is no watch.
    package static let offlineMinutes: ClosedRange<Int> = 1...10_080
    /// Limits of all nodes: two for each of a hundred, and as much to spare.
    package static let alerts = 256
    /// For which a limit must be passed: a week.
    package static let alertSeconds: ClosedRange<Int> = 0...604_800
}

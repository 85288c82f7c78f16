internal import Base

/// Every bound of MQTT, with its reason.
enum MQTTLimits {
    // MARK: Words

    /// A name in topics: a hostname's label.
    static let nameOctets = 63
    static let userOctets = 128

    // MARK: Connection

    /// Until the first attempt after a connection was lost, and at most: a broker that restarts
    /// is there within seconds; one that is away for a week costs a lookup every five minutes.
    static let retryFirst: Duration = .seconds(2)
    static let retryMost: Duration = .seconds(300)
    /// A connection that held so long begins anew with the first wait.
    static let settledAfter: Duration = .seconds(60)
    /// An attempt that has told nothing by then is given up: longer than all bounds below it.
    static let attempt: Duration = .seconds(180)
    /// A message that is not acknowledged by then: the broker is stuck, and the connection is
    /// made anew.
    static let acknowledgement: Duration = .seconds(30)

    // MARK: Messages

    /// Messages without an acknowledgement, beside one of history.
    static let inFlight = 16
    /// Events and alerts that wait: what a site says while a broker is away for a night. The
    /// oldest is dropped; the event log keeps them.
    static let notes = 64
    /// Topics of devices that have gone and are to be cleared; what is left is cleared at the
    /// next connection.
    static let clearings = 1024
    /// How long retained topics are looked for after a connection: a broker sends them at once.
    static let clearingTime: Duration = .seconds(10)
    /// A changed state is told so much later, so that one report is one message.
    static let stateDelay: Duration = .seconds(1)
    /// A state that was only confirmed is told again at most so often.
    static let stateInterval: Duration = .seconds(60)
    /// Values of one node: what its endpoints have, a bridge's several dozen.
    static let values = 256

    // MARK: History

    /// Readings in one message: some 8 KB.
    static let rows = 64
    /// Between two messages of history: at most 640 readings a second, a day of a hundred nodes
    /// with two values a minute within eight minutes, and no more than a slow line takes.
    static let historyPause: Duration = .milliseconds(100)
    /// How long readings are gathered while there are few.
    static let historyGathering: Duration = .seconds(5)
    /// How long readings without a date wait for the clock to be set.
    static let undatedPatience: Duration = .seconds(600)
    /// After a history that could not be read.
    static let historyRetry: Duration = .seconds(30)

    // MARK: Commands

    /// Octets of a command; a commissioning with several joined payloads is the longest.
    static let commandOctets = 2048
    /// Commands that wait for the one before.
    static let commands = 16
    /// Between two lines of the log about commands that are not understood.
    static let complaints: Duration = .seconds(60)
}

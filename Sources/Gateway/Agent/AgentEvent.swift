internal import Base
package import Matter
package import MatterNode

/// What the agent tells people, one line or a few each (`AgentOutput`).
package enum AgentEvent: Sendable {
    case windowOpened(seconds: Int)
    case windowClosed(ButtonWindow.Closing)
    /// - Parameter hint: what to do at the device first, where the code tells.
    case accepted(devices: Int, waiting: Int, hint: String?)
    /// The same code twice in a row.
    case repeated
    case refused(Refusal)
    case room(String)
    case name(String)
    case wiFi(ssid: [UInt8])
    /// Of any run, also of a maintainer's.
    case step(CommissioningStep)
    case commissioned(NodeRecord, in: Duration)
    case failed(CommissioningError, hint: String?)
    /// The run goes on.
    case warning(CommissioningWarning)
    /// A node has gone: it was the device that is being commissioned, before its reset.
    case tookPlace(of: NodeRecord)
    /// What a device measures, right after it was commissioned.
    case readings([AttributeReport], of: NodeRecord)
    /// The first is what has just been told; only where readings are to be shown.
    case reading(Reading, of: NodeState)
    /// It answers again or for the first time, does not answer any more, or has left.
    case link(NodeState.Link, of: NodeRecord)
    /// These devices are kept read.
    case nodes([NodeID])
    /// A limit is passed for too long, or is not any more.
    case alert(AlertState)
    case resetArmed
    case resetCancelled
    /// Whoever runs the agent erases what is stored, and ends.
    case resetConfirmed
    case buttonFault(ButtonWindow.Fault)
    case buttonFaultEnded

    package enum Refusal: Equatable, Sendable {
        case windowClosed
        /// Words, where only payloads are taken.
        case notAPayload
        case faulty(InstallerLineError)
        case dropped(SerialCodes.Fault)
        case queueFull
        /// The network of a label could not be kept.
        case notStored(StoreError)
    }
}

/// How things stand.
package struct AgentStatus: Equatable, Sendable {
    package var upTime = Duration.zero
    /// Nil when the window is closed.
    package var windowLeft: Duration?
    package var waiting = 0
    /// Nil when no run is in progress.
    package var step: CommissioningStep?
    package var isResetArmed = false
    package var isButtonFaulty = false
    /// The Wi-Fi network that devices are given.
    package var ssid: [UInt8]?
    /// Nil where no devices are kept read.
    package var presence: Presence?
    /// Limits that are passed for too long.
    package var alerts = 0

    package struct Presence: Equatable, Sendable {
        package let online: Int
        /// Those that have left with them.
        package let offline: Int

        package init(online: Int, offline: Int) {
            self.online = online
            self.offline = offline
        }
    }
    /// Nil without a broker.
    package var mqtt: MQTTStatus?

    package init() {}
}

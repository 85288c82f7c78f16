internal import Base
internal import Crypto
internal import Matter

/// What is done between ArmFailSafe and CommissioningComplete, so that it can be undone.
/// Core §11.10.7.2.
struct FailSafe: Sendable {
    typealias Status = GeneralCommissioning.CommissioningError

    /// Of whoever armed it: nil over PASE, until AddNOC gives it the new fabric.
    var fabricIndex: FabricIndex?
    private(set) var end: Instant
    /// When it ends however often it is armed again.
    private let lastEnd: Instant
    /// The networks before; they come back.
    let networks: NetworkTable
    /// What CSRRequest made.
    var operationalKey: OperationalKey?
    /// What AddTrustedRootCertificate brought.
    var root: [UInt8]?
    var change: Change?

    struct OperationalKey: Sendable {
        let key: P256.PrivateKey
        let isForUpdateNOC: Bool
    }

    /// What became of the fabric table; once only.
    enum Change: Sendable {
        case added(FabricIndex)
        /// With the fabric as it was.
        case updated(NodeFabric)
    }

    init(
        by fabricIndex: FabricIndex?, for length: Duration, atMost bound: Duration,
        networks: NetworkTable, at now: Instant
    ) {
        self.fabricIndex = fabricIndex
        lastEnd = now + bound
        end = min(now + length, lastEnd)
        self.networks = networks
    }

    /// Arms it again by whoever armed it first.
    mutating func extend(by length: Duration, at now: Instant) {
        end = min(now + length, lastEnd)
    }

    func isExpired(at now: Instant) -> Bool { end <= now }
}

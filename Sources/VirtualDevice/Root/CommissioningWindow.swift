internal import Base
internal import Crypto
internal import Matter

/// When and with which passcode the node can be commissioned. Core §5.4.2, §11.19.
struct CommissioningWindow: Sendable {
    typealias Status = AdministratorCommissioning.WindowStatus

    private(set) var opening: Opening?
    /// The handshake that occupies it.
    private(set) var trying: Instant?
    private var failedTries = 0

    struct Opening: Sendable {
        let end: Instant
        let passcode: PasscodeVerifier
        let discriminator: UInt16
        let isEnhanced: Bool
        /// Nil when nobody asked for it: the device is new, or somebody pressed its button.
        let administrator: Administrator?
    }

    struct Administrator: Equatable, Sendable {
        /// Nil once the fabric is gone.
        var fabricIndex: FabricIndex?
        let vendorID: VendorID
    }

    var isOpen: Bool { opening != nil }

    /// What the cluster tells: only windows that an administrator opened. Core §11.19.7.1.
    var status: Status {
        guard let opening, opening.administrator != nil else { return .windowNotOpen }
        return opening.isEnhanced ? .enhancedWindowOpen : .basicWindowOpen
    }

    mutating func open(_ opening: Opening) {
        self.opening = opening
        failedTries = 0
        trying = nil
    }

    mutating func close() {
        opening = nil
        trying = nil
    }

    /// The window stays open when whoever opened it has left.
    mutating func removed(_ fabric: FabricIndex) {
        guard let open = opening, var administrator = open.administrator,
            administrator.fabricIndex == fabric
        else { return }
        administrator.fabricIndex = nil
        opening = Opening(
            end: open.end, passcode: open.passcode, discriminator: open.discriminator,
            isEnhanced: open.isEnhanced, administrator: administrator)
    }

    // MARK: Tries

    enum Admission: Sendable {
        case admitted(PasscodeVerifier)
        /// Somebody else is at it; come again after this long.
        case busy(Duration)
        case closed
    }

    mutating func begin(at now: Instant) -> Admission {
        guard let opening else { return .closed }
        if let trying, trying > now { return .busy(trying - now) }
        trying = now + Limits.handshake
        return .admitted(opening.passcode)
    }

    mutating func succeeded() { trying = nil }

    /// Core §11.19.8.4: after twenty of them it closes.
    mutating func failed() {
        trying = nil
        failedTries += 1
        if failedTries >= Limits.failedTries { close() }
    }

    // MARK: Time

    var nextDeadline: Instant? { opening?.end }

    mutating func advance(to now: Instant) {
        if let opening, opening.end <= now { close() }
    }
}

/// What PASE needs of a passcode.
struct PasscodeVerifier: Sendable {
    let verifier: SPAKE2PlusVerifier
    let iterations: UInt32
    let salt: [UInt8]
}

extension PasscodeVerifier {
    /// With a new salt.
    init(_ passcode: Secret, random: SharedRandom) {
        let drawn: FixedBytes<16> = random.drawBytes()
        let salt = [UInt8](drawn)
        let secrets = SPAKE2PlusSecrets(
            passcode: passcode, salt: salt.span, iterations: Int(Self.iterations))
        self.init(
            verifier: SPAKE2PlusVerifier(secrets), iterations: Self.iterations, salt: salt)
    }

    /// The least that is allowed: the passcode is printed on the device anyway.
    private static let iterations: UInt32 = 1000
}

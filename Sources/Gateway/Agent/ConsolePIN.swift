internal import Base
internal import Crypto
internal import MatterNode

/// The PIN of the serial consoles, as scrypt has made it: nobody can read it, and trying one
/// takes its time.
struct ConsolePIN: Equatable {
    private let salt: FixedBytes<16>
    private let hash: Secret
    private let cost: Scrypt

    /// 8 MiB and a few hundredths of a second on a slow core, for which everything else waits.
    /// Whoever has the file can try all short PINs in any case.
    private static let cost = try? Scrypt(log2Cost: 13, blockSize: 8, parallelization: 1)
    private static let hashBytes = 32
    private static let settingKey = "console-pin"

    init(_ pin: Secret, using random: SharedRandom) {
        let salt: FixedBytes<16> = random.drawBytes()
        let cost = Self.cost ?? .standard
        self.cost = cost
        self.salt = salt
        hash = cost.derive(passphrase: pin.span, salt: salt.span, count: Self.hashBytes)
    }

    /// - Parameter text: of `text`.
    private init?(_ text: String) {
        guard let octets = Hex.decode(text), octets.count == 3 + 16 + Self.hashBytes,
            let cost = try? Scrypt(
                log2Cost: octets[0], blockSize: octets[1], parallelization: octets[2])
        else { return nil }
        self.cost = cost
        salt = FixedBytes(copying: octets.span.extracting(3..<19))
        hash = Secret(octets.span.extracting(19..<octets.count))
    }

    private var text: String {
        var octets = [cost.log2Cost, cost.blockSize, cost.parallelization]
        for index in 0..<16 { octets.append(salt[index]) }
        octets += [UInt8](hash.span)
        return Hex.lower(octets.span)
    }

    /// Takes its time and memory.
    func isRight(_ pin: Secret) -> Bool {
        let salt = salt
        return cost.derive(passphrase: pin.span, salt: salt.span, count: Self.hashBytes) == hash
    }

    /// Whether a line is an installer's, right or faulty, which a locked console takes: it can be
    /// no PIN. Fewer digits than any setup code has are none.
    static func isOfInstaller(_ line: Secret) -> Bool {
        var octets = [UInt8](line.span)
        defer { for index in octets.indices { octets[index] = 0 } }
        if SetupCodeShape.fits(octets) { return true }
        do throws(InstallerLineError) { return try InstallerLine(line.span) != .other } catch {
            if case .payload = error { return false }
            return true
        }
    }

    enum Kept: Equatable {
        case none
        case pin(ConsolePIN)
        /// Of a version that makes it otherwise: it opens nothing.
        case unknown
    }

    static func kept(in store: any Store) throws(StoreError) -> Kept {
        let record = try store.settings().first { $0.key == settingKey }
        guard let record else { return .none }
        return ConsolePIN(record.value).map { .pin($0) } ?? .unknown
    }

    func keep(in store: any Store) throws(StoreError) {
        try store.save(SettingRecord(key: Self.settingKey, value: text))
    }

    static func remove(from store: any Store) throws(StoreError) {
        try store.removeSetting(settingKey)
    }
}

/// Whether a console takes commands: it locks when nobody types, and makes those wait who try.
struct ConsoleLock: Sendable {
    enum Answer: Equatable {
        case opened
        case wrong
        /// It was not looked at.
        case wait(Duration)
    }

    private(set) var isLocked: Bool
    private var failures = 0
    private var waitsUntil: Instant?
    private var lastInput: Instant

    init(isLocked: Bool, at now: Instant) {
        self.isLocked = isLocked
        lastInput = now
    }

    /// Something was typed while it was open.
    mutating func receiveInput(at now: Instant) { lastInput = now }

    /// A PIN was typed while it was locked.
    mutating func receive(at now: Instant, isRight: () -> Bool) -> Answer {
        if let waitsUntil, now < waitsUntil { return .wait(waitsUntil - now) }
        waitsUntil = nil
        if isRight() {
            isLocked = false
            failures = 0
            lastInput = now
            return .opened
        }
        failures += 1
        let more = failures - ConsoleLimits.pinTries
        if more >= 0 {
            var wait = ConsoleLimits.pinWait
            for _ in 0..<min(more, 16) { wait = min(wait * 2, ConsoleLimits.pinWaitMost) }
            waitsUntil = now + wait
        }
        return .wrong
    }

    mutating func advance(to now: Instant, hasPIN: () -> Bool) {
        guard !isLocked, now - lastInput >= ConsoleLimits.lockAfter, hasPIN() else { return }
        isLocked = true
    }

    /// When to call `advance`, once something was typed.
    var nextDeadline: Instant? { isLocked ? nil : lastInput + ConsoleLimits.lockAfter }
}

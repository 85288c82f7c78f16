/// The counter of the messages that we send under one key. It never repeats. Core §4.6.1.
package struct MessageCounter: Equatable, Sendable {
    private var next: UInt32

    /// - Parameter random: any random number; counting starts in 1 ... 2^28 (§4.6.1.1).
    package init(random: UInt32) {
        next = random & 0x0FFF_FFFF + 1
    }

    /// The counter of the next message, or nil when all are used up and the session must end.
    package mutating func take() -> UInt32? {
        guard next != 0 else { return nil }
        defer { next &+= 1 }
        return next
    }
}

/// Which counters of a peer were seen: the highest and the 32 before it. Core §4.6.5.
package struct CounterWindow: Equatable, Sendable {
    private var highest: UInt32?
    /// Bit n: `highest - 1 - n` was seen.
    private var seen: UInt32 = 0

    /// The first message of an unsecured exchange sets the window; under a session's key the
    /// first counter is accepted likewise, whatever it is.
    package init() {}

    /// Takes note of a counter whose message is authentic.
    /// - Returns: false for one that was seen, or is too old to tell.
    package mutating func accept(_ counter: UInt32) -> Bool {
        guard let highest else {
            self.highest = counter
            return true
        }
        if counter > highest {
            let distance = counter - highest
            seen = distance > 32 ? 0 : seen << distance | 1 << (distance - 1)
            self.highest = counter
            return true
        }
        let age = highest - counter
        guard age >= 1, age <= 32 else { return false }
        let bit = UInt32(1) << (age - 1)
        guard seen & bit == 0 else { return false }
        seen |= bit
        return true
    }
}

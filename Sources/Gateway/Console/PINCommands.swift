internal import Base
internal import Crypto
internal import MatterNode

/// Commands on the PIN of the serial consoles.
extension CommandRunner {
    func setPIN() async throws(Explanation) -> Output {
        let store = try surroundings.store()
        let typed = try await surroundings.readPassphrase("PIN for the serial consoles")
        let range = ConsoleLimits.pinBytes
        guard range.contains(typed.count) else {
            throw Explanation(
                .malformedInput,
                "the PIN has \(typed.count) octets, not \(range.lowerBound) to \(range.upperBound)",
                remedy: "choose another")
        }
        guard !ConsolePIN.isOfInstaller(typed) else {
            throw Explanation(
                .malformedInput, "the PIN looks like a setup code or a label",
                remedy: "choose another: such lines are taken at a locked console too")
        }
        if surroundings.hasTerminal {
            guard try await surroundings.readPassphrase("the same again") == typed else {
                throw Explanation(
                    .malformedInput, "the two PINs are not the same", remedy: Remedy.tryAgain)
            }
        }
        let pin = ConsolePIN(typed, using: surroundings.random)
        try stored { () throws(StoreError) in try pin.keep(in: store) }
        note("the PIN of the serial consoles was set", store)
        return Self.output("the serial consoles ask for the PIN from now on", isSet: true)
    }

    func clearPIN() throws(Explanation) -> Output {
        let store = try surroundings.store()
        let wasSet = try stored { () throws(StoreError) in
            guard try ConsolePIN.kept(in: store) != .none else { return false }
            try ConsolePIN.remove(from: store)
            return true
        }
        guard wasSet else { return Self.output("there was no PIN", isSet: false) }
        note("the PIN of the serial consoles was taken away", store)
        return Self.output("the serial consoles ask for no PIN from now on", isSet: false)
    }

    /// Events are for people who look back; the change itself is stored.
    private func note(_ text: String, _ store: any Store) {
        try? store.note(.access, nil, text, at: surroundings.unixSeconds)
    }

    private static func output(_ line: String, isSet: Bool) -> Output {
        Output(lines: [line], document: .object([("is_set", .boolean(isSet))]))
    }
}

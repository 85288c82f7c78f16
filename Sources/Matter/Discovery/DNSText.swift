/// The strings of a TXT record: `key=value` pairs (RFC 6763 §6).
package struct DNSText: ~Escapable {
    package let octets: Span<UInt8>

    /// Nil when the lengths of the strings do not add up to `octets`.
    @_lifetime(copy octets)
    package init?(_ octets: Span<UInt8>) {
        var position = 0
        while position < octets.count { position += 1 + Int(octets[position]) }
        guard position == octets.count else { return nil }
        self.octets = octets
    }

    package var entries: DNSTextEntries {
        @_lifetime(copy self)
        get { DNSTextEntries(octets) }
    }
}

/// Gives the entries of a checked TXT record one by one.
package struct DNSTextEntries: ~Escapable {
    private let octets: Span<UInt8>
    private var position = 0

    @_lifetime(copy octets)
    fileprivate init(_ octets: Span<UInt8>) { self.octets = octets }

    /// The next entry that has a key, or nil after the last (§6.4: others are ignored).
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func next() -> DNSTextEntry? {
        while position < octets.count {
            let start = position + 1
            let end = start + Int(octets[position])
            position = end
            var equals = start
            while equals < end, octets[equals] != 0x3D { equals += 1 }
            guard equals > start else { continue }
            return DNSTextEntry(
                key: octets.extracting(start..<equals),
                value: octets.extracting(min(equals + 1, end)..<end), hasValue: equals < end)
        }
        return nil
    }
}

package struct DNSTextEntry: ~Escapable {
    /// At least one octet; keys are equal without regard to case.
    package let key: Span<UInt8>
    /// Empty when there is none.
    package let value: Span<UInt8>
    /// Whether there is an equals sign.
    package let hasValue: Bool

    @_lifetime(copy key, copy value)
    fileprivate init(key: Span<UInt8>, value: Span<UInt8>, hasValue: Bool) {
        self.key = key
        self.value = value
        self.hasValue = hasValue
    }
}

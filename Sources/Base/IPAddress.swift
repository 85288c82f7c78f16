/// An IPv6 address, or an IPv4 address in its IPv4-mapped form (RFC 4291 §2.5.5.2).
///
/// Text is RFC 5952 with a numeric zone (RFC 4007 §11): `fe80::1%2`; IPv4 is dotted.
package struct IPAddress: Hashable, Sendable {
    package let octets: FixedBytes<16>
    /// The interface's index where the address means nothing without it (link-local), else 0.
    package let scope: UInt32

    /// - Parameter scope: kept only when `isLinkLocalIPv6` or a multicast scope needs it.
    package init(_ octets: FixedBytes<16>, scope: UInt32 = 0) {
        self.octets = octets
        self.scope = IPAddress.needsScope(octets) ? scope : 0
    }

    package init(ipv4 octets: FixedBytes<4>) {
        var mapped = FixedBytes<16>()
        mapped[10] = 0xFF
        mapped[11] = 0xFF
        for index in 0..<4 { mapped[12 + index] = octets[index] }
        self.init(mapped)
    }

    /// The same address as seen on another interface.
    package func scoped(to interface: UInt32) -> IPAddress {
        IPAddress(octets, scope: interface)
    }

    package static let unspecified = IPAddress(FixedBytes())

    package var isIPv4: Bool {
        for index in 0..<10 where octets[index] != 0 { return false }
        return octets[10] == 0xFF && octets[11] == 0xFF
    }

    /// `::` or 0.0.0.0.
    package var isUnspecified: Bool {
        for index in 12..<16 where octets[index] != 0 { return false }
        return isIPv4 || self == .unspecified
    }

    /// `::1` or 127.0.0.0/8.
    package var isLoopback: Bool {
        if isIPv4 { return octets[12] == 127 }
        for index in 0..<15 where octets[index] != 0 { return false }
        return octets[15] == 1
    }

    /// fe80::/10 or 169.254.0.0/16.
    package var isLinkLocal: Bool {
        isIPv4 ? octets[12] == 169 && octets[13] == 254 : isLinkLocalIPv6
    }

    /// fc00::/7, RFC 4193.
    package var isUniqueLocal: Bool { octets[0] & 0xFE == 0xFC }

    /// ff00::/8 or 224.0.0.0/4.
    package var isMulticast: Bool {
        isIPv4 ? octets[12] & 0xF0 == 0xE0 : octets[0] == 0xFF
    }

    package var isLinkLocalIPv6: Bool { octets[0] == 0xFE && octets[1] & 0xC0 == 0x80 }

    /// Link-local unicast, and interface-local and link-local multicast (RFC 4291 §2.7).
    private static func needsScope(_ octets: FixedBytes<16>) -> Bool {
        switch octets[0] {
        case 0xFE: octets[1] & 0xC0 == 0x80
        case 0xFF: octets[1] & 0x0F == 1 || octets[1] & 0x0F == 2
        default: false
        }
    }
}

/// Where datagrams come from and go to.
package struct SocketAddress: Hashable, Sendable {
    package var address: IPAddress
    package var port: UInt16

    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
}

extension SocketAddress: CustomStringConvertible {
    /// Reads `[fe80::1%2]:5540` or `192.0.2.1:5540`; nil when it is neither.
    package init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = Substring(text[..<colon])
        let digits = text[text.utf8.index(after: colon)...]
        guard let port = IPText.decimal(digits.utf8, max: 0xFFFF) else { return nil }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard let address = IPAddress(String(host)), address.isIPv4 != isBracketed else {
            return nil
        }
        self.init(address, port: UInt16(port))
    }

    package var description: String {
        address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }
}

extension IPAddress: CustomStringConvertible {
    /// Reads the text forms of RFC 4291 §2.2, with a zone as a decimal interface index, and
    /// dotted IPv4. Nil for anything else, and for a zone where none belongs.
    package init?(_ text: String) {
        var address = Substring(text)
        var scope: UInt32 = 0
        if let percent = address.utf8.firstIndex(of: UInt8(ascii: "%")) {
            let zone = address.utf8[address.utf8.index(after: percent)...]
            guard let index = IPText.decimal(zone, max: UInt64(UInt32.max)) else { return nil }
            scope = UInt32(index)
            address = address[..<percent]
        }
        let octets: FixedBytes<16>
        if address.utf8.contains(UInt8(ascii: ":")) {
            guard let parsed = IPText.ipv6(address) else { return nil }
            octets = parsed
        } else {
            guard let parsed = IPText.ipv4(address) else { return nil }
            octets = IPAddress(ipv4: parsed).octets
        }
        guard scope == 0 || IPAddress.needsScope(octets) else { return nil }
        self.init(octets, scope: scope)
    }

    package var description: String {
        if isIPv4 { return "\(octets[12]).\(octets[13]).\(octets[14]).\(octets[15])" }
        let zeros = longestZeros
        var text = ""
        var index = 0
        while index < 8 {
            if index == zeros.lowerBound, zeros.count > 1 {
                text += "::"
                index = zeros.upperBound
                continue
            }
            if index > 0, !text.hasSuffix("::") { text += ":" }
            text += String(group(index), radix: 16)
            index += 1
        }
        return scope == 0 ? text : "\(text)%\(scope)"
    }

    private func group(_ index: Int) -> UInt16 {
        UInt16(octets[2 * index]) << 8 | UInt16(octets[2 * index + 1])
    }

    /// RFC 5952 §4.2.3: the first of the longest runs of zero groups.
    private var longestZeros: Range<Int> {
        var best = 0..<0
        var start = 0
        for index in 0..<8 {
            if group(index) != 0 { start = index + 1 }
            if index + 1 - start > best.count { best = start..<(index + 1) }
        }
        return best
    }
}

/// The text forms of addresses, read strictly.
private enum IPText {
    static func ipv4(_ text: Substring) -> FixedBytes<4>? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var octets = FixedBytes<4>()
        for index in 0..<4 {
            guard let value = decimal(parts[index], max: 255) else { return nil }
            octets[index] = UInt8(value)
        }
        return octets
    }

    static func ipv6(_ text: Substring) -> FixedBytes<16>? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var octets = FixedBytes<16>()
        var count = 0
        var gap: Int?
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            if part.isEmpty {
                // A colon at an edge must be half of "::"; inside, "::" leaves one empty part.
                if index == 0 {
                    guard parts.count > 2, parts[1].isEmpty else { return nil }
                } else if isLast {
                    guard parts[index - 1].isEmpty else { return nil }
                } else {
                    guard gap == nil else { return nil }
                    gap = count
                }
            } else if isLast, part.contains(UInt8(ascii: ".")) {
                guard count <= 12, let tail = ipv4(text[part.startIndex...]) else { return nil }
                for place in 0..<4 { octets[count + place] = tail[place] }
                count += 4
            } else {
                guard count <= 14, let group = hexadecimal(part) else { return nil }
                octets[count] = UInt8(group >> 8)
                octets[count + 1] = UInt8(group & 0xFF)
                count += 2
            }
        }
        return spread(octets, count: count, gap: gap)
    }

    /// Moves what follows the "::" to the end.
    private static func spread(
        _ octets: FixedBytes<16>, count: Int, gap: Int?
    ) -> FixedBytes<16>? {
        guard let gap else { return count == 16 ? octets : nil }
        guard count <= 14 else { return nil }
        var result = FixedBytes<16>()
        for index in 0..<count {
            result[index < gap ? index : 16 - count + index] = octets[index]
        }
        return result
    }

    private static func hexadecimal(_ digits: Substring.UTF8View) -> UInt16? {
        guard digits.count <= 4 else { return nil }
        var value: UInt16 = 0
        for digit in digits {
            guard let nibble = Hex.value(of: digit) else { return nil }
            value = value << 4 | UInt16(nibble)
        }
        return value
    }

    /// Digits only, without leading zeros (some readers take those for octal).
    static func decimal(_ digits: Substring.UTF8View, max: UInt64) -> UInt64? {
        guard let first = digits.first, digits.count <= 10 else { return nil }
        guard first != 0x30 || digits.count == 1 else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            value = value * 10 + UInt64(digit - 0x30)
        }
        return value <= max ? value : nil
    }
}

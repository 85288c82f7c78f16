/// A domain name that is kept: its labels written out, as on the wire without compression.
struct DomainName: Hashable, Sendable {
    let octets: [UInt8]
    /// That of `DNSName.foldedHash`.
    let hash: UInt32

    init(_ name: borrowing DNSName) {
        var octets: [UInt8] = []
        octets.reserveCapacity(name.count)
        var labels = name.labels
        while let label = labels.next() {
            octets.append(UInt8(label.count))
            for index in label.indices { octets.append(label[index]) }
        }
        octets.append(0)
        self.octets = octets
        hash = name.foldedHash
    }

    /// - Parameter labels: 1 to 63 octets each, together within the bound of a name.
    init(labels: [String]) {
        var octets: [UInt8] = []
        for label in labels {
            precondition((1...63).contains(label.utf8.count), "a label has 1 to 63 octets")
            octets.append(UInt8(label.utf8.count))
            octets.append(contentsOf: Array(label.utf8))
        }
        octets.append(0)
        precondition(octets.count <= Limits.dnsNameOctets, "a name has at most 255 octets")
        self.octets = octets
        hash = DNSName(checked: octets.span, at: 0, count: octets.count).foldedHash
    }

    var name: DNSName {
        @_lifetime(borrow self)
        get { DNSName(checked: octets.span, at: 0, count: octets.count) }
    }

    func isEqual(to other: borrowing DNSName) -> Bool { name.isEqual(to: other) }

    /// The first label; empty for the root.
    var firstLabel: [UInt8] {
        Array(octets[1..<(1 + Int(octets[0]))])
    }

    /// Labels joined by dots, as RFC 1035 §5.1 writes them: a dot or a backslash inside a label
    /// is escaped. Octets that are no UTF-8 are shown as replacement characters.
    var text: String {
        var text = ""
        var position = 0
        while octets[position] > 0 {
            let end = position + 1 + Int(octets[position])
            let label = String(decoding: octets[(position + 1)..<end], as: UTF8.self)
            if position > 0 { text += "." }
            for character in label.unicodeScalars {
                if character == "." || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
            position = end
        }
        return text
    }

    static func == (left: DomainName, right: DomainName) -> Bool {
        // Lengths of labels are below the letters, so the whole can be compared as one.
        left.hash == right.hash && left.octets.span.isEqualFolded(to: right.octets.span)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

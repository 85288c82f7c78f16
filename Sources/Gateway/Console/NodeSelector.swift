package import Matter
package import MatterNode

/// How a person names a device: `0x00000000000004D2`, `1234`, `hall`, `plug/2`.
package struct NodeSelector: Equatable, Sendable {
    /// As typed.
    package let text: String

    package init(_ text: String) throws(UsageError) {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .emptyNode }
        self.text = text
    }

    /// Which of `nodes` is meant, and which of its endpoints when one is named.
    ///
    /// In this order: the whole text as an id or a name, then the text before `/ENDPOINT`. An
    /// id goes before names, a whole name before parts of names.
    package func resolve(
        in nodes: [NodeRecord]
    ) throws(NodeSelectorError) -> (node: NodeRecord, endpoint: EndpointID?) {
        var candidates = Self.matches(text, in: nodes)
        var endpoint: EndpointID?
        if candidates.isEmpty, let slash = text.lastIndex(of: "/"),
            let number = IdentifierText.number(text[text.index(after: slash)...], max: 0xFFFE)
        {
            candidates = Self.matches(String(text[..<slash]), in: nodes)
            endpoint = EndpointID(UInt16(number))
        }
        guard let node = candidates.first else {
            throw .unknown(EchoedWord(text), devices: nodes.count)
        }
        guard candidates.count == 1 else { throw .ambiguous(EchoedWord(text), candidates) }
        if let endpoint, !node.endpoints.isEmpty {
            let known = node.endpoints.map(\.endpoint)
            guard known.contains(endpoint) else { throw .noEndpoint(endpoint, node) }
        }
        return (node, endpoint)
    }

    private static func matches(_ text: String, in nodes: [NodeRecord]) -> [NodeRecord] {
        if let number = IdentifierText.number(text[...], max: .max) {
            let byID = nodes.filter { $0.nodeID.rawValue == number }
            if !byID.isEmpty { return byID }
        }
        let sought = TextMatch.folded(text)
        guard !sought.isEmpty else { return [] }
        // One without a name is called by its product, as the console shows it.
        let named = nodes.map { (node: $0, name: TextMatch.folded(DeviceOutput.callName($0))) }
        let exact = named.filter { $0.name == sought }
        if !exact.isEmpty { return exact.map(\.node) }
        return named.filter { TextMatch.contains(sought, in: $0.name) }.map(\.node)
    }
}

/// Why a selector gives no device.
package enum NodeSelectorError: Error, Equatable {
    /// Fits none of so many devices.
    case unknown(EchoedWord, devices: Int)
    case ambiguous(EchoedWord, [NodeRecord])
    case noEndpoint(EndpointID, NodeRecord)
}

/// Numbers as ids are typed.
enum IdentifierText {
    /// `0x` and up to 16 hexadecimal digits, or decimal digits; nil for anything else.
    static func number(_ text: Substring, max: UInt64) -> UInt64? {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let digits = isHexadecimal ? text.dropFirst(2) : text
        guard !digits.isEmpty, digits.utf8.count <= (isHexadecimal ? 16 : 20),
            digits.utf8.allSatisfy({ isHexadecimal || ($0 >= 0x30 && $0 <= 0x39) }),
            // A sign is the one thing that the standard library reads and an id has not.
            digits.first != "+", digits.first != "-",
            let value = UInt64(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        return value <= max ? value : nil
    }
}

/// Comparing texts as people do: capitals and the way an accent is encoded do not matter.
enum TextMatch {
    static func folded(_ text: String) -> [Character] {
        var characters = Array(text.lowercased())
        while let last = characters.last, last.isWhitespace { characters.removeLast() }
        return Array(characters.drop(while: \.isWhitespace))
    }

    static func contains(_ part: [Character], in whole: [Character]) -> Bool {
        guard part.count <= whole.count else { return false }
        return (0...(whole.count - part.count)).contains { start in
            whole[start..<(start + part.count)].elementsEqual(part)
        }
    }
}

package import Matter

/// `ENDPOINT/CLUSTER/ATTRIBUTE` as typed: each a number, a name or `*` for all.
package struct PathPattern: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        case all
        case number(UInt32)
        /// Letters and digits of the specification's name, in lower case.
        case name(String)
    }

    /// Nil is all.
    package let endpoint: EndpointID?
    package let cluster: Part
    package let attribute: Part

    package init(_ text: String) throws(PathError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else {
            throw .shape(EchoedWord(text))
        }
        if parts[0] == "*" {
            endpoint = nil
        } else {
            guard let number = IdentifierText.number(parts[0], max: 0xFFFE) else {
                throw .endpoint(EchoedWord(String(parts[0])))
            }
            endpoint = EndpointID(UInt16(number))
        }
        cluster = try Self.part(parts[1])
        attribute = try Self.part(parts[2])
    }

    package var hasWildcard: Bool { endpoint == nil || cluster == .all || attribute == .all }

    private static func part(_ text: Substring) throws(PathError) -> Part {
        if text == "*" { return .all }
        if let first = text.utf8.first, first >= 0x30, first <= 0x39 {
            guard let number = IdentifierText.number(text, max: UInt64(UInt32.max)) else {
                throw .number(EchoedWord(String(text)))
            }
            return .number(UInt32(number))
        }
        let name = PathName.folded(text)
        guard !name.isEmpty else { throw .shape(EchoedWord(String(text))) }
        return .name(name)
    }
}

/// How names of clusters and attributes are compared: `On/Off`, `on-off` and `OnOff` are one.
enum PathName {
    static func folded(_ text: some StringProtocol) -> String {
        var name = ""
        for scalar in text.unicodeScalars
        where scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
            name += scalar.properties.lowercaseMapping
        }
        return name
    }
}

/// Why a text is no path, or names nothing that is known here.
package enum PathError: Error, Equatable {
    case shape(EchoedWord)
    case endpoint(EchoedWord)
    case number(EchoedWord)
    case unknownCluster(EchoedWord)
    case unknownAttribute(EchoedWord, ClusterID)
}

extension PathError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .shape(let word):
            "\(word.text) is no path: it is ENDPOINT/CLUSTER/ATTRIBUTE, such as 1/OnOff/OnOff"
        case .endpoint(let word):
            "\(word.text) is no endpoint: it is a number up to 65534, or *"
        case .number(let word): "\(word.text) is no number of a cluster or attribute"
        case .unknownCluster(let word):
            "no cluster is known as \(word.text): give its number"
        case .unknownAttribute(let word, let cluster):
            "no attribute of \(ClusterNames.text(cluster)) is known as \(word.text): give its"
                + " number"
        }
    }
}

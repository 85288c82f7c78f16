// What is wrong with the configuration file.

extension Explanation {
    /// - Parameter place: the file, and the line in it.
    package init(_ fault: ConfigurationFault, at place: String) {
        switch fault {
        case .unknownKey(let word, let nearest):
            let remedy =
                nearest.map { "did you mean \($0.rawValue)?" }
                ?? "there are "
                + ConfigurationKey.allCases.map(\.rawValue).joined(separator: ", ")
            self.init(.notConfigured, "\(place): \(word.text) is no key", remedy: remedy)
        case .twice(let key):
            self.init(
                .notConfigured, "\(place): \(key.rawValue) is there already",
                remedy: "leave one of them")
        case .empty(let key):
            self.init(
                .notConfigured, "\(place): \(key.rawValue) lacks its value",
                remedy: "write one, or put # before the line")
        case .notAPath(let key, let word):
            self.init(
                .notConfigured, "\(place): \(word.text) is no path for \(key.rawValue)",
                remedy: "begin it with /")
        case .notAnInterface(let word):
            self.init(
                .notConfigured, "\(place): \(word.text) is no interface",
                remedy: "write one that ip link lists, and a line for each")
        case .notYesOrNo(let key, let word):
            self.init(
                .notConfigured, "\(place): \(word.text) is nothing that \(key.rawValue) can be",
                remedy: "write yes or no")
        case .outOfRange(let key, let range):
            self.init(
                .notConfigured, "\(place): \(key.rawValue) is out of range",
                remedy: "write a whole number from \(range.lowerBound) to \(range.upperBound)")
        case .notALevel(let word):
            self.init(
                .notConfigured, "\(place): \(word.text) is no level",
                remedy: "there are \(Configuration.levels)")
        case .board(let key, let fault):
            self.init(
                .notConfigured, "\(place): \(key.rawValue) is not understood",
                remedy: fault.description)
        case .mqtt(let key, let fault):
            self.init(
                .notConfigured, "\(place): \(key.rawValue) \(fault.cause)", remedy: fault.remedy)
        }
    }
}

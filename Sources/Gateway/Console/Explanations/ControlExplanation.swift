internal import Matter

// What a device cannot do by its own description; it is not asked for it.

extension Explanation {
    package init(_ error: ControlError) {
        switch error {
        case .modeNotOffered(let mode, let offered):
            self.init(
                .unavailable, "it has no mode \(OpenEnum(mode).name)",
                remedy: "it has " + Self.list(offered.map { OpenEnum($0).name }))
        case .cannot(let side):
            self.init(
                .unavailable, side == .heat ? "it does not heat" : "it does not cool",
                remedy: side == .heat ? "give cool T" : "give heat T")
        case .setpointOutOfRange(let side, let range):
            self.init(
                .malformedInput, "it cannot \(side.rawValue) to that temperature",
                remedy: "give \(TemperatureText.tenths(range.lowerBound)) to"
                    + " \(TemperatureText.tenths(range.upperBound))")
        case .fanModeNotOffered(let mode, let offered):
            self.init(
                .unavailable, "it has no mode \(OpenEnum(mode).name)",
                remedy: "it has \(Self.list(offered.map { OpenEnum($0).name })), or give percent")
        }
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

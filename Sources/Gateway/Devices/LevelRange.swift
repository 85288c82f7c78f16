internal import Base
internal import Matter

/// Between which levels a device moves. Application Clusters §1.6.6.
package struct LevelRange: Equatable, Sendable {
    package let least: UInt8
    package let most: UInt8

    /// What a level of 100 % is, whatever the device's own limits.
    private static let full = 254

    init(_ reports: [AttributeReport], on endpoint: EndpointID) {
        let most = min(reports.value(LevelControl.maxLevel, endpoint) ?? 254, 254)
        // Of lights 1 is the least, Application Clusters §1.6.6.
        let isLight = (reports.value(LevelControl.featureMap, endpoint) ?? 0) & 0x2 != 0
        least = min(reports.value(LevelControl.minLevel, endpoint) ?? (isLight ? 1 : 0), most)
        self.most = most
    }

    /// The level that comes nearest. One at the least level is off, so that anything above 0 %
    /// stays above it. Application Clusters §1.6.4.
    /// - Parameter percent: 0 to 100.
    package func level(percent: Int) -> UInt8 {
        precondition((0...100).contains(percent), "a level is 0 to 100 %")
        if percent == 0 { return least }
        let wanted = (percent * Self.full + 50) / 100
        return UInt8(min(max(wanted, Int(least) + 1), Int(most)))
    }

    /// What a level is in percent; 0 where that is off.
    package func percent(level: UInt8) -> Int {
        level <= least ? 0 : max(1, (Int(level) * 100 + Self.full / 2) / Self.full)
    }
}

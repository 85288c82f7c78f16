package import Base
package import Matter
internal import MatterNode

/// An attribute that is kept read where a device has it: what its values mean and can be.
package struct KeptAttribute: Sendable {
    package enum Meaning: Equatable, Sendable {
        case number(Quantity)
        /// Halves of a percent. Core §11.7.7.13.
        case halfPercent
        /// Words for 0 and 1.
        case flag(off: String, on: String)
        /// A number that stands for a word of the cluster's.
        case code
    }

    package let cluster: ClusterID
    package let attribute: AttributeID
    /// What people call it; several attributes may be of one word.
    package let word: String
    package let meaning: Meaning
    /// Values that a device can mean; others are none. The numbers that stand for null where
    /// they are not written as null are outside.
    package let range: ClosedRange<Int64>

    private init(
        _ cluster: UInt32, _ attribute: UInt32, _ word: String, _ meaning: Meaning,
        _ range: ClosedRange<Int64>
    ) {
        self.cluster = ClusterID(cluster)
        self.attribute = AttributeID(attribute)
        self.word = word
        self.meaning = meaning
        self.range = range
    }

    package static func of(_ cluster: ClusterID, _ attribute: AttributeID) -> KeptAttribute? {
        all.first { $0.cluster == cluster && $0.attribute == attribute }
    }

    /// The most wanted first: what a device that takes few paths is asked for. Ranges are those
    /// of Application Clusters 1.4, and what physics allows.
    package static let all: [KeptAttribute] = [
        KeptAttribute(0x0402, 0, "temperature", .number(.temperature), celsius),
        KeptAttribute(0x0201, 0, "temperature", .number(.temperature), celsius),
        KeptAttribute(0x0405, 0, "humidity", .number(.percent100ths), 0...10_000),
        KeptAttribute(0x0406, 0, "occupancy", .flag(off: "free", on: "occupied"), 0...1),
        KeptAttribute(0x0045, 0, "contact", .flag(off: "open", on: "closed"), 0...1),
        KeptAttribute(0x0006, 0, "on-off", .flag(off: "off", on: "on"), 0...1),
        KeptAttribute(0x002F, 0x000C, "battery", .halfPercent, 0...200),
        KeptAttribute(0x0090, 0x0008, "power", .number(.milliwatts), electrical),
        KeptAttribute(0x0091, 0x0001, "energy", .number(energy), electrical),
        KeptAttribute(0x0403, 0, "pressure", .number(.tenthsOfKilopascal), -32_767...32_767),
        KeptAttribute(0x0008, 0, "level", .code, 0...254),
        KeptAttribute(0x040D, 0, "co2", .number(partsPerMillion), 0...1_000_000_000),
        KeptAttribute(0x042A, 0, "pm25", .number(microgrammes), 0...1_000_000_000),
        KeptAttribute(0x005B, 0, "air-quality", .code, 0...6),
        KeptAttribute(0x0400, 0, "illuminance", .code, 0...65_534),
        KeptAttribute(0x0404, 0, "flow", .number(.tenthsOfCubicMetrePerHour), 0...65_534),
        KeptAttribute(0x0101, 0, "lock", .code, 0...3),
        KeptAttribute(0x0102, 0x000E, "position", .number(.percent100ths), 0...10_000),
        KeptAttribute(0x0202, 0x0003, "fan", .number(.percent), 0...100),
        KeptAttribute(0x0201, 0x001C, "mode", .code, 0...9),
        KeptAttribute(0x0201, 0x0012, "heating-setpoint", .number(.temperature), celsius),
        KeptAttribute(0x0201, 0x0011, "cooling-setpoint", .number(.temperature), celsius),
        KeptAttribute(0x0201, 0x0029, "running", .code, 0...0xFFFF),
    ]

    /// In hundredths of a degree, from absolute zero on.
    private static let celsius: ClosedRange<Int64> = -27_315...32_767
    /// Application Clusters §2.13.6: ±2^62.
    private static let electrical: ClosedRange<Int64> = -(1 << 62)...(1 << 62)
    private static let energy = Quantity("kWh", decimals: 6)
    private static let partsPerMillion = Quantity("ppm", decimals: 3)
    private static let microgrammes = Quantity("µg/m³", decimals: 3)
}

extension KeptAttribute {
    /// The value that an element holds. Numbers of floating point become thousandths, the
    /// structure of a meter its energy.
    /// - Parameter octets: one TLV element.
    /// - Returns: nil for null, for what is of no such type, and for what cannot be.
    package func value(_ octets: Span<UInt8>) -> Int64? {
        do throws(TLVError) {
            var reader = TLVReader(octets)
            let element = try reader.require()
            guard case .open(.structure) = element.value else { return value(element) }
            while let member = try reader.next() {
                if case .end = member.value { return nil }
                if member.contextTag == 0 { return value(member) }
                try reader.skip(member)
            }
            return nil
        } catch { return nil }
    }

    private func value(_ element: borrowing TLVElement) -> Int64? {
        let number: Int64?
        switch element.value {
        case .signed(let value): number = value
        case .unsigned(let value): number = Int64(exactly: value)
        case .boolean(let isSet): number = isSet ? 1 : 0
        case .float(let value): number = Self.thousandths(Double(value))
        case .double(let value): number = Self.thousandths(value)
        case .utf8, .octets, .null, .open, .end: number = nil
        }
        guard var number else { return nil }
        // Of the bits of an occupancy only the lowest is one. Application Clusters §2.7.6.1.
        if cluster == Self.occupancySensing { number &= 1 }
        return range.contains(number) ? number : nil
    }

    private static let occupancySensing = ClusterID(0x0406)

    private static func thousandths(_ value: Double) -> Int64? {
        Int64(exactly: (value * 1000).rounded())
    }

    /// "21.50 °C", "on", "no value".
    package func text(_ value: Int64?) -> String {
        guard let value else { return "no value" }
        switch meaning {
        case .number(let quantity): return quantity.text(value)
        case .halfPercent: return "\(value / 2)\(value % 2 == 0 ? "" : ".5") %"
        case .flag(let off, let on): return value == 0 ? off : on
        case .code: return "\(value)"
        }
    }

    /// Whether it is what people look at first: no code, and nothing that they set themselves.
    var isMeasured: Bool { meaning != .code && !word.hasSuffix("setpoint") }

    /// How many of the number's digits are behind the point, and its unit; nil of what has none.
    package var quantity: Quantity? {
        switch meaning {
        case .number(let quantity): quantity
        case .halfPercent: Quantity("%")
        case .flag, .code: nil
        }
    }

    /// The number that people mean, in JSON: 21.5, true, null.
    package func json(_ value: Int64?) -> JSONValue {
        guard let value else { return .null }
        switch meaning {
        case .number(let quantity) where quantity.decimals > 0:
            var divisor = 1.0
            for _ in 0..<quantity.decimals { divisor *= 10 }
            return .number(Double(value) / divisor)
        case .number, .code: return .integer(value)
        case .halfPercent: return .number(Double(value) / 2)
        case .flag: return .boolean(value != 0)
        }
    }
}

extension KeptAttribute {
    /// What is asked of a node, of all its endpoints at once, so that none is refused for what
    /// an endpoint does not have; the most wanted first.
    static func paths(of node: NodeRecord) -> [AttributePath] {
        // One that was not asked what it is may have anything.
        let isKnown = !node.endpoints.isEmpty
        return all.filter { kept in
            !isKnown || node.endpoints.contains { $0.clusters.contains(kept.cluster) }
        }.map { AttributePath(endpoint: nil, cluster: $0.cluster, attribute: $0.attribute) }
    }
}

internal import Base

/// The TXT values of Matter's services, Core §4.3.1 and §4.3.4. What is absent, malformed or
/// beyond its bound is nil; the first value of a key counts (RFC 6763 §6.4).
package struct ServiceText: Equatable, Sendable {
    /// D: the long discriminator, 0 ... 4095.
    package private(set) var discriminator: UInt16?
    /// CM: 0 no window, 1 the basic and 2 the enhanced commissioning method.
    package private(set) var commissioningMode: UInt8?
    /// VP, before the plus sign.
    package private(set) var vendorID: VendorID?
    /// VP, after the plus sign.
    package private(set) var productID: ProductID?
    /// DT.
    package private(set) var deviceType: UInt32?
    /// DN: at most 32 octets, meant to be UTF-8 and to be shown escaped.
    package private(set) var deviceName: [UInt8]?
    /// PH: a bitmap of what to do to open the window.
    package private(set) var pairingHint: UInt32?
    /// PI: at most 128 octets.
    package private(set) var pairingInstruction: [UInt8]?
    /// RI: the rotating device identifier, at most 50 octets.
    package private(set) var rotatingIdentifier: [UInt8]?
    /// SII: the retransmission interval while the node is idle, at most an hour.
    package private(set) var sessionIdleInterval: Duration?
    /// SAI: the same while it is active.
    package private(set) var sessionActiveInterval: Duration?
    /// SAT: how long it stays active.
    package private(set) var sessionActiveThreshold: Duration?
    /// T: a bitmap; bit 1 says TCP client, bit 2 TCP server.
    package private(set) var transports: UInt32?
    /// ICD: true for a long idle time device.
    package private(set) var isLongIdleTimeDevice: Bool?

    package init() {}

    package init(_ text: borrowing DNSText) {
        var entries = text.entries
        while let entry = entries.next() {
            guard entry.hasValue else { continue }
            take(Key(entry.key), entry.value)
        }
    }

    private mutating func take(_ key: Key, _ value: Span<UInt8>) {
        switch key {
        case .d where discriminator == nil:
            discriminator = number(value, max: 0xFFF).map { UInt16($0) }
        case .cm where commissioningMode == nil:
            commissioningMode = number(value, max: 0xFF).map { UInt8($0) }
        case .vp where vendorID == nil: takeVendorAndProduct(value)
        case .dt where deviceType == nil: deviceType = number(value, max: .max)
        case .dn where deviceName == nil: deviceName = octets(value, max: 32)
        case .ph where pairingHint == nil: pairingHint = number(value, max: .max)
        case .pi where pairingInstruction == nil: pairingInstruction = octets(value, max: 128)
        case .ri where rotatingIdentifier == nil: rotatingIdentifier = hexadecimal(value, max: 50)
        case .sii where sessionIdleInterval == nil: sessionIdleInterval = interval(value)
        case .sai where sessionActiveInterval == nil: sessionActiveInterval = interval(value)
        case .sat where sessionActiveThreshold == nil:
            sessionActiveThreshold = number(value, max: 0xFFFF).map { .milliseconds($0) }
        case .t where transports == nil: transports = number(value, max: .max)
        case .icd where isLongIdleTimeDevice == nil:
            isLongIdleTimeDevice = number(value, max: 1).map { $0 == 1 }
        default: break
        }
    }

    private mutating func takeVendorAndProduct(_ value: Span<UInt8>) {
        var plus = 0
        while plus < value.count, value[plus] != 0x2B { plus += 1 }
        guard let vendor = number(value.extracting(0..<plus), max: 0xFFFF) else { return }
        vendorID = VendorID(UInt16(vendor))
        guard plus < value.count else { return }
        let product = number(value.extracting((plus + 1)..<value.count), max: 0xFFFF)
        productID = product.map { ProductID(UInt16($0)) }
    }
}

extension ServiceText {
    /// A key of up to three letters as one number, without regard to case.
    private struct Key: Equatable {
        let letters: UInt32

        init(_ key: Span<UInt8>) {
            var letters: UInt32 = 0
            for index in 0..<min(key.count, 4) {
                letters = letters << 8 | UInt32(key[index].asciiLowercased)
            }
            self.letters = letters
        }

        private init(_ key: String) {
            letters = key.utf8.reduce(0) { $0 << 8 | UInt32($1.asciiLowercased) }
        }

        static let d = Key("D")
        static let cm = Key("CM")
        static let vp = Key("VP")
        static let dt = Key("DT")
        static let dn = Key("DN")
        static let ph = Key("PH")
        static let pi = Key("PI")
        static let ri = Key("RI")
        static let sii = Key("SII")
        static let sai = Key("SAI")
        static let sat = Key("SAT")
        static let t = Key("T")
        static let icd = Key("ICD")

        static func ~= (pattern: Key, key: Key) -> Bool { pattern == key }
    }

    /// Decimal digits alone.
    private func number(_ value: Span<UInt8>, max: UInt32) -> UInt32? {
        guard value.count >= 1, value.count <= 10 else { return nil }
        var number: UInt64 = 0
        for index in value.indices {
            guard value[index] >= 0x30, value[index] <= 0x39 else { return nil }
            number = number * 10 + UInt64(value[index] - 0x30)
        }
        return number <= UInt64(max) ? UInt32(number) : nil
    }

    /// Milliseconds, at most an hour (Core §4.3.4).
    private func interval(_ value: Span<UInt8>) -> Duration? {
        number(value, max: 3_600_000).map { .milliseconds($0) }
    }

    private func octets(_ value: Span<UInt8>, max: Int) -> [UInt8]? {
        value.count <= max ? [UInt8](value) : nil
    }

    private func hexadecimal(_ value: Span<UInt8>, max: Int) -> [UInt8]? {
        guard value.count <= 2 * max, value.count.isMultiple(of: 2) else { return nil }
        return Hex.decode(String(decoding: [UInt8](value), as: UTF8.self))
    }
}

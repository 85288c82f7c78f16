internal import Base

/// Appends DER. A constructed element is opened, filled and closed; its length is set at the end.
package struct DERWriter {
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: octets that are usually enough.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// - Returns: what `close` takes.
    package mutating func open(_ tag: DERTag) -> Int {
        bytes.append(tag.rawValue)
        bytes.append(0)
        return bytes.count
    }

    package mutating func close(_ start: Int) {
        let count = bytes.count - start
        precondition(count < 0x10000, "no element written here reaches 64 KiB")
        if count < 0x80 {
            bytes[start - 1] = UInt8(count)
        } else if count < 0x100 {
            bytes[start - 1] = 0x81
            bytes.insert(UInt8(count), at: start)
        } else {
            bytes[start - 1] = 0x82
            bytes.insert(UInt8(count & 0xFF), at: start)
            bytes.insert(UInt8(count >> 8), at: start)
        }
    }

    package mutating func primitive(_ tag: DERTag, _ content: Span<UInt8>) {
        let start = open(tag)
        bytes.append(contentsOf: content)
        close(start)
    }

    /// An element that is already encoded.
    package mutating func raw(_ element: Span<UInt8>) {
        bytes.append(contentsOf: element)
    }

    package mutating func objectIdentifier(_ identifier: [UInt8]) {
        primitive(.objectIdentifier, identifier.span)
    }

    /// An identifier that is `prefix` and one more octet.
    package mutating func objectIdentifier(_ prefix: [UInt8], _ last: UInt8) {
        let start = open(.objectIdentifier)
        bytes.append(contentsOf: prefix)
        bytes.append(last)
        close(start)
    }

    /// An octet of a primitive element that is open.
    package mutating func octet(_ value: UInt8) {
        bytes.append(value)
    }

    package mutating func integer(_ value: UInt8) {
        let start = open(.integer)
        if value >= 0x80 { bytes.append(0) }
        bytes.append(value)
        close(start)
    }

    /// A positive INTEGER of any size: leading zeros go, a sign octet comes where one is needed.
    package mutating func integer(magnitude: Span<UInt8>) {
        var first = 0
        while first + 1 < magnitude.count, magnitude[first] == 0 { first += 1 }
        let start = open(.integer)
        if magnitude[first] >= 0x80 { bytes.append(0) }
        bytes.append(contentsOf: magnitude.extracting(first..<magnitude.count))
        close(start)
    }

    package mutating func boolean(_ value: Bool) {
        let start = open(.boolean)
        bytes.append(value ? 0xFF : 0x00)
        close(start)
    }

    /// A BIT STRING of whole octets.
    package mutating func bitString(_ octets: Span<UInt8>) {
        let start = open(.bitString)
        bytes.append(0)
        bytes.append(contentsOf: octets)
        close(start)
    }
}

import Base

/// Gives the octets it was made with, in order, and then stops the test.
struct FixedRandom: RandomSource {
    private var rest: [UInt8]

    init(_ bytes: [UInt8]) { rest = bytes }

    var isUsedUp: Bool { rest.isEmpty }

    mutating func fill(_ bytes: inout MutableSpan<UInt8>) {
        for index in bytes.indices { bytes[index] = rest.removeFirst() }
    }
}

func hex(_ text: String) -> [UInt8] {
    guard let bytes = Hex.decode(text) else { fatalError("no hexadecimal: \(text)") }
    return bytes
}

internal import Crypto

/// Binds the values of one row in their order and sums them up, so that a bit that has fallen
/// over inside a value is seen when the row is read. SQLite's own check sees only its structure.
struct RowWriter {
    private let statement: Statement
    private var place: Int32 = 0
    private var sum = RowChecksum()

    init(_ statement: Statement) {
        self.statement = statement
    }

    mutating func integer(_ value: Int64) {
        statement.bind(place, value)
        sum.add(integer: value)
        place += 1
    }

    /// Numbers of 64 bits keep their bits; SQLite's are signed.
    mutating func unsigned(_ value: some UnsignedInteger) {
        integer(Int64(bitPattern: UInt64(value)))
    }

    mutating func text(_ value: String) {
        statement.bind(place, value)
        sum.add(text: value)
        place += 1
    }

    mutating func bytes(_ value: Span<UInt8>) {
        statement.bind(place, value)
        sum.add(bytes: value)
        place += 1
    }

    mutating func null() {
        statement.bindNull(place)
        sum.addNull()
        place += 1
    }

    /// Binds the sum as the last value.
    mutating func checksum() {
        statement.bind(place, sum.value)
        place += 1
    }
}

/// Reads the values of one row in the order in which they were written.
struct RowReader {
    private let statement: Statement
    private var place: Int32 = 0
    private var sum = RowChecksum()
    private var isWhole = true

    init(_ statement: Statement) {
        self.statement = statement
    }

    var isNull: Bool { statement.isNull(place) }

    mutating func null() {
        sum.addNull()
        place += 1
    }

    mutating func integer() -> Int64 {
        let value = statement.integer(place)
        sum.add(integer: value)
        place += 1
        return value
    }

    /// A number beyond `Value` makes the row a damaged one.
    mutating func unsigned<Value: FixedWidthInteger & UnsignedInteger>() -> Value {
        let value = UInt64(bitPattern: integer())
        guard let exact = Value(exactly: value) else {
            isWhole = false
            return 0
        }
        return exact
    }

    mutating func text() -> String {
        let value = statement.text(place)
        sum.add(text: value)
        place += 1
        return value
    }

    mutating func bytes() -> [UInt8] {
        let value = statement.bytes(place) { span in
            var copy: [UInt8] = []
            copy.reserveCapacity(span.count)
            for index in span.indices { copy.append(span[index]) }
            return copy
        }
        sum.add(bytes: value.span)
        place += 1
        return value
    }

    mutating func secret() -> Secret {
        let value = statement.bytes(place) { Secret($0) }
        sum.add(bytes: value.span)
        place += 1
        return value
    }

    /// Whether the row is as it was written.
    mutating func isIntact() -> Bool {
        isWhole && statement.integer(place) == sum.value
    }
}

/// FNV-1a over kinds and contents. It finds accidents, not forgers.
private struct RowChecksum {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    var value: Int64 { Int64(bitPattern: state) }

    mutating func add(integer: Int64) {
        add(1)
        add(number: UInt64(bitPattern: integer))
    }

    mutating func add(text: String) {
        add(2)
        for octet in text.utf8 { add(octet) }
        add(number: UInt64(text.utf8.count))
    }

    mutating func add(bytes: Span<UInt8>) {
        add(3)
        for index in bytes.indices { add(bytes[index]) }
        add(number: UInt64(bytes.count))
    }

    mutating func addNull() { add(4) }

    private mutating func add(number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    private mutating func add(_ octet: UInt8) {
        state = (state ^ UInt64(octet)) &* 0x0000_0100_0000_01B3
    }
}

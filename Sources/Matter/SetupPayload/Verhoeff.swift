/// The check digit of manual codes: it finds every wrong digit and every swap of neighbours.
/// Core §5.1.4; J. Verhoeff, Error Detecting Decimal Codes, 1969.
package enum Verhoeff {
    /// Whether the last of `digits`, values of 0 ... 9, is the check digit of those before it.
    package static func isValid(_ digits: Span<UInt8>) -> Bool {
        sum(digits, lastPlace: 0) == 0
    }

    /// The digit that makes `digits` valid when it is appended.
    package static func checkDigit(of digits: Span<UInt8>) -> UInt8 {
        let sum = sum(digits, lastPlace: 1)
        // A reflection is its own inverse.
        return sum < 5 ? (5 - sum) % 5 : sum
    }

    /// - Parameter lastPlace: the place of the last digit; places count up to the left.
    private static func sum(_ digits: Span<UInt8>, lastPlace: Int) -> UInt8 {
        var sum: UInt8 = 0
        for index in digits.indices.reversed() {
            let place = digits.count - 1 - index + lastPlace
            sum = product(sum, permuted(digits[index], times: place % 8))
        }
        return sum
    }

    /// In the symmetries of a pentagon: 0 ... 4 are its turns, 5 ... 9 its reflections.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        let turn = left < 5 ? left + right % 5 : left + 5 - right % 5
        return turn % 5 + ((left < 5) == (right < 5) ? 0 : 5)
    }

    private static func permuted(_ digit: UInt8, times: Int) -> UInt8 {
        var digit = digit
        for _ in 0..<times { digit = permutation[Int(digit)] }
        return digit
    }

    /// Its eighth power moves nothing.
    private static let permutation: InlineArray<10, UInt8> = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
}

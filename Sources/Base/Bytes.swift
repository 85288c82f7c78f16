/// What borrowed and owned bytes have in common beyond the standard library.

extension Span where Element == UInt8 {
    /// Compares content. The time depends on the lengths alone, never on where the bytes differ,
    /// so that authenticators can be compared with it.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        var index = 0
        while index < count {
            difference |= self[index] ^ other[index]
            index += 1
        }
        return difference == 0
    }
}

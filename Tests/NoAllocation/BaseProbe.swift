/// Uses every generic of Base's core once, so that the compiler looks into it.
/// Compiled by scripts/check-no-allocations alone.

package struct ProbeSource: RandomSource {
    var state: UInt64 = 1

    package mutating func fill(_ bytes: inout MutableSpan<UInt8>) {
        for index in bytes.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            bytes[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}

package func probeFixedBytes(_ bytes: Span<UInt8>, _ hasher: inout Hasher) -> Bool {
    guard var digest = FixedBytes<32>(bytes) else { return false }
    var span = digest.mutableSpan
    span[0] = 1
    digest[1] = digest[0]
    digest.hash(into: &hasher)
    return digest == FixedBytes<32>() && digest.span.count == 32
}

package func probeRandomSource() -> Double {
    var source = ProbeSource()
    let nonce: FixedBytes<13> = source.bytes()
    let drawn = source.uint64() ^ UInt64(source.uint32()) ^ UInt64(source.uint16())
    return source.unitInterval() + Double(drawn & 1) + Double(nonce[0])
}

/// One stream of random octets that several actors of one loop draw from: whoever draws next
/// gets what comes next, so that a seeded run takes the same course each time.
package final class SharedRandom: RandomSource, @unchecked Sendable {
    private var source: any RandomSource

    package init(_ source: any RandomSource) {
        self.source = source
    }

    package func fill(_ bytes: inout MutableSpan<UInt8>) {
        source.fill(&bytes)
    }

    // What a reference needs no variable for.

    package func drawBytes<let size: Int>() -> FixedBytes<size> {
        var source = self
        return source.bytes()
    }

    package func drawUInt16() -> UInt16 {
        var source = self
        return source.uint16()
    }

    package func drawUInt32() -> UInt32 {
        var source = self
        return source.uint32()
    }

    package func drawUInt64() -> UInt64 {
        var source = self
        return source.uint64()
    }
}

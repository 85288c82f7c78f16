internal import Base

/// Uses every generic of Matter's core once, so that the compiler looks into it.
/// Compiled by scripts/check-no-allocations alone.

package func probeIntegers(_ bytes: Span<UInt8>) throws(TLVError) -> Int64 {
    var reader = TLVReader(bytes)
    let element = try reader.require()
    var sum = Int64(try element.integer(as: UInt8.self))
    sum += Int64(try element.integer(as: UInt16.self))
    sum += Int64(try element.integer(as: UInt32.self))
    sum += Int64(try element.integer(as: Int8.self))
    sum += Int64(try element.integer(as: Int16.self))
    sum += Int64(try element.integer(as: Int32.self))
    return sum + (try element.integer(as: Int64.self))
}

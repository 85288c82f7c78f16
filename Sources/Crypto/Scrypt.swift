internal import Base
internal import COpenSSL

/// scrypt: makes guessing a passphrase expensive in time and in memory. RFC 7914.
///
/// A value of it is what one derivation costs, within bounds: it may come from a file that
/// somebody else wrote, and must not be able to take this machine's memory.
package struct Scrypt: Equatable, Sendable {
    /// The logarithm to base 2 of N, the cost.
    package let log2Cost: UInt8
    /// r: blocks have 128 times so many octets.
    package let blockSize: UInt8
    /// p: how often the work is done with the same memory.
    package let parallelization: UInt8

    /// 32 MiB, half a second on a slow core: a small board has them beside everything else.
    package static let standard = Scrypt(
        checked: 15, blockSize: 8, parallelization: 3)

    /// Octets of memory: an eighth of the smallest board's.
    package static let memoryBytesMax = 64 << 20
    /// Octets gone through: the largest memory four times, some seconds on a slow core.
    package static let workBytesMax = 4 * memoryBytesMax

    /// - Throws: `invalidParameter` for what RFC 7914 does not allow, or beyond the bounds.
    package init(
        log2Cost: UInt8, blockSize: UInt8, parallelization: UInt8
    ) throws(CryptoError) {
        guard log2Cost >= 1, log2Cost < 32, blockSize >= 1, parallelization >= 1 else {
            throw .invalidParameter
        }
        let memory = 128 * Int(blockSize) << Int(log2Cost)
        // RFC 7914 §2: N is less than 2 to the power of 128 * r / 8.
        guard Int(log2Cost) < 16 * Int(blockSize), memory <= Self.memoryBytesMax,
            memory * Int(parallelization) <= Self.workBytesMax
        else { throw .invalidParameter }
        self.init(
            checked: log2Cost, blockSize: blockSize, parallelization: parallelization)
    }

    private init(checked log2Cost: UInt8, blockSize: UInt8, parallelization: UInt8) {
        self.log2Cost = log2Cost
        self.blockSize = blockSize
        self.parallelization = parallelization
    }

    /// Takes its time and memory.
    /// - Parameter count: octets to derive, 1 or more.
    package func derive(
        passphrase: Span<UInt8>, salt: Span<UInt8>, count: Int
    ) -> Secret {
        precondition(count >= 1, "scrypt derives at least one octet")
        // What libcrypto keeps beside the large table: one block, and one for each repetition.
        let blocks = 128 * Int(blockSize) * (Int(parallelization) + 2)
        let memory = UInt64((128 * Int(blockSize) << Int(log2Cost)) + blocks)
        return Secret(count: count) { output in
            let derived = unsafe passphrase.withUnsafeBufferPointer { passphrase in
                unsafe salt.withUnsafeBufferPointer { salt in
                    unsafe output.withUnsafeMutableBufferPointer { output in
                        unsafe EVP_PBE_scrypt(
                            UnsafeRawPointer(
                                passphrase.baseAddress ?? UnsafePointer(Libcrypto.nothing)
                            )
                            .assumingMemoryBound(to: CChar.self),
                            passphrase.count, salt.baseAddress, salt.count,
                            1 << UInt64(log2Cost), UInt64(blockSize), UInt64(parallelization),
                            memory, output.baseAddress, output.count)
                    }
                }
            }
            precondition(derived == 1, "libcrypto has no memory")
        }
    }
}

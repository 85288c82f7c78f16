internal import Base
internal import COpenSSL

/// The system's generator, as libcrypto seeds and reseeds it. Fit for keys.
package struct SystemRandom: RandomSource {
    package init() {}

    package mutating func fill(_ bytes: inout MutableSpan<UInt8>) {
        guard !bytes.isEmpty else { return }
        let filled = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe RAND_priv_bytes($0.baseAddress, Int32($0.count))
        }
        precondition(filled == 1, "the system has no randomness: no key may be made")
    }
}

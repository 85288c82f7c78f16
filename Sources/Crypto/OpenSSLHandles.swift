/// Owners of libcrypto's objects, and what is fetched from it once for the whole process.
internal import Base
internal import COpenSSL

/// Fetched algorithms. They are only read, so every thread may share them.
enum Libcrypto {
    nonisolated(unsafe) static let sha256 = unsafe present(EVP_MD_fetch(nil, "SHA256", nil))
    nonisolated(unsafe) static let sha1 = unsafe present(EVP_MD_fetch(nil, "SHA1", nil))
    nonisolated(unsafe) static let aes128CCM = unsafe present(
        EVP_CIPHER_fetch(nil, "AES-128-CCM", nil))
    nonisolated(unsafe) static let aes256GCM = unsafe present(
        EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))

    /// An HMAC-SHA256 without a key, to be duplicated: a duplicate needs no look-up of the digest.
    nonisolated(unsafe) static let hmacSHA256: OpaquePointer = {
        let algorithm = unsafe present(EVP_MAC_fetch(nil, "HMAC", nil))
        let context = unsafe present(EVP_MAC_CTX_new(algorithm))
        unsafe EVP_MAC_free(algorithm)
        let digest = unsafe OSSL_PARAM_construct_utf8_string(
            characters("digest"), UnsafeMutablePointer(mutating: characters("SHA256")), 0)
        let parameters = unsafe [digest, OSSL_PARAM_construct_end()]
        let set = unsafe parameters.withUnsafeBufferPointer {
            unsafe EVP_MAC_CTX_set_params(context, $0.baseAddress)
        }
        precondition(set == 1, "HMAC takes SHA-256")
        return unsafe context
    }()

    /// libcrypto answers nil when it has no memory or was built without the algorithm.
    static func present(_ pointer: OpaquePointer?) -> OpaquePointer {
        guard let pointer = unsafe pointer else {
            preconditionFailure("libcrypto has no memory or lacks an algorithm")
        }
        return unsafe pointer
    }

    /// A constant C string, as parameter lists want it.
    static func characters(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Stands for the octets of an empty span where C asks for some address.
    nonisolated(unsafe) static let nothing = UnsafeMutablePointer<UInt8>.allocate(
        capacity: 1)
}

/// A natural number, most often a secret scalar. Its storage is wiped when it goes.
@safe struct BigNumber: ~Copyable {
    let pointer: OpaquePointer

    init() {
        unsafe pointer = Libcrypto.present(BN_new())
        unsafe BN_set_flags(pointer, BN_FLG_CONSTTIME)
    }

    /// - Parameter bytes: most significant first.
    init(_ bytes: Span<UInt8>) {
        self.init()
        let read = unsafe bytes.withUnsafeBufferPointer {
            unsafe BN_bin2bn($0.baseAddress, Int32($0.count), pointer)
        }
        precondition(unsafe read != nil, "libcrypto has no memory")
    }

    /// The number in exactly `count` octets, most significant first.
    func secret(count: Int) -> Secret {
        Secret(count: count) { output in
            let written = unsafe output.withUnsafeMutableBufferPointer {
                unsafe BN_bn2binpad(pointer, $0.baseAddress, Int32(count))
            }
            precondition(written == count, "the number has more octets than asked for")
        }
    }

    deinit {
        unsafe BN_clear_free(pointer)
    }
}

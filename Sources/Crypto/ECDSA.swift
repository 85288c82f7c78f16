/// ECDSA with libcrypto's keys and contexts, kept so that a signature costs what it must.
internal import Base
internal import COpenSSL
internal import Synchronization

/// Signs digests with one private key. libcrypto's form of the key is made at the first use,
/// for most keys only ever agree on secrets.
@safe struct ECDSASigning: ~Copyable {
    /// An EVP_PKEY_CTX that owns its key.
    private var context: OpaquePointer?

    init() {
        unsafe context = nil
    }

    mutating func sign(
        _ digest: FixedBytes<32>, scalar: Secret, publicKey: FixedBytes<65>
    ) -> FixedBytes<64> {
        if unsafe context == nil {
            let key = unsafe ECDSAKey.make(publicKey: publicKey, scalar: scalar)
            let made = unsafe Libcrypto.present(EVP_PKEY_CTX_new_from_pkey(nil, key, nil))
            unsafe EVP_PKEY_free(key)
            precondition(unsafe EVP_PKEY_sign_init(made) == 1, "a P-256 key signs")
            unsafe context = made
        }
        var encoded = FixedBytes<72>()
        var count = 72
        var output = encoded.mutableSpan
        let isSigned = unsafe digest.span.withUnsafeBufferPointer { digest in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe EVP_PKEY_sign(
                    context, output.baseAddress, &count, digest.baseAddress, digest.count)
            }
        }
        precondition(isSigned == 1, "libcrypto has no memory or no randomness")
        return ECDSASignature.raw(encoded.span.extracting(0..<count))
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(context)
    }
}

/// Verifies with whatever public key is asked for. Making libcrypto's form of a key costs a
/// quarter of a verification, putting another point into one that is there costs next to nothing.
@safe struct ECDSAVerification: ~Copyable {
    static let shared = Mutex(ECDSAVerification())

    private let key: OpaquePointer
    private let context: OpaquePointer

    private init() {
        // Any point will do: the generator.
        var one = FixedBytes<32>()
        one[31] = 1
        unsafe key = ECDSAKey.make(
            publicKey: P256Scalar.publicPoint(of: Secret(one.span)), scalar: nil)
        unsafe context = Libcrypto.present(EVP_PKEY_CTX_new_from_pkey(nil, key, nil))
    }

    mutating func verify(
        _ signature: FixedBytes<64>, digest: FixedBytes<32>, publicKey: FixedBytes<65>
    ) -> Bool {
        let encoded = ECDSASignature.encoded(signature)
        let ready = unsafe publicKey.span.withUnsafeBufferPointer {
            unsafe EVP_PKEY_set1_encoded_public_key(key, $0.baseAddress, $0.count) == 1
                && EVP_PKEY_verify_init(context) == 1
        }
        precondition(ready, "a checked point is a public key")
        let answer = unsafe encoded.bytes.span.withUnsafeBufferPointer { signature in
            unsafe digest.span.withUnsafeBufferPointer { digest in
                unsafe EVP_PKEY_verify(
                    context, signature.baseAddress, encoded.count, digest.baseAddress,
                    digest.count)
            }
        }
        if answer != 1 { ERR_clear_error() }
        return answer == 1
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(context)
        unsafe EVP_PKEY_free(key)
    }
}

private enum ECDSAKey {
    /// EVP_PKEY_PUBLIC_KEY and EVP_PKEY_KEYPAIR, macros that Swift does not see.
    private static let publicSelection =
        OSSL_KEYMGMT_SELECT_ALL_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
    private static let pairSelection = publicSelection | OSSL_KEYMGMT_SELECT_PRIVATE_KEY

    /// An EVP_PKEY on P-256; the caller frees it.
    static func make(publicKey: FixedBytes<65>, scalar: Secret?) -> OpaquePointer {
        // Numbers in parameter lists are in the machine's own octet order.
        let number = scalar.map { scalar in
            Secret(count: 32) { output in
                let value = BigNumber(scalar.span)
                let written = unsafe output.withUnsafeMutableBufferPointer {
                    unsafe BN_bn2nativepad(value.pointer, $0.baseAddress, 32)
                }
                precondition(written == 32, "a scalar has 32 octets")
            }
        }
        let maker = unsafe Libcrypto.present(EVP_PKEY_CTX_new_from_name(nil, "EC", nil))
        defer { unsafe EVP_PKEY_CTX_free(maker) }
        var key: OpaquePointer?
        let selection = number == nil ? publicSelection : pairSelection
        let isMade = unsafe withParameters(publicKey: publicKey, number: number) { parameters in
            unsafe EVP_PKEY_fromdata_init(maker) == 1
                && EVP_PKEY_fromdata(maker, &key, selection, parameters) == 1
        }
        precondition(isMade, "a checked point and its scalar are a key")
        return unsafe Libcrypto.present(key)
    }

    private static func withParameters(
        publicKey: FixedBytes<65>, number: Secret?,
        _ body: (UnsafeMutablePointer<OSSL_PARAM>) -> Bool
    ) -> Bool {
        let group = unsafe OSSL_PARAM_construct_utf8_string(
            Libcrypto.characters("group"),
            UnsafeMutablePointer(mutating: Libcrypto.characters("prime256v1")), 0)
        return unsafe publicKey.span.withUnsafeBufferPointer { point in
            let point = unsafe OSSL_PARAM_construct_octet_string(
                Libcrypto.characters("pub"),
                UnsafeMutableRawPointer(mutating: point.baseAddress), point.count)
            guard let number else {
                var list = unsafe [group, point, OSSL_PARAM_construct_end()]
                return unsafe body(&list)
            }
            return unsafe number.span.withUnsafeBufferPointer { number in
                let number = unsafe OSSL_PARAM_construct_BN(
                    Libcrypto.characters("priv"),
                    UnsafeMutablePointer(mutating: number.baseAddress), number.count)
                var list = unsafe [group, point, number, OSSL_PARAM_construct_end()]
                return unsafe body(&list)
            }
        }
    }
}

/// The two forms of a signature: r and s in 32 octets each, and libcrypto's DER.
private enum ECDSASignature {
    /// At most 72 octets: two INTEGERs of 33 octets with their headers, in a SEQUENCE.
    static func encoded(_ signature: FixedBytes<64>) -> (bytes: FixedBytes<72>, count: Int) {
        var bytes = FixedBytes<72>()
        bytes[0] = 0x30
        var count = 2
        for half in 0..<2 {
            var start = 32 * half
            let end = start + 32
            while start < end - 1, signature[start] == 0 { start += 1 }
            let needsZero = signature[start] >= 0x80
            bytes[count] = 0x02
            bytes[count + 1] = UInt8(end - start + (needsZero ? 1 : 0))
            count += needsZero ? 3 : 2
            for index in start..<end {
                bytes[count] = signature[index]
                count += 1
            }
        }
        bytes[1] = UInt8(count - 2)
        return (bytes, count)
    }

    /// - Parameter encoded: DER that libcrypto made.
    static func raw(_ encoded: Span<UInt8>) -> FixedBytes<64> {
        var signature = FixedBytes<64>()
        var offset = 2
        for half in 0..<2 {
            var count = Int(encoded[offset + 1])
            offset += 2
            if count == 33 {
                offset += 1
                count = 32
            }
            for index in 0..<count {
                signature[32 * half + 32 - count + index] = encoded[offset + index]
            }
            offset += count
        }
        return signature
    }
}

/// Arithmetic on P-256 with libcrypto: the group, its points and its scalars.
internal import Base
internal import COpenSSL

/// The group, made once. It is only read, so every thread may share it.
///
/// libcrypto multiplies in constant time here on every processor it has P-256 assembler for
/// (x86-64, 32- and 64-bit ARM), also in the combined form aG + bQ.
enum P256Group {
    nonisolated(unsafe) static let group = unsafe Libcrypto.present(
        EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1))
    nonisolated(unsafe) static let order = unsafe Libcrypto.present(EC_GROUP_get0_order(group))
}

/// Numbers 1 ... n - 1 in 32 octets, most significant first.
enum P256Scalar {
    /// The group's order n. SEC 2 §2.4.2.
    private static let order: InlineArray<32, UInt8> = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
        0x25, 0x51,
    ]

    /// One draw of 32 octets is out of range once in 2^32; so many in a row mean that the
    /// source does not give random octets.
    private static let drawsMax = 8

    /// Draws until the number is in range, so that every scalar is equally likely.
    static func random(using source: inout some RandomSource) -> Secret {
        for _ in 0..<drawsMax {
            let candidate = Secret(count: 32) { output in source.fill(&output) }
            if isScalar(candidate.span) { return candidate }
        }
        preconditionFailure("the random source repeats itself")
    }

    /// The time does not depend on the value.
    static func isScalar(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == 32 else { return false }
        var union: UInt8 = 0
        var borrow: Int16 = 0
        for index in stride(from: 31, through: 0, by: -1) {
            union |= bytes[index]
            borrow = (Int16(bytes[index]) - Int16(order[index]) - borrow) >> 8 & 1
        }
        return union != 0 && borrow == 1
    }

    /// scalar * G for a scalar in range.
    static func publicPoint(of scalar: Secret) -> FixedBytes<65> {
        do throws(CryptoError) {
            return try CurvePoint(generatorTimes: scalar).encoded()
        } catch {
            preconditionFailure("a scalar in 1 ... n - 1 gives no infinity")
        }
    }

    /// `bytes`, of any size, modulo n. The result may be zero.
    static func reduced(_ bytes: Span<UInt8>) -> Secret {
        let number = BigNumber(bytes)
        let remainder = BigNumber()
        let scratch = unsafe Libcrypto.present(BN_CTX_new())
        defer { unsafe BN_CTX_free(scratch) }
        let divided = unsafe BN_nnmod(
            remainder.pointer, number.pointer, P256Group.order, scratch)
        precondition(divided == 1, "libcrypto has no memory")
        return remainder.secret(count: 32)
    }
}

/// A point of the curve or infinity. It is wiped when it goes, for it may be secret.
@safe struct CurvePoint: ~Copyable {
    private let pointer: OpaquePointer

    /// Infinity.
    private init() {
        unsafe pointer = Libcrypto.present(EC_POINT_new(P256Group.group))
    }

    /// - Parameter bytes: the uncompressed form, 65 octets.
    /// - Throws: `invalidPublicKey` when they are no point of the curve, or infinity.
    init(_ bytes: Span<UInt8>) throws(CryptoError) {
        self.init()
        // libcrypto would also take infinity (one octet) and the hybrid form.
        guard bytes.count == 65, bytes[0] == 0x04 else { throw .invalidPublicKey }
        let read = unsafe bytes.withUnsafeBufferPointer {
            unsafe EC_POINT_oct2point(P256Group.group, pointer, $0.baseAddress, $0.count, nil)
        }
        guard read == 1 else {
            ERR_clear_error()
            throw .invalidPublicKey
        }
    }

    /// scalar * G
    init(generatorTimes scalar: Secret) {
        self.init()
        let number = BigNumber(scalar.span)
        let done = unsafe EC_POINT_mul(
            P256Group.group, pointer, number.pointer, nil, nil, nil)
        precondition(done == 1, "libcrypto has no memory")
    }

    /// scalar * point
    init(_ point: borrowing CurvePoint, times scalar: Secret) {
        self.init()
        let number = BigNumber(scalar.span)
        let done = unsafe EC_POINT_mul(
            P256Group.group, pointer, nil, point.pointer, number.pointer, nil)
        precondition(done == 1, "libcrypto has no memory")
    }

    /// first * G + second * point, cheaper than one after the other.
    init(
        generatorTimes first: Secret, plus point: borrowing CurvePoint, times second: Secret
    ) {
        self.init()
        let firstNumber = BigNumber(first.span)
        let secondNumber = BigNumber(second.span)
        let done = unsafe EC_POINT_mul(
            P256Group.group, pointer, firstNumber.pointer, point.pointer, secondNumber.pointer,
            nil)
        precondition(done == 1, "libcrypto has no memory")
    }

    mutating func add(_ other: borrowing CurvePoint) {
        let done = unsafe EC_POINT_add(P256Group.group, pointer, pointer, other.pointer, nil)
        precondition(done == 1, "libcrypto has no memory")
    }

    mutating func negate() {
        let done = unsafe EC_POINT_invert(P256Group.group, pointer, nil)
        precondition(done == 1, "libcrypto has no memory")
    }

    /// The uncompressed form of a point that everybody may see.
    /// - Throws: `invalidPublicKey` for infinity.
    func encoded() throws(CryptoError) -> FixedBytes<65> {
        var bytes = FixedBytes<65>()
        var output = bytes.mutableSpan
        try write(into: &output)
        return bytes
    }

    /// The uncompressed form of a point that nobody may see.
    /// - Throws: `invalidPublicKey` for infinity.
    func secretEncoding() throws(CryptoError) -> Secret {
        try Secret(count: 65) { (output: inout MutableSpan<UInt8>) throws(CryptoError) in
            try write(into: &output)
        }
    }

    /// The x coordinate in 32 octets: what ECDH agrees on. SEC 1 §3.3.1.
    /// - Throws: `invalidPublicKey` for infinity.
    func secretX() throws(CryptoError) -> Secret {
        let x = BigNumber()
        let done = unsafe EC_POINT_get_affine_coordinates(
            P256Group.group, pointer, x.pointer, nil, nil)
        guard done == 1 else {
            ERR_clear_error()
            throw .invalidPublicKey
        }
        return x.secret(count: 32)
    }

    private func write(into output: inout MutableSpan<UInt8>) throws(CryptoError) {
        let written = unsafe output.withUnsafeMutableBufferPointer {
            unsafe EC_POINT_point2oct(
                P256Group.group, pointer, POINT_CONVERSION_UNCOMPRESSED, $0.baseAddress,
                $0.count, nil)
        }
        guard written == 65 else { throw .invalidPublicKey }
    }

    deinit {
        unsafe EC_POINT_clear_free(pointer)
    }
}

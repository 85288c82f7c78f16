/// What both sides of a SPAKE2+ run compute alike: blinded points, transcript, keys.
internal import Base

/// The fixed points M and N of the draft for P-256, decoded once.
@safe struct SPAKE2PlusPoints: ~Copyable, @unchecked Sendable {
    /// The points are only read, so every thread may share them.
    static let shared = SPAKE2PlusPoints()

    /// Uncompressed, as the transcript has them.
    let mBytes: FixedBytes<65>
    let nBytes: FixedBytes<65>
    private let m: CurvePoint
    private let n: CurvePoint
    private let minusM: CurvePoint
    private let minusN: CurvePoint

    private init() {
        do throws(CryptoError) {
            m = try CurvePoint(SPAKE2PlusPoints.m.span)
            n = try CurvePoint(SPAKE2PlusPoints.n.span)
            var negative = try CurvePoint(SPAKE2PlusPoints.m.span)
            negative.negate()
            minusM = negative
            negative = try CurvePoint(SPAKE2PlusPoints.n.span)
            negative.negate()
            minusN = negative
            mBytes = try m.encoded()
            nBytes = try n.encoded()
        } catch {
            preconditionFailure("M and N are points of the curve")
        }
    }

    /// pA = x * G + w0 * M
    func blindedByM(_ x: Secret, w0: Secret) -> FixedBytes<65> {
        blinded(x, by: m, w0)
    }

    /// pB = y * G + w0 * N
    func blindedByN(_ y: Secret, w0: Secret) -> FixedBytes<65> {
        blinded(y, by: n, w0)
    }

    /// pA - w0 * M
    func withoutM(_ pA: Span<UInt8>, w0: Secret) throws(CryptoError) -> CurvePoint {
        var point = try CurvePoint(pA)
        point.add(CurvePoint(minusM, times: w0))
        return point
    }

    /// pB - w0 * N
    func withoutN(_ pB: Span<UInt8>, w0: Secret) throws(CryptoError) -> CurvePoint {
        var point = try CurvePoint(pB)
        point.add(CurvePoint(minusN, times: w0))
        return point
    }

    private func blinded(
        _ scalar: Secret, by point: borrowing CurvePoint, _ w0: Secret
    ) -> FixedBytes<65> {
        do throws(CryptoError) {
            return try CurvePoint(
                generatorTimes: scalar, plus: point, times: w0
            ).encoded()
        } catch {
            preconditionFailure("a random scalar hits infinity once in 2^256")
        }
    }

    private static let m: [UInt8] = [
        0x04, 0x88, 0x6E, 0x2F, 0x97, 0xAC, 0xE4, 0x6E, 0x55, 0xBA, 0x9D, 0xD7, 0x24, 0x25, 0x79,
        0xF2, 0x99, 0x3B, 0x64, 0xE1, 0x6E, 0xF3, 0xDC, 0xAB, 0x95, 0xAF, 0xD4, 0x97, 0x33, 0x3D,
        0x8F, 0xA1, 0x2F, 0x5F, 0xF3, 0x55, 0x16, 0x3E, 0x43, 0xCE, 0x22, 0x4E, 0x0B, 0x0E, 0x65,
        0xFF, 0x02, 0xAC, 0x8E, 0x5C, 0x7B, 0xE0, 0x94, 0x19, 0xC7, 0x85, 0xE0, 0xCA, 0x54, 0x7D,
        0x55, 0xA1, 0x2E, 0x2D, 0x20,
    ]

    private static let n: [UInt8] = [
        0x04, 0xD8, 0xBB, 0xD6, 0xC6, 0x39, 0xC6, 0x29, 0x37, 0xB0, 0x4D, 0x99, 0x7F, 0x38, 0xC3,
        0x77, 0x07, 0x19, 0xC6, 0x29, 0xD7, 0x01, 0x4D, 0x49, 0xA2, 0x4B, 0x4F, 0x98, 0xBA, 0xA1,
        0x29, 0x2B, 0x49, 0x07, 0xD6, 0x0A, 0xA6, 0xBF, 0xAD, 0xE4, 0x50, 0x08, 0xA6, 0x36, 0x33,
        0x7F, 0x51, 0x68, 0xC6, 0x4D, 0x9B, 0xD3, 0x60, 0x34, 0x80, 0x8C, 0xD5, 0x64, 0x49, 0x0B,
        0x1E, 0x65, 0x6E, 0xDB, 0xE7,
    ]
}

/// The transcript's digest cut into its keys, and the confirmations made with them.
struct SPAKE2PlusKeys {
    let cA: FixedBytes<32>
    let cB: FixedBytes<32>
    /// 16 octets.
    let ke: Secret

    init(
        context: Span<UInt8>, identities: SPAKE2PlusIdentities, pA: Span<UInt8>,
        pB: Span<UInt8>, z: Secret, v: Secret, w0: Secret
    ) {
        var transcript = SHA256Stream()
        transcript.append(context)
        transcript.append(identities.prover.span)
        transcript.append(identities.verifier.span)
        transcript.append(SPAKE2PlusPoints.shared.mBytes.span)
        transcript.append(SPAKE2PlusPoints.shared.nBytes.span)
        transcript.append(pA)
        transcript.append(pB)
        transcript.append(z.span)
        transcript.append(v.span)
        transcript.append(w0.span)
        let digest = transcript.secretDigest()
        let confirmation = HKDF.derive(
            key: digest.span.extracting(0..<16), salt: Span(), info: "ConfirmationKeys", count: 32)
        cA = HMACSHA256.code(for: pB, key: confirmation.span.extracting(0..<16))
        cB = HMACSHA256.code(for: pA, key: confirmation.span.extracting(16..<32))
        ke = Secret(digest.span.extracting(16..<32))
    }
}

extension SHA256Stream {
    /// One entry of the transcript: its size in 8 octets, least significant first, and itself.
    fileprivate mutating func append(_ entry: Span<UInt8>) {
        var size = FixedBytes<8>()
        for index in 0..<8 { size[index] = UInt8(truncatingIfNeeded: entry.count >> (8 * index)) }
        update(size.span)
        update(entry)
    }
}

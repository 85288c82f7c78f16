package import Base
internal import Crypto

// Core §4.14.1.2: the messages of PASE, as tables of fields.

package struct PBKDFParamRequest: TLVStructure, Sendable {
    package var initiatorRandom = FixedBytes<32>()
    package var initiatorSessionID = SessionID.unsecured
    /// Zero names the passcode of the setup payload; there is no other.
    package var passcodeID: UInt16 = 0
    package var hasPBKDFParameters = false
    package var initiatorSessionParams: SessionParameterStruct?

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "initiatorRandom", &initiatorRandom)
        try field(2, "initiatorSessionId", &initiatorSessionID)
        try field(3, "passcodeId", &passcodeID)
        try field(4, "hasPBKDFParameters", &hasPBKDFParameters)
        try field(5, "initiatorSessionParams", &initiatorSessionParams)
    }
}

package struct PBKDFParamResponse: TLVStructure, Sendable {
    /// That of the request.
    package var initiatorRandom = FixedBytes<32>()
    package var responderRandom = FixedBytes<32>()
    package var responderSessionID = SessionID.unsecured
    /// Absent where the request says that the initiator has them.
    package var pbkdfParameters: PBKDFParameterSet?
    package var responderSessionParams: SessionParameterStruct?

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "initiatorRandom", &initiatorRandom)
        try field(2, "responderRandom", &responderRandom)
        try field(3, "responderSessionId", &responderSessionID)
        try field(4, "pbkdf_parameters", &pbkdfParameters)
        try field(5, "responderSessionParams", &responderSessionParams)
    }
}

/// Core §3.9: how a passcode becomes the secrets of SPAKE2+.
package struct PBKDFParameterSet: TLVStructure, Hashable, Sendable {
    /// 1,000 ... 100,000.
    package var iterations: UInt32 = 0
    /// 16 ... 32 octets.
    package var salt = Octets()

    package init() {}

    package init(iterations: UInt32, salt: [UInt8]) {
        self.iterations = iterations
        self.salt = Octets(salt)
    }

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "iterations", &iterations)
        try field(2, "salt", &salt)
    }

    /// - Throws: `iterationsOutOfRange`, `saltOutOfRange`.
    func validate() throws(PASEError) {
        guard Limits.pbkdfIterations.contains(iterations) else {
            throw .iterationsOutOfRange(iterations)
        }
        guard Limits.pbkdfSaltBytes.contains(salt.bytes.count) else {
            throw .saltOutOfRange(bytes: salt.bytes.count)
        }
    }
}

package struct Pake1: TLVStructure, Sendable {
    package var pA = FixedBytes<65>()

    package init() {}

    package init(pA: FixedBytes<65>) {
        self.pA = pA
    }

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "pA", &pA)
    }
}

package struct Pake2: TLVStructure, Sendable {
    package var pB = FixedBytes<65>()
    package var cB = FixedBytes<32>()

    package init() {}

    package init(pB: FixedBytes<65>, cB: FixedBytes<32>) {
        self.pB = pB
        self.cB = cB
    }

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "pB", &pB)
        try field(2, "cB", &cB)
    }
}

package struct Pake3: TLVStructure, Sendable {
    package var cA = FixedBytes<32>()

    package init() {}

    package init(cA: FixedBytes<32>) {
        self.cA = cA
    }

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "cA", &cA)
    }
}

/// What both sides bind the exchange to: Core §4.14.1.2.6 (Context).
package enum PASEContext {
    package static func hash(request: [UInt8], response: [UInt8]) -> FixedBytes<32> {
        SHA256.digest(([UInt8]("CHIP PAKE V1 Commissioning".utf8) + request + response).span)
    }
}

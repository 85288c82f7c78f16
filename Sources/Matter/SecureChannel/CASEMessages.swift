package import Base

// Core §4.14.2.3: the messages of CASE and what is inside them, as tables of fields.

package struct Sigma1: TLVStructure, Sendable {
    package var initiatorRandom = FixedBytes<32>()
    package var initiatorSessionID = SessionID.unsecured
    package var destinationID = FixedBytes<32>()
    package var initiatorEphPubKey = FixedBytes<65>()
    package var initiatorSessionParams: SessionParameterStruct?
    /// Both or none: they ask to resume an earlier session.
    package var resumptionID: FixedBytes<16>?
    package var initiatorResumeMIC: FixedBytes<16>?

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "initiatorRandom", &initiatorRandom)
        try field(2, "initiatorSessionId", &initiatorSessionID)
        try field(3, "destinationId", &destinationID)
        try field(4, "initiatorEphPubKey", &initiatorEphPubKey)
        try field(5, "initiatorSessionParams", &initiatorSessionParams)
        try field(6, "resumptionID", &resumptionID)
        try field(7, "initiatorResumeMIC", &initiatorResumeMIC)
    }
}

package struct Sigma2: TLVStructure, Sendable {
    package var responderRandom = FixedBytes<32>()
    package var responderSessionID = SessionID.unsecured
    package var responderEphPubKey = FixedBytes<65>()
    /// A sealed `TBEData2`.
    package var encrypted2 = Octets()
    package var responderSessionParams: SessionParameterStruct?

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "responderRandom", &responderRandom)
        try field(2, "responderSessionId", &responderSessionID)
        try field(3, "responderEphPubKey", &responderEphPubKey)
        try field(4, "encrypted2", &encrypted2)
        try field(5, "responderSessionParams", &responderSessionParams)
    }
}

package struct Sigma3: TLVStructure, Sendable {
    /// A sealed `TBEData3`.
    package var encrypted3 = Octets()

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "encrypted3", &encrypted3)
    }
}

package struct Sigma2Resume: TLVStructure, Sendable {
    /// A new one, for the next time.
    package var resumptionID = FixedBytes<16>()
    package var sigma2ResumeMIC = FixedBytes<16>()
    package var responderSessionID = SessionID.unsecured
    package var responderSessionParams: SessionParameterStruct?

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "resumptionID", &resumptionID)
        try field(2, "sigma2ResumeMIC", &sigma2ResumeMIC)
        try field(3, "responderSessionID", &responderSessionID)
        try field(4, "responderSessionParams", &responderSessionParams)
    }
}

/// What either side signs: its certificates and the two ephemeral keys of the handshake.
package struct TBSData: TLVStructure, Sendable {
    package var noc = Octets()
    package var icac: Octets?
    package var senderEphPubKey = FixedBytes<65>()
    package var receiverEphPubKey = FixedBytes<65>()

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "senderNOC", &noc)
        try field(2, "senderICAC", &icac)
        try field(3, "senderPubKey", &senderEphPubKey)
        try field(4, "receiverPubKey", &receiverEphPubKey)
    }
}

/// What the responder sends sealed.
package struct TBEData2: TLVStructure, Sendable {
    package var noc = Octets()
    package var icac: Octets?
    package var signature = FixedBytes<64>()
    package var resumptionID = FixedBytes<16>()

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "responderNOC", &noc)
        try field(2, "responderICAC", &icac)
        try field(3, "signature", &signature)
        try field(4, "resumptionID", &resumptionID)
    }
}

/// What the initiator sends sealed.
package struct TBEData3: TLVStructure, Sendable {
    package var noc = Octets()
    package var icac: Octets?
    package var signature = FixedBytes<64>()

    package init() {}

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "initiatorNOC", &noc)
        try field(2, "initiatorICAC", &icac)
        try field(3, "signature", &signature)
    }
}

extension TBEData2 {
    init(_ proof: TBEData3, resumptionID: FixedBytes<16>) {
        noc = proof.noc
        icac = proof.icac
        signature = proof.signature
        self.resumptionID = resumptionID
    }
}

extension TBEData3 {
    /// What both sides' sealed data have in common.
    init(_ data: TBEData2) {
        noc = data.noc
        icac = data.icac
        signature = data.signature
    }
}

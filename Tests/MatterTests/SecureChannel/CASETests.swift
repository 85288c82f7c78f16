import Base
import Crypto
import Matter
import Testing

@Suite("CASE")
struct CASETests {
    @Test(
        "§4.14.2 both sides end with the same keys and know each other",
        arguments: [(false, false), (false, true), (true, false), (true, true)])
    func establishes(ourICAC: Bool, theirICAC: Bool) throws {
        // The same root, below which either node may have an intermediate authority.
        let ours = TestFabric(1, hasICAC: ourICAC).credentials(node: 0x1001)
        let theirs = TestFabric(4, hasICAC: theirICAC).credentials(node: 0x2002)
        let (first, second) = try CASEPair.establish(CASEPair(ours, [theirs]))
        #expect(first.hasKeys(of: second))
        #expect(first.initiatorToResponder != first.responderToInitiator)
        #expect(first.localSessionID == SessionID(0x1111))
        #expect(first.peerSessionID == SessionID(0x2222))
        #expect(second.localSessionID == SessionID(0x2222))
        #expect(second.peerSessionID == SessionID(0x1111))
        #expect(first.peerParameters.activeInterval == .milliseconds(800))
        #expect(second.peerParameters.activeInterval == .milliseconds(900))
        #expect(first.peer?.nodeID == NodeID(0x2002) && second.peer?.nodeID == NodeID(0x1001))
        #expect(first.peer?.fabricID == FabricID(0xFAB1))
        #expect(first.fabricIndex == FabricIndex(1) && second.fabricIndex == FabricIndex(4))
        #expect(first.resumption?.id == second.resumption?.id)
        #expect(first.resumption?.sharedSecret == second.resumption?.sharedSecret)
    }

    @Test("two handshakes never have the same keys")
    func fresh() throws {
        let (first, _) = try CASEPair.establish(CASEPair(seed: 1))
        let (second, _) = try CASEPair.establish(CASEPair(seed: 2))
        #expect(!first.hasKeys(of: second))
        #expect(first.resumption?.id != second.resumption?.id)
    }

    @Test(
        "§4.14.2.4.1 a responder on three fabrics answers on the one that is meant",
        arguments: 0..<3)
    func fabrics(index: Int) throws {
        // Two fabrics may have the same id under different roots.
        let fabrics = [
            TestFabric(1, fabricID: 0xA, seed: 10), TestFabric(2, fabricID: 0xA, seed: 11),
            TestFabric(3, fabricID: 0xB, hasICAC: true, seed: 12),
        ]
        let theirs = fabrics.map { $0.credentials(node: 0x2002) }
        let pair = CASEPair(fabrics[index].credentials(node: 0x1001), theirs)
        let (ours, second) = try CASEPair.establish(pair)
        #expect(ours.hasKeys(of: second))
        #expect(second.fabricIndex == fabrics[index].index)
    }

    @Test("nobody answers for a node, a fabric, a root or an IPK that is not theirs")
    func noSharedTrustRoots() throws {
        let ours = TestFabric().credentials(node: 0x1001)
        #expect(CASEPair.failure(CASEPair(ours, sought: 0x2003)) == .noSharedTrustRoots)
        for other in [TestFabric(seed: 8), TestFabric(fabricID: 0xFAB2)] {
            let pair = CASEPair(ours, [other.credentials(node: 0x2002)])
            #expect(CASEPair.failure(pair) == .noSharedTrustRoots)
        }
        #expect(CASEPair.failure(CASEPair(ours, [])) == .noSharedTrustRoots)
        #expect(
            CASEError.noSharedTrustRoots.reply == StatusReport(.failure, .noSharedTrustRoots))
    }

    @Test(
        "a peer must have a certificate of our fabric and its key",
        arguments: [true, false])
    func identities(responderIsFalse: Bool) {
        let fabric = TestFabric(hasICAC: true)
        let stranger = TestFabric(seed: 9)
        let expired = Validity(
            notBefore: TestFabric.validity.notBefore,
            notAfter: MatterTime(secondsSince2000: 750_000_000))
        let early = Validity(
            notBefore: MatterTime(secondsSince2000: 850_000_000), notAfter: .noExpiry)
        let cases: [(TestFabric, CASEError, (inout TestFabric.Flaw) -> Void)] = [
            (fabric, .invalidSignature, { $0.hasOtherKey = true }),
            (fabric, .certificate(.invalidSignature(.node)), { $0.isForged = true }),
            (fabric, .certificate(.expired(.node)), { $0.validity = expired }),
            (fabric, .certificate(.notYetValid(.node)), { $0.validity = early }),
            (fabric, .wrongFabric(FabricID(0xFAB2)), { $0.certifiedFabric = 0xFAB2 }),
            (
                stranger, .certificate(.wrongIssuer(.node)),
                { $0.claimed = (fabric.root, fabric.ipk) }
            ),
        ]
        for (authority, error, change) in cases {
            var flaw = TestFabric.Flaw()
            change(&flaw)
            let ours =
                responderIsFalse
                ? fabric.credentials(node: 0x1001) : authority.credentials(node: 0x1001, flaw)
            let theirs =
                responderIsFalse
                ? authority.credentials(node: 0x2002, flaw) : fabric.credentials(node: 0x2002)
            let met = CASEPair.failure(CASEPair(ours, [theirs]))
            #expect(met == error)
            #expect(met?.reply == StatusReport(.failure, .invalidParameter))
        }
    }

    @Test("another node of the fabric that answers is told from the one that is sought")
    func wrongNode() {
        let fabric = TestFabric()
        let other = fabric.credentials(node: 0x2002, TestFabric.Flaw(certifiedNode: 0x2003))
        let pair = CASEPair(fabric.credentials(node: 0x1001), [other])
        #expect(CASEPair.failure(pair) == .wrongNode(NodeID(0x2003)))
    }

    @Test("an IPK of another epoch opens nothing")
    func otherIPK() {
        let fabric = TestFabric()
        let ours = fabric.credentials(node: 0x1001)
        let ipk = Secret([UInt8](repeating: 9, count: 16))
        let theirs = fabric.credentials(
            node: 0x2002, TestFabric.Flaw(claimed: (fabric.root, ipk)))
        #expect(CASEPair.failure(CASEPair(ours, [theirs])) == .noSharedTrustRoots)
        // In a change of the IPK a responder has both for a while.
        let both = [theirs, fabric.credentials(node: 0x2002)]
        #expect(CASEPair.failure(CASEPair(ours, both)) == nil)
    }

    @Test("session id 0 and keys that are no points are refused by either side")
    func fields() throws {
        #expect(try sigma1Error { $0.initiatorSessionID = .unsecured } == .zeroSessionID)
        #expect(try sigma1Error { $0.initiatorEphPubKey = FixedBytes() } == .invalidPoint)
        #expect(try sigma1Error { $0.initiatorEphPubKey[64] ^= 1 } == .invalidPoint)
        #expect(try sigma1Error { $0.resumptionID = FixedBytes() } == .incompleteResumption)
        #expect(try sigma1Error { $0.initiatorResumeMIC = FixedBytes() } == .incompleteResumption)
        #expect(try sigma2Error { $0.responderSessionID = .unsecured } == .zeroSessionID)
        #expect(try sigma2Error { $0.responderEphPubKey = FixedBytes() } == .invalidPoint)
        #expect(try sigma2Error { $0.responderEphPubKey[64] ^= 1 } == .invalidPoint)
        #expect(try sigma2Error { $0.encrypted2 = Octets() } == .authenticationFailed)
        #expect(
            try sigma2Error { $0.encrypted2 = Octets([UInt8](repeating: 0, count: 15)) }
                == .authenticationFailed)
        #expect(try sigma2Error { $0.responderRandom[0] ^= 1 } == .authenticationFailed)
    }

    private func sigma1Error(_ change: (inout Sigma1) -> Void) throws -> CASEError? {
        var pair = CASEPair()
        let sent = try pair.message(1)
        var sigma1 = try Sigma1(tlv: sent.payload.span)
        change(&sigma1)
        return try error(&pair, .sigma1, sigma1.tlv(capacity: 1000), 1)
    }

    private func sigma2Error(_ change: (inout Sigma2) -> Void) throws -> CASEError? {
        var pair = CASEPair()
        let sent = try pair.message(2)
        var sigma2 = try Sigma2(tlv: sent.payload.span)
        change(&sigma2)
        return try error(&pair, .sigma2, sigma2.tlv(capacity: 1000), 2)
    }

    private func error(
        _ pair: inout CASEPair, _ opcode: SecureChannelOpcode, _ payload: [UInt8], _ number: Int
    ) throws -> CASEError? {
        do throws(CASEError) {
            _ = try pair.deliver(
                HandshakeMessage(opcode: opcode, payload: payload), as: number)
            return nil
        } catch { return error }
    }
}

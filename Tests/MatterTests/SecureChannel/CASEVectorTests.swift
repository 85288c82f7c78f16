import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("CASE, recorded values")
struct CASEVectorTests {
    private let cases = TestVectors.load("case_sigma")["cases"].array

    @Test("§4.14.2.3 Sigma2: key, signed data, signature and sealed data")
    func sigma2() throws {
        let run = cases[0]
        let ephemeral = run["responder_eph_pub"].hex
        let random = run["responder_random"].hex
        let key = CASEKeys.sigma2(
            Secret(run["shared_secret"].hex), ipk: Secret(run["ipk"].hex),
            responderRandom: FixedBytes(copying: random.span),
            responderEphPubKey: FixedBytes(copying: ephemeral.span),
            sigma1: run["sigma1"].hex.span)
        #expect(key.bytes == run["sigma2_key"].hex)

        let sealed = run["encrypted2"].hex
        let plaintext = try CASESeal.sigma2.open(sealed.span, key: key)
        #expect(plaintext == run["tbe2_plain"].hex)
        #expect(CASESeal.sigma2.seal(plaintext.span, key: key) == sealed)
        let data = try TBEData2(tlv: plaintext.span)
        #expect(try data.tlv(capacity: 1000) == plaintext)
        #expect([UInt8](data.signature) == run["signature"].hex)
        #expect([UInt8](data.resumptionID) == run["resumption_id"].hex)
        #expect(data.noc.bytes == run["responder_noc"].hex)

        let receiver = run["initiator_eph_pub"].hex
        var signed = TBSData()
        signed.noc = data.noc
        signed.senderEphPubKey = FixedBytes(copying: ephemeral.span)
        signed.receiverEphPubKey = FixedBytes(copying: receiver.span)
        let bytes = try signed.tlv(capacity: 1000)
        #expect(bytes == run["tbs2"].hex)
        let noc = try MatterCertificate(tlv: data.noc.bytes.span)
        let isSigned = noc.publicKey.verify(data.signature, over: bytes.span)
        #expect(isSigned)
    }

    @Test("§4.14.2.3 Sigma3 and the session keys")
    func sigma3() throws {
        let run = cases[1]
        let secret = Secret(run["shared_secret"].hex)
        let ipk = Secret(run["ipk"].hex)
        var transcript = run["sigma1"].hex + run["sigma2"].hex
        let key = CASEKeys.sigma3(secret, ipk: ipk, transcript: transcript.span)
        #expect(key.bytes == run["sigma3_key"].hex)
        let sigma3 = run["sigma3"].hex
        let sealed = try Sigma3(tlv: sigma3.span).encrypted3
        #expect(sealed.bytes == run["encrypted3"].hex)
        let plaintext = try CASESeal.sigma3.open(sealed.bytes.span, key: key)
        #expect(plaintext == run["tbe3_plain"].hex)
        let data = try TBEData3(tlv: plaintext.span)

        let sender = run["initiator_eph_pub"].hex
        let receiver = run["responder_eph_pub"].hex
        var signed = TBSData()
        signed.noc = data.noc
        signed.senderEphPubKey = FixedBytes(copying: sender.span)
        signed.receiverEphPubKey = FixedBytes(copying: receiver.span)
        let bytes = try signed.tlv(capacity: 1000)
        #expect(bytes == run["tbs3"].hex)
        let noc = try MatterCertificate(tlv: data.noc.bytes.span)
        let isSigned = noc.publicKey.verify(data.signature, over: bytes.span)
        #expect(isSigned)

        transcript += sigma3
        let keys = CASEKeys.session(secret, ipk: ipk, transcript: transcript.span)
        #expect(keys.initiatorToResponder.bytes == run["i2r_key"].hex)
        #expect(keys.responderToInitiator.bytes == run["r2i_key"].hex)
        #expect(keys.attestationChallenge.bytes == run["attestation_challenge"].hex)
    }

    @Test("recorded messages are read, with the parameters in them")
    func messages() throws {
        let bytes = cases[1]["sigma1"].hex
        let sigma1 = try Sigma1(tlv: bytes.span)
        #expect(sigma1.initiatorSessionParams?.idleInterval == 5000)
        #expect(sigma1.initiatorSessionParams?.activeInterval == 300)
        #expect(sigma1.resumptionID == nil)
        #expect(try sigma1.tlv(capacity: 1000) == bytes)
        let second = cases[1]["sigma2"].hex
        #expect(try Sigma2(tlv: second.span).tlv(capacity: 1000) == second)
    }

    @Test("§4.14.2.4.1 Sigma1 carries the destination id of the node that is sought")
    func destinationID() throws {
        for vector in TestVectors.load("fabric_group_keys")["destination_ids"].array {
            let rootKey = vector["root_public_key"].hex
            let fabric = TestFabric()
            let root = MatterCertificate(
                serialNumber: [1], issuer: fabric.root.subject, subject: fabric.root.subject,
                validity: fabric.root.validity, publicKey: try P256.PublicKey(rootKey.span),
                extensions: [])
            var draws = ScriptedRandom(
                [UInt8](repeating: 1, count: 32) + vector["initiator_random"].hex)
            var seed = SeededRandom(seed: 1)
            let credentials = CASECredentials(
                fabricID: FabricID(vector["fabric_id"].uint64), nodeID: NodeID(1), root: root,
                noc: [], privateKey: P256.PrivateKey.generate(using: &seed),
                ipk: Secret(vector["operational_ipk"].hex))
            var initiator = CASEInitiator(
                credentials: credentials, peer: NodeID(vector["node_id"].uint64),
                sessionID: SessionID(1), at: TestFabric.now)
            let message = initiator.start(using: &draws)
            let sigma1 = try Sigma1(tlv: message.payload.span)
            #expect([UInt8](sigma1.destinationID) == vector["destination_id"].hex)
        }
    }
}

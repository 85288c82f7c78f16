import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("FabricKeys")
struct FabricKeysTests {
    private let vectors = TestVectors.load("fabric_group_keys")

    @Test("§4.3.2.2 the compressed fabric id")
    func compressedFabricID() throws {
        let vector = vectors["compressed_fabric"]
        let root = try P256.PublicKey(vector["root_public_key"].hex.span)
        let id = FabricKeys.compressedFabricID(
            root: root, fabricID: FabricID(vector["fabric_id"].uint64))
        #expect(Hex.lower(id.span) == vector["compressed_fabric_id"].string)
        #expect(
            "\(OperationalName(compressedFabricID: id, nodeID: NodeID(0xAB)))"
                == "87E1B004E235A130-00000000000000AB")
    }

    @Test("§4.17 operational key, privacy key and session id of every public epoch key")
    func groupKeys() {
        let id = FixedBytes<8>(
            copying: vectors["compressed_fabric"]["compressed_fabric_id"].hex.span)
        for vector in vectors["group_keys_under_that_fabric"].array {
            let epochKey = Secret(vector["epoch_key"].hex.span)
            let key = FabricKeys.operationalKey(epochKey: epochKey, compressedFabricID: id)
            #expect(key == Secret(vector["operational_key"].hex.span))
            #expect(
                FabricKeys.privacyKey(operationalKey: key)
                    == Secret(vector["privacy_key"].hex.span))
            let session = vector["group_session_id_be"].hex
            #expect(
                FabricKeys.groupSessionID(operationalKey: key)
                    == SessionID(UInt16(session[0]) << 8 | UInt16(session[1])))
        }
    }

    @Test("§4.14.2.4.1 the destination id")
    func destinationID() throws {
        for vector in vectors["destination_ids"].array {
            let random = FixedBytes<32>(copying: vector["initiator_random"].hex.span)
            let id = FabricKeys.destinationID(
                ipk: Secret(vector["operational_ipk"].hex.span), initiatorRandom: random,
                root: try P256.PublicKey(vector["root_public_key"].hex.span),
                fabricID: FabricID(vector["fabric_id"].uint64),
                nodeID: NodeID(vector["node_id"].uint64))
            #expect(Hex.lower(id.span) == vector["destination_id"].string)
        }
    }

    @Test("§2.5.6.2 the address of a group")
    func multicastAddress() {
        let address = FabricKeys.multicastAddress(
            fabricID: FabricID(0x4567_89AB_CDEF_1234), groupID: 0x1234)
        // ff35:40:fd45:6789:abcd:ef12:3400:1234
        #expect(Hex.lower(address.span) == "ff350040fd456789abcdef1234001234")
    }
}

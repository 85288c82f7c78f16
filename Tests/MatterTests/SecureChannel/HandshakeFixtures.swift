import Base
import Crypto
import Matter

/// Gives out prepared octets in their order; asking for more is a fault of the test.
struct ScriptedRandom: RandomSource {
    private var script: [UInt8]

    init(_ script: [UInt8]) { self.script = script }

    mutating func fill(_ bytes: inout MutableSpan<UInt8>) {
        precondition(bytes.count <= script.count, "the script is too short")
        for index in bytes.indices { bytes[index] = script.removeFirst() }
    }
}

extension HandshakeStep {
    var message: HandshakeMessage? {
        switch self {
        case .send(let message), .sendAndEstablish(let message, _): message
        case .established: nil
        }
    }

    var secrets: SessionSecrets? {
        switch self {
        case .send: nil
        case .established(let secrets), .sendAndEstablish(_, let secrets): secrets
        }
    }
}

extension SessionSecrets {
    func hasKeys(of other: SessionSecrets) -> Bool {
        initiatorToResponder == other.initiatorToResponder
            && responderToInitiator == other.responderToInitiator
            && attestationChallenge == other.attestationChallenge
    }
}

extension Secret {
    convenience init(_ bytes: [UInt8]) { self.init(bytes.span) }

    var bytes: [UInt8] { [UInt8](span) }
}

extension Array where Element == UInt8 {
    func flippingBit(_ bit: Int) -> [UInt8] {
        var copy = self
        copy[bit / 8] ^= 1 << UInt8(bit % 8)
        return copy
    }
}

/// Every report that ends a handshake at the side that receives it.
let refusals: [StatusReport] = [
    StatusReport(.failure, .noSharedTrustRoots),
    StatusReport(.failure, .invalidParameter),
    StatusReport(.success, .closeSession),
    StatusReport(.failure, .sessionNotFound),
    StatusReport(.failure, .sessionEstablishmentSuccess),
    StatusReport(.success, SecureChannelCode(rawValue: 0xABCD)),
    StatusReport(generalCode: .success, protocolID: .interactionModel, protocolCode: 0),
    StatusReport(
        generalCode: .success, vendorID: VendorID(0xFFF1), protocolID: .secureChannel,
        protocolCode: 0),
]

/// All opcodes that have a meaning, and one that has none.
let opcodes: [SecureChannelOpcode] = [
    .msgCounterSyncReq, .msgCounterSyncRsp, .standaloneAcknowledgement, .pbkdfParamRequest,
    .pbkdfParamResponse, .pake1, .pake2, .pake3, .sigma1, .sigma2, .sigma3, .sigma2Resume,
    .icdCheckIn, SecureChannelOpcode(rawValue: 0x7F),
]

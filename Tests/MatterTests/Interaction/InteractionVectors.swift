import Base
import Crypto
import Matter
import TestVectors
import Testing

/// Messages that other implementations sent; the file names them.
enum InteractionVectors {
    static let file = TestVectors.load("interaction")

    static func message(_ name: String) -> [UInt8] { file["messages"][name].hex }
    static func cluster(_ name: String) -> [UInt8] { file["clusters"][name].hex }

    static var wildcardRead: [[UInt8]] { file["messages"]["wildcardRead"].array.map(\.hex) }
}

extension InteractionMessage {
    var octets: [UInt8] { [UInt8](payload.span) }
    var hex: String { Hex.lower(payload.span) }
}

// Octets in, octets out: `#expect` cannot hold a span.

func hex(_ octets: [UInt8]) -> String { Hex.lower(octets.span) }

extension TLVCodable {
    init(octets: [UInt8]) throws(TLVError) { try self.init(tlv: octets.span) }

    func encoded() throws -> [UInt8] { try tlv(capacity: 2_048) }
}

extension EncodedElement {
    init(octets: [UInt8]) throws(TLVError) { try self.init(copying: octets.span) }
}

extension ReadClient {
    mutating func receive(
        _ opcode: InteractionOpcode, octets: [UInt8]
    ) throws(InteractionError) -> ReadStep {
        try receive(opcode, octets.span)
    }
}

extension WriteClient {
    mutating func receive(
        _ opcode: InteractionOpcode, octets: [UInt8]
    ) throws(InteractionError) -> WriteStep {
        try receive(opcode, octets.span)
    }
}

extension InvokeClient {
    mutating func receive(
        _ opcode: InteractionOpcode, octets: [UInt8]
    ) throws(InteractionError) -> InvokeStep {
        try receive(opcode, octets.span)
    }
}

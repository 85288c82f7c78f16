internal import Base
package import Crypto

/// What a message of the interaction model is; the opcode of its protocol header. Core §10.2.1.
package struct InteractionOpcode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let statusResponse = InteractionOpcode(rawValue: 0x01)
    package static let readRequest = InteractionOpcode(rawValue: 0x02)
    package static let subscribeRequest = InteractionOpcode(rawValue: 0x03)
    package static let subscribeResponse = InteractionOpcode(rawValue: 0x04)
    package static let reportData = InteractionOpcode(rawValue: 0x05)
    package static let writeRequest = InteractionOpcode(rawValue: 0x06)
    package static let writeResponse = InteractionOpcode(rawValue: 0x07)
    package static let invokeRequest = InteractionOpcode(rawValue: 0x08)
    package static let invokeResponse = InteractionOpcode(rawValue: 0x09)
    package static let timedRequest = InteractionOpcode(rawValue: 0x0A)
}

/// A message to send. Its payload may hold a passphrase or a key, so it is kept as a secret.
package struct InteractionMessage: Sendable, Equatable {
    package let opcode: InteractionOpcode
    package let payload: Secret

    /// - Throws: `tooLarge` when the message does not fit `Limits.interactionPayload`.
    init(_ opcode: InteractionOpcode, _ message: some TLVCodable) throws(InteractionError) {
        var count = 0
        var failure: TLVError?
        let buffer = Secret(count: Limits.interactionPayload) { bytes in
            var writer = TLVWriter(bytes)
            bytes = MutableSpan()
            do throws(TLVError) {
                try message.encode(&writer, tag: .anonymous)
                count = writer.count
            } catch {
                failure = error
            }
        }
        if let failure { throw .encoding(failure) }
        self.opcode = opcode
        payload = Secret(buffer.span.extracting(..<count))
    }

    init(_ opcode: InteractionOpcode, octets: Span<UInt8>) {
        self.opcode = opcode
        payload = Secret(octets)
    }

    /// Says that a message of the other side arrived and that it may go on.
    static let success = InteractionMessage(
        .statusResponse,
        octets: [
            0x15, 0x24, 0x00, InteractionStatus.success.rawValue,
            0x24, 0xFF, Specification.interactionModelRevision, 0x18,
        ].span)
}

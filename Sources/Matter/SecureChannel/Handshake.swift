internal import Base

/// A message of a handshake, to be sent in the Secure Channel protocol on its exchange.
package struct HandshakeMessage: Equatable, Sendable {
    package let opcode: SecureChannelOpcode
    package let payload: [UInt8]

    package init(opcode: SecureChannelOpcode, payload: [UInt8]) {
        self.opcode = opcode
        self.payload = payload
    }

    package init(_ report: StatusReport) {
        self.init(opcode: .statusReport, payload: report.encode())
    }

    /// A message of ours, whose fields are all of bounded size.
    init(_ opcode: SecureChannelOpcode, _ message: some TLVStructure) {
        self.init(opcode: opcode, payload: message.ownTLV())
    }
}

/// What follows from a message received in a handshake.
package enum HandshakeStep: Sendable {
    case send(HandshakeMessage)
    case established(SessionSecrets)
    case sendAndEstablish(HandshakeMessage, SessionSecrets)
}

/// What a peer can do wrong in any handshake. Whatever is thrown ends the handshake.
protocol HandshakeError: Error {
    static func statusReport(_ report: StatusReport) -> Self
    static func busy(wait: Duration) -> Self
    static func unexpected(_ opcode: SecureChannelOpcode) -> Self
    static func oversized(bytes: Int) -> Self
    static func malformed(_ error: TLVError) -> Self
}

extension HandshakeError {
    /// Lets pass what may come next: one of `expected` and within bounds.
    static func check(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>, isIn expected: SecureChannelOpcode...
    ) throws(Self) {
        guard payload.count <= Limits.handshakeMessageBytes else {
            throw .oversized(bytes: payload.count)
        }
        if expected.contains(opcode) { return }
        guard opcode == .statusReport else { throw .unexpected(opcode) }
        try success(payload)
        throw .unexpected(opcode)
    }

    /// Returns when `payload` reports an established session; any other report is thrown.
    static func success(_ payload: Span<UInt8>) throws(Self) {
        let report: StatusReport
        do throws(ByteError) { report = try StatusReport(payload) } catch {
            throw .malformed(TLVError(error))
        }
        if let wait = report.busyWait { throw .busy(wait: wait) }
        guard
            report.generalCode == .success,
            report.secureChannelCode == .sessionEstablishmentSuccess
        else { throw .statusReport(report) }
    }

    static func decode<Message: TLVStructure>(
        _ payload: Span<UInt8>, as type: Message.Type = Message.self
    ) throws(Self) -> Message {
        do throws(TLVError) { return try Message(tlv: payload) } catch { throw .malformed(error) }
    }
}

extension TLVStructure {
    /// A structure of our own, whose fields are all of bounded size.
    func ownTLV() -> [UInt8] {
        do throws(TLVError) { return try tlv(capacity: Limits.handshakeMessageBytes) } catch {
            preconditionFailure("the sizes of our own fields are checked when they are given")
        }
    }
}

package import Matter

/// What a simulated device was asked, before it does anything about it.
package enum DeviceRequest: Hashable, Sendable {
    case handshake(SecureChannelOpcode)
    case closeSession
    case read
    case write
    case subscribe
    case command(ClusterID, CommandID)
    case timedRequest
    case statusResponse
    case other

    package static func invoke<Asked: Command>(_ type: Asked.Type) -> DeviceRequest {
        .command(Asked.cluster, Asked.id)
    }
}

/// What the device does about a request.
package enum DeviceReaction: Sendable {
    /// What a good device does.
    case proceed
    /// The same, later; the message is acknowledged meanwhile.
    case late(Duration)
    /// A StatusResponse instead of the answer.
    case status(InteractionStatus)
    /// A refusal by the cluster: the code goes into the command's own response where it has one
    /// for it, and into the status of the command where it has not.
    case code(UInt8)
    /// A StatusReport, to end a handshake.
    case report(StatusReport)
    /// Acknowledges and never answers.
    case mute
    /// Answers with octets that mean nothing.
    case garbage
    /// Answers with that message, whatever is in it; and with it again each time that the peer has
    /// taken it, without an end.
    case say(InteractionOpcode, [UInt8], endlessly: Bool = false)
    /// Answers as it should, in a protocol that the exchange is not of.
    case foreignProtocol
    /// Ends the session instead of answering.
    case closeSession
    /// Does not even acknowledge, now and ever after.
    case vanish
    /// Answers as it should, and is gone once that was acknowledged.
    case proceedThenVanish
}

/// What a device answers to a command that it does not act on.
package enum CommandAnswer: Sendable {
    case status(InteractionStatus, clusterStatus: UInt8? = nil)
    case response(CommandID, EncodedElement)

    static func response<Response: ResponseCommand>(_ response: Response) -> CommandAnswer {
        .response(Response.id, EncodedElement(own: response))
    }
}

extension EncodedElement {
    /// Of a value of the test's own, which fits a message.
    package init(own value: some TLVCodable) {
        do throws(TLVError) { try self.init(value) } catch {
            preconditionFailure("a value of the test's own fits a message")
        }
    }
}

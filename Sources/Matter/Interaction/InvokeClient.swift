internal import Base

/// What to do after a message of an invoke.
package enum InvokeStep: Equatable, Sendable {
    case send(InteractionMessage)
    case done(InvokeResult)
}

/// What a command brought; a refusal is thrown instead.
package enum InvokeResult: Equatable, Sendable {
    case success
    case response(CommandID, EncodedElement)
}

/// One command and its answer. Core §8.8.
package struct InvokeClient: Sendable {
    private let path: CommandPath
    private var exchange: TimedExchange
    private var isDone = false

    /// - Parameter timeoutMilliseconds: makes it a timed invoke; commands that the specification
    ///   marks so are always timed.
    /// - Throws: `tooLarge`.
    package init<Invoked: Command>(
        _ command: Invoked, endpoint: EndpointID, timeoutMilliseconds: UInt16? = nil
    ) throws(InteractionError) {
        let fallback = Invoked.isTimed ? Limits.timedRequestMilliseconds : nil
        try self.init(
            path: CommandPath(endpoint: endpoint, cluster: Invoked.cluster, command: Invoked.id),
            fields: command, timeoutMilliseconds: timeoutMilliseconds ?? fallback)
    }

    /// - Parameter fields: a structure, also for a command without fields.
    package init<Fields: TLVCodable & Sendable>(
        path: CommandPath, fields: Fields, timeoutMilliseconds: UInt16?
    ) throws(InteractionError) {
        self.path = path
        var command = CommandDataIB<Fields>()
        command.commandPath = path
        command.commandFields = fields
        var message = InvokeRequest<Fields>()
        message.timedRequest = timeoutMilliseconds != nil
        message.invokeRequests = [command]
        exchange = try TimedExchange(
            try InteractionMessage(.invokeRequest, message),
            timeoutMilliseconds: timeoutMilliseconds)
    }

    /// To be sent first.
    package var request: InteractionMessage { exchange.first }

    /// Takes the next message of the exchange.
    /// - Throws: `status` when the command was refused; `missingResponse`, `unexpectedPath`.
    package mutating func receive(
        _ opcode: InteractionOpcode, _ payload: Span<UInt8>
    ) throws(InteractionError) -> InvokeStep {
        guard !isDone else { throw .unexpectedOpcode(opcode) }
        if let action = try exchange.receive(opcode, payload) { return .send(action) }
        switch opcode {
        case .invokeResponse: break
        case .statusResponse: throw .refused(by: payload)
        default: throw .unexpectedOpcode(opcode)
        }
        isDone = true
        let response: InvokeResponse
        do throws(TLVError) {
            response = try InvokeResponse(tlv: payload)
        } catch {
            throw .malformed(error)
        }
        guard let answer = response.invokeResponses.first else { throw .missingResponse }
        return .done(try result(answer))
    }

    private func result(_ answer: InvokeResponseIB) throws(InteractionError) -> InvokeResult {
        if let command = answer.command {
            try check(command.commandPath)
            return .response(
                command.commandPath.command, command.commandFields ?? .emptyStructure)
        }
        guard let status = answer.status else { throw .missingResponse }
        try check(status.commandPath)
        guard status.status.status == .success else {
            throw .status(status.status.status, clusterStatus: status.status.clusterStatus)
        }
        return .success
    }

    private func check(_ answered: CommandPath) throws(InteractionError) {
        guard answered.cluster == path.cluster, answered.endpoint == path.endpoint else {
            throw .unexpectedPath(answered)
        }
    }
}

extension InvokeResult {
    /// Reads the answer as the command's own response.
    /// - Throws: `missingResponse` when it is another one, `malformed`.
    package func response<Invoked: Command>(
        to command: Invoked.Type
    ) throws(InteractionError) -> Invoked.Response {
        try Invoked.Response(of: self)
    }
}

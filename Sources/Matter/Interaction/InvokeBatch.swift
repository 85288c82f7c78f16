internal import Base

/// A command on its way to one endpoint, without its type. Not for fields that are secret: they
/// are kept as octets until they are sent.
package struct CommandToInvoke: Sendable {
    package let path: CommandPath
    let fields: EncodedElement
    let isTimed: Bool

    /// - Throws: `tooLarge`.
    package init<Invoked: Command>(
        _ command: Invoked, endpoint: EndpointID
    ) throws(InteractionError) {
        path = CommandPath(endpoint: endpoint, cluster: Invoked.cluster, command: Invoked.id)
        isTimed = Invoked.isTimed
        do throws(TLVError) { fields = try EncodedElement(command) } catch {
            throw .encoding(error)
        }
    }
}

/// How one command of several went.
package typealias InvokeOutcome = Result<InvokeResult, InteractionError>

/// What to do after a message of a batch.
package enum InvokeBatchStep: Sendable {
    case send(InteractionMessage)
    /// In the order of the commands.
    case done([InvokeOutcome])
}

/// Several commands in one message, and their answers in any order and in several messages.
/// Core §8.8.2.
package struct InvokeBatch: Sendable {
    private let paths: [CommandPath]
    private var outcomes: [InvokeOutcome?]
    private var exchange: TimedExchange
    private var messages = 0
    private var isDone = false

    /// - Parameter commands: one to as many as the peer takes, with different paths, all timed
    ///   or none; `InvokeBatch.split` makes such.
    /// - Throws: `tooLarge`.
    package init(_ commands: [CommandToInvoke]) throws(InteractionError) {
        precondition(!commands.isEmpty, "a batch has a command")
        let isTimed = commands[0].isTimed
        precondition(
            commands.allSatisfy { $0.isTimed == isTimed }, "a batch is timed as a whole")
        precondition(Set(commands.map(\.path)).count == commands.count, "paths are different")
        paths = commands.map(\.path)
        outcomes = Array(repeating: nil, count: commands.count)
        let message = InvokeRequest<EncodedElement> {
            $0.timedRequest = isTimed
            $0.invokeRequests = commands.enumerated().map { index, command in
                CommandDataIB {
                    $0.commandPath = command.path
                    $0.commandFields = command.fields
                    // Core §10.6.12: needed where there are several.
                    $0.commandRef = commands.count > 1 ? UInt16(index) : nil
                }
            }
        }
        exchange = try TimedExchange(
            try InteractionMessage(.invokeRequest, message),
            timeoutMilliseconds: isTimed ? Limits.timedRequestMilliseconds : nil)
    }

    /// To be sent first.
    package var request: InteractionMessage { exchange.first }

    /// Takes the next message of the exchange.
    /// - Throws: what ends the batch as a whole; what one command met is in its outcome.
    package mutating func receive(
        _ opcode: InteractionOpcode, _ payload: Span<UInt8>
    ) throws(InteractionError) -> InvokeBatchStep {
        guard !isDone else { throw .unexpectedOpcode(opcode) }
        if let action = try exchange.receive(opcode, payload) { return .send(action) }
        switch opcode {
        case .invokeResponse: break
        case .statusResponse: throw .refused(by: payload)
        default: throw .unexpectedOpcode(opcode)
        }
        // Each message but the last brings at least one answer.
        messages += 1
        guard messages <= paths.count + 1 else { throw .tooMuch }
        let response: InvokeResponse
        do throws(TLVError) { response = try InvokeResponse(tlv: payload) } catch {
            throw .malformed(error)
        }
        for answer in response.invokeResponses { try take(answer) }
        if response.moreChunkedMessages == true { return .send(.success) }
        isDone = true
        return .done(outcomes.map { $0 ?? .failure(.missingResponse) })
    }

    private mutating func take(_ answer: InvokeResponseIB) throws(InteractionError) {
        if let command = answer.command {
            let index = try index(command.commandPath, command.commandRef)
            outcomes[index] = .success(
                .response(
                    command.commandPath.command, command.commandFields ?? .emptyStructure))
        } else if let status = answer.status {
            let index = try index(status.commandPath, status.commandRef)
            let code = status.status
            outcomes[index] =
                code.status == .success
                ? .success(.success)
                : .failure(.status(code.status, clusterStatus: code.clusterStatus))
        } else {
            throw .missingResponse
        }
    }

    /// Which command an answer is for: by its reference, which must fit the path; without one
    /// by the path alone, where one command is meant by it.
    /// - Throws: `unexpectedPath` for none, several, or one that is answered already.
    private func index(
        _ path: CommandPath, _ reference: UInt16?
    ) throws(InteractionError) -> Int {
        let fitting = paths.indices.filter { index in
            paths[index].endpoint == path.endpoint && paths[index].cluster == path.cluster
                && reference.map { Int($0) == index } ?? true
        }
        guard fitting.count == 1, outcomes[fitting[0]] == nil else { throw .unexpectedPath(path) }
        return fitting[0]
    }
}

extension InvokeBatch {
    /// Sorts commands into messages that the peer takes and that fit a datagram. The order within
    /// a message and among messages is that of the commands, as far as paths that repeat let it.
    /// - Parameter maxPaths: the peer's MaxPathsPerInvoke. Core §11.1.5.
    /// - Returns: indices of `commands`.
    package static func split(_ commands: [CommandToInvoke], maxPaths: Int) -> [[Int]] {
        let bound = min(max(maxPaths, 1), Limits.commandsPerInvoke)
        var batches: [[Int]] = []
        var octets = 0
        for (index, command) in commands.enumerated() {
            let size = command.fields.octets.count + Limits.commandOverhead
            if let last = batches.last, last.count < bound,
                commands[last[0]].isTimed == command.isTimed,
                octets + size <= Limits.interactionPayload - Limits.messageOverhead,
                // Core §8.8.2: one path comes once in a message.
                !last.contains(where: { commands[$0].path == command.path })
            {
                batches[batches.count - 1].append(index)
                octets += size
            } else {
                batches.append([index])
                octets = size
            }
        }
        return batches
    }
}

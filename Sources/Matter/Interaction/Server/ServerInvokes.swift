package import Base

// Invoke actions of a server. Core §8.8.3.

/// The commands of one message, some of them still to be answered by the owner.
struct PendingInvoke: Sendable {
    struct Entry: Sendable {
        let path: CommandPath
        let reference: UInt16?
        /// Nil for what is refused at once.
        let id: InvocationID?
        var answer: InvokeResponseIB?
    }

    var entries: [Entry]
    let suppressesResponse: Bool
}

extension InteractionServer {
    mutating func invoke(
        _ conversation: Conversation, _ payload: Span<UInt8>, isTimed: Bool, at now: Instant
    ) throws(ActionError) {
        let request = try decode(InvokeRequest<EncodedElement>.self, payload)
        guard request.timedRequest == isTimed else { throw .refused(.timedRequestMismatch) }
        try check(request.invokeRequests)
        var pending = PendingInvoke(entries: [], suppressesResponse: request.suppressResponse)
        for command in expand(request.invokeRequests, conversation.accessor) {
            if let status = refusal(command, conversation.accessor, isTimed: isTimed) {
                var entry = PendingInvoke.Entry(command, id: nil)
                entry.take(.status(status))
                pending.entries.append(entry)
                continue
            }
            let id = InvocationID(number: nextID())
            pending.entries.append(PendingInvoke.Entry(command, id: id))
            tell(
                .invoke(
                    CommandInvocation(
                        id: id, endpoint: command.commandPath.endpoint ?? .root,
                        cluster: command.commandPath.cluster,
                        command: command.commandPath.command,
                        fields: command.commandFields ?? .emptyStructure,
                        accessor: conversation.accessor, isTimed: isTimed)))
        }
        finish(pending, in: conversation, at: now)
    }

    /// The owner carried out a command, or refuses it. Of an invoker that is gone nothing is said.
    package mutating func answer(
        _ id: InvocationID, _ answer: InvocationAnswer, at now: Instant
    ) {
        for index in conversations.indices {
            guard case .invoking(var pending) = conversations[index].state,
                let entry = pending.entries.firstIndex(where: { $0.id == id })
            else { continue }
            pending.entries[entry].take(answer)
            return finish(pending, in: conversations.remove(at: index), at: now)
        }
    }

    /// Several commands in one message must be told apart, and none stands for several.
    private func check(
        _ commands: [CommandDataIB<EncodedElement>]
    ) throws(ActionError) {
        guard !commands.isEmpty, commands.count <= settings.pathsPerInvoke else {
            throw .refused(.invalidAction)
        }
        for (index, command) in commands.enumerated() {
            if let fields = command.commandFields, !fields.isStructure {
                throw .refused(.invalidAction)
            }
            guard commands.count > 1 else { continue }
            let earlier = commands[..<index]
            guard let reference = command.commandRef, command.commandPath.endpoint != nil,
                !earlier.contains(where: {
                    $0.commandRef == reference || $0.commandPath == command.commandPath
                })
            else { throw .refused(.invalidAction) }
        }
    }

    /// A command without an endpoint goes to all that would carry it out.
    private func expand(
        _ commands: [CommandDataIB<EncodedElement>], _ accessor: Accessor
    ) -> [CommandDataIB<EncodedElement>] {
        guard let command = commands.first, command.commandPath.endpoint == nil else {
            return commands
        }
        return attributes.clusters.compactMap { cluster in
            var concrete = command
            concrete.commandPath.endpoint = cluster.endpoint
            guard cluster.id == command.commandPath.cluster,
                refusal(concrete, accessor, isTimed: true) == nil
            else { return nil }
            return concrete
        }
    }

    private func refusal(
        _ command: CommandDataIB<EncodedElement>, _ accessor: Accessor, isTimed: Bool
    ) -> InteractionStatus? {
        let path = command.commandPath
        let endpoint = path.endpoint ?? .root
        if let status = absence(endpoint, path.cluster, accessor, least: .operate) {
            return status
        }
        guard let cluster = attributes.cluster(path.cluster, on: endpoint) else {
            return .unsupportedCluster
        }
        guard cluster.accepted.contains(path.command) else { return .unsupportedCommand }
        let privilege = RequiredPrivilege.invoke(path.cluster, path.command)
        guard allows(privilege, accessor, endpoint, path.cluster) else {
            return .unsupportedAccess
        }
        if RequiredPrivilege.needsFabric(path.cluster, path.command), accessor.fabricIndex == nil {
            return .unsupportedAccess
        }
        let info = cluster.commands.first { $0.id == path.command }
        return info?.isTimed == true && !isTimed ? .needsTimedInteraction : nil
    }

    private mutating func finish(
        _ pending: PendingInvoke, in conversation: Conversation, at now: Instant
    ) {
        let answers = pending.entries.compactMap(\.answer)
        if answers.count < pending.entries.count {
            // However long the owner takes.
            wait(conversation, .invoking(pending), until: nil)
        } else if pending.suppressesResponse {
            close(conversation.exchange)
        } else {
            respond(answers[...], in: conversation, at: now)
        }
    }

    /// Says as many of the answers as one message holds.
    mutating func respond(
        _ answers: ArraySlice<InvokeResponseIB>, in conversation: Conversation, at now: Instant
    ) {
        var rest = answers
        var response = InvokeResponse { $0.moreChunkedMessages = true }
        while let answer = rest.first {
            response.invokeResponses.append(answer)
            if !response.fits(settings.messageOctets) {
                response.invokeResponses.removeLast()
                guard response.invokeResponses.isEmpty else { break }
                // It would not fit alone.
                response.invokeResponses.append(answer.refused(.resourceExhausted))
            }
            rest.removeFirst()
        }
        if rest.isEmpty { response.moreChunkedMessages = nil }
        say(
            .own(.invokeResponse, response), on: conversation.exchange, isLast: rest.isEmpty)
        if rest.isEmpty { return }
        wait(conversation, .responding(rest), until: now + Limits.serverPatience)
    }
}

extension PendingInvoke.Entry {
    init(_ command: CommandDataIB<EncodedElement>, id: InvocationID?) {
        path = command.commandPath
        reference = command.commandRef
        self.id = id
    }

    mutating func take(_ answer: InvocationAnswer) {
        self.answer = InvokeResponseIB {
            switch answer {
            case .status(let status, let clusterStatus):
                $0.status = CommandStatusIB {
                    $0.commandPath = path
                    $0.status = StatusIB(status, clusterStatus: clusterStatus)
                    $0.commandRef = reference
                }
            case .response(let id, let fields):
                $0.command = CommandDataIB {
                    $0.commandPath = path
                    $0.commandPath.command = id
                    $0.commandFields = fields
                    $0.commandRef = reference
                }
            }
        }
    }
}

extension InvokeResponseIB {
    fileprivate func refused(_ status: InteractionStatus) -> InvokeResponseIB {
        guard let command else { preconditionFailure("a status fits a message") }
        return InvokeResponseIB {
            $0.status = CommandStatusIB {
                $0.commandPath = command.commandPath
                $0.status = StatusIB(status)
                $0.commandRef = command.commandRef
            }
        }
    }
}

package import Base

// Write actions of a server. Core §8.6.3.

/// A message of a write, whose paths are gone through one by one.
struct PendingWrite: Sendable {
    struct Entry: Sendable {
        let request: AttributeDataIB
        let path: ConcreteAttributePath
        /// The data had the version that the writer wants when the message came.
        let isCurrent: Bool
    }

    var entries: ArraySlice<Entry>
    let isTimed: Bool
    let suppressesResponse: Bool
    let hasMoreChunks: Bool
    var statuses: [AttributeStatusIB] = []
    /// What the owner has to answer.
    var waiting: AttributeWrite?
    /// Whoever changed an access control list in this action may go on with it, even where the
    /// list no longer says so.
    var lastWritten: ConcreteAttributePath?
}

extension InteractionServer {
    mutating func write(
        _ conversation: Conversation, _ payload: Span<UInt8>, isTimed: Bool, at now: Instant
    ) throws(ActionError) {
        let write = try pendingWrite(payload, isTimed: isTimed)
        proceed(write, in: conversation, at: now)
    }

    /// The next message of a write in several.
    mutating func write(
        _ conversation: Conversation, _ payload: Span<UInt8>, after previous: PendingWrite,
        at now: Instant
    ) throws(ActionError) {
        guard previous.waiting == nil else { throw .refused(.invalidAction) }
        var write = try pendingWrite(payload, isTimed: previous.isTimed)
        write.lastWritten = previous.lastWritten
        proceed(write, in: conversation, at: now)
    }

    /// The owner carried out a write, or refuses it. With success the table takes the value.
    package mutating func answer(_ id: WriteID, _ status: InteractionStatus, at now: Instant) {
        let index = conversations.firstIndex { conversation in
            guard case .writing(let write) = conversation.state else { return false }
            return write.waiting?.id == id
        }
        // The writer may be gone by now; the owner has carried it out all the same.
        guard let index, case .writing(var write) = conversations[index].state,
            let waiting = write.waiting
        else { return }
        if status == .success {
            attributes.setEncoded(result(waiting), at: waiting.path)
            write.lastWritten = waiting.path
        }
        write.waiting = nil
        write.finishFirst(status)
        proceed(write, in: conversations.remove(at: index), at: now)
    }

    private func pendingWrite(
        _ payload: Span<UInt8>, isTimed: Bool
    ) throws(ActionError) -> PendingWrite {
        let request = try decode(WriteRequest.self, payload)
        guard request.timedRequest == isTimed else { throw .refused(.timedRequestMismatch) }
        guard !request.writeRequests.isEmpty else { throw .refused(.invalidAction) }
        var entries: [PendingWrite.Entry] = []
        for data in request.writeRequests {
            guard let path = data.path.concrete else { throw .refused(.invalidAction) }
            let version = attributes.dataVersion(of: path.cluster, on: path.endpoint)
            let isCurrent = data.dataVersion == nil || data.dataVersion == version
            entries.append(PendingWrite.Entry(request: data, path: path, isCurrent: isCurrent))
        }
        var write = PendingWrite(
            entries: entries[...], isTimed: isTimed,
            suppressesResponse: request.suppressResponse ?? false,
            hasMoreChunks: request.moreChunkedMessages ?? false)
        guard write.response(ifAll: .success).fits(settings.messageOctets) else {
            throw .refused(.resourceExhausted)
        }
        write.statuses.reserveCapacity(entries.count)
        return write
    }

    /// Goes on until the owner is asked or nothing is left.
    private mutating func proceed(
        _ pending: PendingWrite, in conversation: Conversation, at now: Instant
    ) {
        var write = pending
        while let entry = write.entries.first {
            let isGranted = write.lastWritten == entry.path
            if let status = refusal(entry, conversation.accessor, isGranted: isGranted) {
                write.finishFirst(status)
                continue
            }
            let event = event(entry, conversation.accessor)
            write.waiting = event
            tell(.write(event))
            return wait(conversation, .writing(write), until: nil)
        }
        let response = InteractionMessage.own(.writeResponse, write.response())
        if write.hasMoreChunks {
            say(response, on: conversation.exchange, isLast: false)
            wait(conversation, .writing(write), until: now + Limits.serverPatience)
        } else if write.suppressesResponse {
            close(conversation.exchange)
        } else {
            say(response, on: conversation.exchange, isLast: true)
        }
    }

    private func refusal(
        _ entry: PendingWrite.Entry, _ accessor: Accessor, isGranted: Bool
    ) -> InteractionStatus? {
        let path = entry.path
        if !isGranted,
            let status = absence(path.endpoint, path.cluster, accessor, least: .view)
        {
            return status
        }
        guard let cluster = attributes.cluster(path.cluster, on: path.endpoint) else {
            return .unsupportedCluster
        }
        guard let value = cluster.value(path.attribute) else { return .unsupportedAttribute }
        guard let info = cluster.info(path.attribute), info.access == .readWrite else {
            return .unsupportedWrite
        }
        let privilege = RequiredPrivilege.write(path)
        guard isGranted || allows(privilege, accessor, path.endpoint, path.cluster) else {
            return .unsupportedAccess
        }
        if FabricScope.isScoped(path), accessor.fabricIndex == nil { return .unsupportedAccess }
        guard entry.isCurrent else { return .dataVersionMismatch }
        // Where the value replaces the old one this is too strict, but no writer comes near it.
        guard value.octets.count + entry.request.data.octets.count <= Limits.attributeOctets else {
            return .resourceExhausted
        }
        switch entry.request.path.listIndex {
        case nil: return info.refusal(entry.request.data)
        case .null?:
            guard value.isArray else { return .unsupportedWrite }
            return info.refusal(EncodedElement(items: [entry.request.data]))
        case .value?: return .unsupportedWrite
        }
    }

    private mutating func event(
        _ entry: PendingWrite.Entry, _ accessor: Accessor
    ) -> AttributeWrite {
        let isAppend = entry.request.path.listIndex != nil
        var value = entry.request.data
        if FabricScope.isScoped(entry.path), let fabric = accessor.fabricIndex {
            value =
                isAppend
                ? value.owned(by: fabric) : FabricScope.own(value, fabric)
        }
        return AttributeWrite(
            id: WriteID(number: nextID()), path: entry.path,
            operation: isAppend ? .append : .replace, value: value, accessor: accessor)
    }

    /// What the attribute holds once this is written, other fabrics' items included.
    package func result(_ write: AttributeWrite) -> EncodedElement {
        let old = attributes.encoded(write.path) ?? .emptyArray
        switch write.operation {
        case .append: return EncodedElement(items: old.items + [write.value])
        case .replace:
            guard FabricScope.isScoped(write.path), let fabric = write.accessor.fabricIndex else {
                return write.value
            }
            return FabricScope.replacing(write.value, of: fabric, in: old)
        }
    }
}

extension PendingWrite {
    mutating func finishFirst(_ status: InteractionStatus) {
        statuses.append(Self.status(entries.removeFirst(), status))
    }

    func response() -> WriteResponse { WriteResponse { $0.writeResponses = statuses } }

    /// All statuses have the same length.
    func response(ifAll status: InteractionStatus) -> WriteResponse {
        WriteResponse { $0.writeResponses = entries.map { Self.status($0, status) } }
    }

    private static func status(_ entry: Entry, _ status: InteractionStatus) -> AttributeStatusIB {
        AttributeStatusIB {
            $0.path = entry.request.path
            $0.status = StatusIB(status)
        }
    }
}

extension AttributeInfo {
    /// Why a value cannot be one of this attribute.
    fileprivate func refusal(_ value: EncodedElement) -> InteractionStatus? {
        do throws(TLVError) {
            try check(value)
            return nil
        } catch {
            if case .outOfRange = error { return .constraintError }
            return .invalidDataType
        }
    }
}

extension TLVCodable {
    func fits(_ octets: Int) -> Bool {
        do throws(TLVError) {
            _ = try tlv(capacity: octets)
            return true
        } catch {
            return false
        }
    }
}

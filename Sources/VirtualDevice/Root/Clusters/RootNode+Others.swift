internal import Base
internal import Crypto
internal import Matter

/// Core §11.1: what people may call the node.
extension RootNode {
    mutating func basicInformation(_ write: RootWrite) throws(RootRefusal) {
        switch write.path.attribute {
        case BasicInformation.nodeLabel.id:
            let label = try write.decoded(BasicInformation.nodeLabel)
            guard label.utf8.count <= Limits.label else { throw RootRefusal(.constraintError) }
            stored.nodeLabel = label
        case BasicInformation.location.id:
            let location = try write.decoded(BasicInformation.location)
            guard location.utf8.count == 2 else { throw RootRefusal(.constraintError) }
            stored.location = location
        default: throw RootRefusal(.unsupportedWrite)
        }
    }
}

/// Core §11.2: keys of groups. They are kept and listed; group messages are not served.
extension RootNode {
    private typealias Groups = GroupKeyManagement

    mutating func groupKeyManagement(
        _ invocation: CommandInvocation
    ) throws(RootRefusal) -> InvocationAnswer {
        guard let fabric = invocation.accessor.fabricIndex else {
            throw RootRefusal(.unsupportedAccess)
        }
        switch invocation.command {
        case Groups.KeySetWrite.id:
            try write(try invocation.decoded(as: Groups.KeySetWrite.self).groupKeySet, fabric)
            return .success
        case Groups.KeySetRead.id:
            let id = try invocation.decoded(as: Groups.KeySetRead.self).groupKeySetID
            guard let keySet = keySets(of: fabric).first(where: { $0.groupKeySetID == id }) else {
                throw RootRefusal(.notFound)
            }
            return .response(Groups.KeySetReadResponse { $0.groupKeySet = keySet.withoutKeys })
        case Groups.KeySetRemove.id:
            let id = try invocation.decoded(as: Groups.KeySetRemove.self).groupKeySetID
            guard id != 0 else { throw RootRefusal(.invalidCommand) }
            guard keySets(of: fabric).contains(where: { $0.groupKeySetID == id }) else {
                throw RootRefusal(.notFound)
            }
            stored.groupKeySets.removeAll {
                $0.fabricIndex == fabric && $0.keySet.groupKeySetID == id
            }
            stored.groupKeyMap.removeAll {
                $0.fabricIndex == fabric && $0.groupKeySetID == id
            }
            return .success
        case Groups.KeySetReadAllIndices.id:
            let ids = keySets(of: fabric).map(\.groupKeySetID)
            return .response(Groups.KeySetReadAllIndicesResponse { $0.groupKeySetIDs = ids })
        default: throw RootRefusal(.unsupportedCommand)
        }
    }

    /// The IPK's set, which every fabric has, goes first.
    private func keySets(of fabric: FabricIndex) -> [GroupKeyManagement.GroupKeySetStruct] {
        let ipk = GroupKeyManagement.GroupKeySetStruct { $0.epochStartTime0 = .value(0) }
        return [ipk] + stored.groupKeySets.filter { $0.fabricIndex == fabric }.map(\.keySet)
    }

    /// Core §11.2.7.1.
    private mutating func write(
        _ keySet: GroupKeyManagement.GroupKeySetStruct, _ fabric: FabricIndex
    ) throws(RootRefusal) {
        guard let first = keySet.epochKey0.value, let start = keySet.epochStartTime0.value,
            start > 0, keySet.hasKeysInOrder
        else { throw RootRefusal(.invalidCommand) }
        guard first.count == 16, keySet.groupKeySecurityPolicy == .trustFirst else {
            throw RootRefusal(.constraintError)
        }
        if keySet.groupKeySetID == 0 {
            fabrics.rekey(fabric, first)
            return
        }
        let place = stored.groupKeySets.firstIndex {
            $0.fabricIndex == fabric && $0.keySet.groupKeySetID == keySet.groupKeySetID
        }
        var entry = StoredGroupKeySet()
        entry.fabricIndex = fabric
        entry.keySet = keySet
        if let place {
            stored.groupKeySets[place] = entry
        } else {
            // The IPK's set is one of them.
            guard keySets(of: fabric).count < Limits.groupKeySets else {
                throw RootRefusal(.resourceExhausted)
            }
            stored.groupKeySets.append(entry)
        }
    }

    mutating func groupKeyManagement(_ write: RootWrite) throws(RootRefusal) {
        guard write.path.attribute == Groups.groupKeyMap.id,
            let fabric = write.accessor.fabricIndex
        else { throw RootRefusal(.unsupportedWrite) }
        let map = try write.decoded(Groups.groupKeyMap)
        let own = map.filter { $0.fabricIndex == fabric }
        guard own.count <= Limits.groups else { throw RootRefusal(.resourceExhausted) }
        guard own.allSatisfy({ $0.groupID != 0 && $0.groupKeySetID != 0 }) else {
            throw RootRefusal(.constraintError)
        }
        stored.groupKeyMap = map
    }
}

extension GroupKeyManagement.GroupKeySetStruct {
    /// A later key is there only after the one before it, and begins later.
    fileprivate var hasKeysInOrder: Bool {
        let keys = [epochKey0, epochKey1, epochKey2].map { $0.value }
        let starts = [epochStartTime0, epochStartTime1, epochStartTime2].map { $0.value }
        for place in 1..<3 {
            guard (keys[place] == nil) == (starts[place] == nil) else { return false }
            guard let start = starts[place] else { continue }
            guard let before = starts[place - 1], before < start,
                keys[place]?.count == 16
            else { return false }
        }
        return true
    }

    fileprivate var withoutKeys: Self {
        var shown = self
        shown.epochKey0 = .null
        shown.epochKey1 = .null
        shown.epochKey2 = .null
        return shown
    }
}

/// Core §11.17: a clock that others set.
extension RootNode {
    mutating func timeSynchronization(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        guard invocation.command == TimeSynchronization.SetUTCTime.id else {
            throw RootRefusal(.unsupportedCommand)
        }
        let command = try invocation.decoded(as: TimeSynchronization.SetUTCTime.self)
        guard command.granularity.known != nil,
            command.utcTime <= UInt64(Int64.max)
        else { throw RootRefusal(.constraintError) }
        clock.set(microseconds: command.utcTime, command.granularity, at: now)
        return .success
    }
}

/// Core §11.12.
extension RootNode {
    mutating func generalDiagnostics(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        guard invocation.command == GeneralDiagnostics.TimeSnapshot.id else {
            throw RootRefusal(.unsupportedCommand)
        }
        return .response(
            GeneralDiagnostics.TimeSnapshotResponse {
                $0.systemTimeMs = UInt64((now - started).milliseconds)
                $0.posixTimeMs = Nullable(clock.posixMilliseconds(at: now))
            })
    }
}

/// The node's idea of the time: none until somebody sets it. Core §11.17.
struct NodeClock: Sendable {
    private var reference: (microseconds: UInt64, at: Instant)?
    private(set) var granularity = OpenEnum(TimeSynchronization.Granularity.noTimeGranularity)

    mutating func set(
        microseconds: UInt64, _ granularity: OpenEnum<TimeSynchronization.Granularity>,
        at now: Instant
    ) {
        reference = (microseconds, now)
        // Core §11.17.9.1: what came over the network is a step coarser than it was, and seconds
        // are no better than seconds.
        self.granularity = granularity
    }

    /// Since 2000.
    func microseconds(at now: Instant) -> UInt64? {
        reference.map { reference in
            let passed = max(0, (now - reference.at).nanoseconds / 1000)
            return reference.microseconds &+ UInt64(passed)
        }
    }

    func posixMilliseconds(at now: Instant) -> UInt64? {
        microseconds(at: now).map {
            UInt64(MatterTime(secondsSince2000: 0).unixSeconds) * 1000 + $0 / 1000
        }
    }

    /// For the validity of certificates: when the device was made, or later. Core §3.5.6.1.
    func certificateTime(at now: Instant) -> MatterTime {
        let known = microseconds(at: now).map {
            MatterTime(secondsSince2000: Int64($0 / 1_000_000))
        }
        return max(known ?? Self.made, Self.made)
    }

    /// 2025-01-01.
    private static let made = MatterTime(secondsSince2000: 789_004_800)
}

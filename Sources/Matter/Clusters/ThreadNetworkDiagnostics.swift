internal import Base

/// How a node fares in its Thread network. Core §11.14  Thread Network Diagnostics
package enum ThreadNetworkDiagnostics: Cluster {
    package static let id = ClusterID(0x0035)
    package static let name: StaticString = "thread-network-diagnostics"

    package static let channel = Attribute<Nullable<UInt16>>(id, 0x0000, "channel")
    package static let routingRole = Attribute<Nullable<OpenEnum<RoutingRole>>>(
        id, 0x0001, "routing-role")
    package static let networkName = Attribute<Nullable<String>>(id, 0x0002, "network-name")
    package static let panId = Attribute<Nullable<UInt16>>(id, 0x0003, "pan-id")
    package static let extendedPanId = Attribute<Nullable<UInt64>>(id, 0x0004, "extended-pan-id")
    package static let meshLocalPrefix = Attribute<Nullable<Octets>>(
        id, 0x0005, "mesh-local-prefix")
    package static let overrunCount = Attribute<UInt64>(id, 0x0006, "overrun-count")
    package static let neighborTable = Attribute<[NeighborTableStruct]>(
        id, 0x0007, "neighbor-table")
    package static let routeTable = Attribute<[RouteTableStruct]>(id, 0x0008, "route-table")
    package static let partitionId = Attribute<Nullable<UInt32>>(id, 0x0009, "partition-id")
    package static let weighting = Attribute<Nullable<UInt16>>(id, 0x000A, "weighting")
    package static let dataVersion = Attribute<Nullable<UInt16>>(id, 0x000B, "data-version")
    package static let stableDataVersion = Attribute<Nullable<UInt16>>(
        id, 0x000C, "stable-data-version")
    package static let leaderRouterId = Attribute<Nullable<UInt8>>(id, 0x000D, "leader-router-id")
    package static let detachedRoleCount = Attribute<UInt16>(id, 0x000E, "detached-role-count")
    package static let childRoleCount = Attribute<UInt16>(id, 0x000F, "child-role-count")
    package static let routerRoleCount = Attribute<UInt16>(id, 0x0010, "router-role-count")
    package static let leaderRoleCount = Attribute<UInt16>(id, 0x0011, "leader-role-count")
    package static let attachAttemptCount = Attribute<UInt16>(id, 0x0012, "attach-attempt-count")
    package static let partitionIdChangeCount = Attribute<UInt16>(
        id, 0x0013, "partition-id-change-count")
    package static let betterPartitionAttachAttemptCount = Attribute<UInt16>(
        id, 0x0014, "better-partition-attach-attempt-count")
    package static let parentChangeCount = Attribute<UInt16>(id, 0x0015, "parent-change-count")
    package static let txTotalCount = Attribute<UInt32>(id, 0x0016, "tx-total-count")
    package static let txUnicastCount = Attribute<UInt32>(id, 0x0017, "tx-unicast-count")
    package static let txBroadcastCount = Attribute<UInt32>(id, 0x0018, "tx-broadcast-count")
    package static let txAckRequestedCount = Attribute<UInt32>(id, 0x0019, "tx-ack-requested-count")
    package static let txAckedCount = Attribute<UInt32>(id, 0x001A, "tx-acked-count")
    package static let txNoAckRequestedCount = Attribute<UInt32>(
        id, 0x001B, "tx-no-ack-requested-count")
    package static let txDataCount = Attribute<UInt32>(id, 0x001C, "tx-data-count")
    package static let txDataPollCount = Attribute<UInt32>(id, 0x001D, "tx-data-poll-count")
    package static let txBeaconCount = Attribute<UInt32>(id, 0x001E, "tx-beacon-count")
    package static let txBeaconRequestCount = Attribute<UInt32>(
        id, 0x001F, "tx-beacon-request-count")
    package static let txOtherCount = Attribute<UInt32>(id, 0x0020, "tx-other-count")
    package static let txRetryCount = Attribute<UInt32>(id, 0x0021, "tx-retry-count")
    package static let txDirectMaxRetryExpiryCount = Attribute<UInt32>(
        id, 0x0022, "tx-direct-max-retry-expiry-count")
    package static let txIndirectMaxRetryExpiryCount = Attribute<UInt32>(
        id, 0x0023, "tx-indirect-max-retry-expiry-count")
    package static let txErrCcaCount = Attribute<UInt32>(id, 0x0024, "tx-err-cca-count")
    package static let txErrAbortCount = Attribute<UInt32>(id, 0x0025, "tx-err-abort-count")
    package static let txErrBusyChannelCount = Attribute<UInt32>(
        id, 0x0026, "tx-err-busy-channel-count")
    package static let rxTotalCount = Attribute<UInt32>(id, 0x0027, "rx-total-count")
    package static let rxUnicastCount = Attribute<UInt32>(id, 0x0028, "rx-unicast-count")
    package static let rxBroadcastCount = Attribute<UInt32>(id, 0x0029, "rx-broadcast-count")
    package static let rxDataCount = Attribute<UInt32>(id, 0x002A, "rx-data-count")
    package static let rxDataPollCount = Attribute<UInt32>(id, 0x002B, "rx-data-poll-count")
    package static let rxBeaconCount = Attribute<UInt32>(id, 0x002C, "rx-beacon-count")
    package static let rxBeaconRequestCount = Attribute<UInt32>(
        id, 0x002D, "rx-beacon-request-count")
    package static let rxOtherCount = Attribute<UInt32>(id, 0x002E, "rx-other-count")
    package static let rxAddressFilteredCount = Attribute<UInt32>(
        id, 0x002F, "rx-address-filtered-count")
    package static let rxDestAddrFilteredCount = Attribute<UInt32>(
        id, 0x0030, "rx-dest-addr-filtered-count")
    package static let rxDuplicatedCount = Attribute<UInt32>(id, 0x0031, "rx-duplicated-count")
    package static let rxErrNoFrameCount = Attribute<UInt32>(id, 0x0032, "rx-err-no-frame-count")
    package static let rxErrUnknownNeighborCount = Attribute<UInt32>(
        id, 0x0033, "rx-err-unknown-neighbor-count")
    package static let rxErrInvalidSrcAddrCount = Attribute<UInt32>(
        id, 0x0034, "rx-err-invalid-src-addr-count")
    package static let rxErrSecCount = Attribute<UInt32>(id, 0x0035, "rx-err-sec-count")
    package static let rxErrFcsCount = Attribute<UInt32>(id, 0x0036, "rx-err-fcs-count")
    package static let rxErrOtherCount = Attribute<UInt32>(id, 0x0037, "rx-err-other-count")
    package static let activeTimestamp = Attribute<Nullable<UInt64>>(id, 0x0038, "active-timestamp")
    package static let pendingTimestamp = Attribute<Nullable<UInt64>>(
        id, 0x0039, "pending-timestamp")
    package static let delay = Attribute<Nullable<UInt32>>(
        id, 0x003A, "delay", quantity: .milliseconds)
    package static let securityPolicy = Attribute<EncodedElement>(id, 0x003B, "security-policy")
    package static let channelPage0Mask = Attribute<Nullable<Octets>>(
        id, 0x003C, "channel-page0-mask")
    package static let operationalDatasetComponents = Attribute<EncodedElement>(
        id, 0x003D, "operational-dataset-components")
    package static let activeNetworkFaultsList = Attribute<[OpenEnum<NetworkFault>]>(
        id, 0x003E, "active-network-faults-list")
    package static let extAddress = Attribute<Nullable<UInt64>>(id, 0x003F, "ext-address")
    package static let rloc16 = Attribute<Nullable<UInt16>>(id, 0x0040, "rloc16")

    package static let attributes = table(
        channel, routingRole, networkName, panId, extendedPanId, meshLocalPrefix, overrunCount,
        neighborTable, routeTable, partitionId, weighting, dataVersion, stableDataVersion,
        leaderRouterId, detachedRoleCount, childRoleCount, routerRoleCount, leaderRoleCount,
        attachAttemptCount, partitionIdChangeCount, betterPartitionAttachAttemptCount,
        parentChangeCount, txTotalCount, txUnicastCount, txBroadcastCount, txAckRequestedCount,
        txAckedCount, txNoAckRequestedCount, txDataCount, txDataPollCount, txBeaconCount,
        txBeaconRequestCount, txOtherCount, txRetryCount, txDirectMaxRetryExpiryCount,
        txIndirectMaxRetryExpiryCount, txErrCcaCount, txErrAbortCount, txErrBusyChannelCount,
        rxTotalCount, rxUnicastCount, rxBroadcastCount, rxDataCount, rxDataPollCount, rxBeaconCount,
        rxBeaconRequestCount, rxOtherCount, rxAddressFilteredCount, rxDestAddrFilteredCount,
        rxDuplicatedCount, rxErrNoFrameCount, rxErrUnknownNeighborCount, rxErrInvalidSrcAddrCount,
        rxErrSecCount, rxErrFcsCount, rxErrOtherCount, activeTimestamp, pendingTimestamp, delay,
        securityPolicy, channelPage0Mask, operationalDatasetComponents, activeNetworkFaultsList,
        extAddress, rloc16)
    package static let commands = table(ResetCounts.self)
}

extension ThreadNetworkDiagnostics {
    /// Core §11.14.7.1
    package struct ResetCounts: FieldlessCommand, Equatable {
        package static let cluster = ThreadNetworkDiagnostics.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "reset-counts"

        package init() {}
    }
}

extension ThreadNetworkDiagnostics {
    /// Core §11.14.5.4
    package struct NeighborTableStruct: TLVStructure, Hashable, Sendable {
        package var extAddress: UInt64 = 0
        package var age: UInt32 = 0
        package var rloc16: UInt16 = 0
        package var linkFrameCounter: UInt32 = 0
        package var mleFrameCounter: UInt32 = 0
        package var lqi: UInt8 = 0
        package var averageRssi: Nullable<Int8> = .null
        package var lastRssi: Nullable<Int8> = .null
        package var frameErrorRate: UInt8 = 0
        package var messageErrorRate: UInt8 = 0
        package var rxOnWhenIdle = false
        package var fullThreadDevice = false
        package var fullNetworkData = false
        package var isChild = false

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "extAddress", &extAddress)
            try field(1, "age", &age)
            try field(2, "rloc16", &rloc16)
            try field(3, "linkFrameCounter", &linkFrameCounter)
            try field(4, "mleFrameCounter", &mleFrameCounter)
            try field(5, "lqi", &lqi)
            try field(6, "averageRssi", &averageRssi)
            try field(7, "lastRssi", &lastRssi)
            try field(8, "frameErrorRate", &frameErrorRate)
            try field(9, "messageErrorRate", &messageErrorRate)
            try field(10, "rxOnWhenIdle", &rxOnWhenIdle)
            try field(11, "fullThreadDevice", &fullThreadDevice)
            try field(12, "fullNetworkData", &fullNetworkData)
            try field(13, "isChild", &isChild)
        }
    }

    /// Core §11.14.5.5
    package struct RouteTableStruct: TLVStructure, Hashable, Sendable {
        package var extAddress: UInt64 = 0
        package var rloc16: UInt16 = 0
        package var routerId: UInt8 = 0
        package var nextHop: UInt8 = 0
        package var pathCost: UInt8 = 0
        package var lqiIn: UInt8 = 0
        package var lqiOut: UInt8 = 0
        package var age: UInt8 = 0
        package var allocated = false
        package var linkEstablished = false

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "extAddress", &extAddress)
            try field(1, "rloc16", &rloc16)
            try field(2, "routerId", &routerId)
            try field(3, "nextHop", &nextHop)
            try field(4, "pathCost", &pathCost)
            try field(5, "LQIIn", &lqiIn)
            try field(6, "LQIOut", &lqiOut)
            try field(7, "age", &age)
            try field(8, "allocated", &allocated)
            try field(9, "linkEstablished", &linkEstablished)
        }
    }
}

extension ThreadNetworkDiagnostics {
    /// Core §11.14.5.1
    package enum NetworkFault: UInt8, NamedNumber {
        case unspecified = 0
        case linkDown = 1
        case hardwareFailure = 2
        case networkJammed = 3
    }

    /// Core §11.14.5.3
    package enum RoutingRole: UInt8, NamedNumber {
        case unspecified = 0
        case unassigned = 1
        case sleepyEndDevice = 2
        case endDevice = 3
        case reed = 4
        case router = 5
        case leader = 6
    }
}

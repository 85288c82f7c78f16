package import Base
package import Matter

/// A commissioning that has begun. It is kept from before the device can know us until the run
/// has ended, so that a crash in between leaves a trace to resume or roll back from.
///
/// It holds no secret: to resume it takes the node id and our own fabric. The passcode's session
/// is gone with the process, and the device's certificate need not be kept, for a node that
/// answers CASE under this node id shows it.
package struct RunRecord: Sendable, Equatable {
    /// The node id that the run gives to the device.
    package var nodeID: NodeID
    /// The number of the step about to be taken.
    package var step: UInt8
    /// Seconds since 1970 at the start; 0 when the clock was not plausible.
    package var startedAt: Int64
    /// How long the device's fail-safe can last in all, from the start. Core §11.10.6.2.
    package var failSafeSeconds = standardFailSafeSeconds
    package var vendorName = ""
    package var productName = ""
    package var serialNumber = ""
    /// Asked for by people, for the node.
    package var name = ""
    package var room = ""
    /// Where the device answered.
    package var lastAddress: SocketAddress?
    package var isAttested = false
    /// The node whose place the device is to take, when a person said so.
    package var replaces: NodeID?

    /// Core §11.10.6.2: the bound of a device that does not tell one.
    package static let standardFailSafeSeconds: UInt16 = 900

    package init(nodeID: NodeID, step: UInt8, startedAt: Int64) {
        self.nodeID = nodeID
        self.step = step
        self.startedAt = startedAt
    }

    /// Whether the device may have got its identity: AddNOC was sent, or was about to be.
    package var mayKnowUs: Bool { step >= CommissioningStep.addNOC.rawValue }
    /// Whether the device may be ours for good: CommissioningComplete was sent, or was about to
    /// be. Until then everything that it has of us goes with its fail-safe.
    package var mayBeComplete: Bool { step >= CommissioningStep.commissioningComplete.rawValue }
}

/// A device that is none of ours any more and may not know it: it is told when it is there again.
package struct PendingRemoval: Sendable, Equatable {
    /// As it was a node.
    package var nodeID: NodeID
    /// Our place in its fabric table; nil when it never told.
    package var fabricIndex: FabricIndex?
    package var lastAddress: SocketAddress?
    /// What people called it, to name it by.
    package var name: String
    /// Seconds since 1970; 0 when the clock was not plausible.
    package var since: Int64

    /// As many as a building of a hundred nodes gives up before somebody looks. The oldest goes
    /// for the newest: what was silent for longest is broken or far away.
    package static let bound = 64

    package init(
        nodeID: NodeID, fabricIndex: FabricIndex?, lastAddress: SocketAddress?, name: String,
        since: Int64
    ) {
        self.nodeID = nodeID
        self.fabricIndex = fabricIndex
        self.lastAddress = lastAddress
        self.name = name
        self.since = since
    }

    /// Of a node that is given up.
    package init(_ node: NodeRecord, since: Int64) {
        let name = [node.name, node.productName].first { !$0.isEmpty } ?? ""
        self.init(
            nodeID: node.nodeID, fabricIndex: node.fabricIndex, lastAddress: node.lastAddress,
            name: name, since: since)
    }

    /// Of a device whose commissioning is undone after it may have been completed.
    package init(_ run: RunRecord, fabricIndex: FabricIndex? = nil, since: Int64) {
        let name = [run.name, run.productName].first { !$0.isEmpty } ?? ""
        self.init(
            nodeID: run.nodeID, fabricIndex: fabricIndex, lastAddress: run.lastAddress,
            name: name, since: since)
    }
}

/// The node whose place another takes.
package enum Predecessor: Sendable, Equatable {
    /// The same device before it was reset: it has nothing of us any more.
    case reset(NodeID)
    /// Another device, which is to be told that it is given up.
    case replaced(PendingRemoval)

    package var nodeID: NodeID {
        switch self {
        case .reset(let nodeID): nodeID
        case .replaced(let removal): removal.nodeID
        }
    }
}

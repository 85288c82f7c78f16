internal import Base
internal import Matter

extension Commissioner {
    /// Connects with a node that may well be gone, and decides soon: a node that is on the link
    /// answers the query at once, and another one is not waited for.
    func reach(
        _ nodeID: NodeID, hint: SocketAddress?, _ resumptions: any SessionResumptions
    ) async throws(ConnectionError) -> Peer {
        let connector = OperationalConnector(
            node: node, resolver: resolver, fabric: fabric, resumptions: resumptions,
            certificateTime: clock.certificateTime)
        // IPv4 addresses are lent: what is there now may be another device, whose word that it
        // does not know us would mean nothing.
        let hint = hint.flatMap { $0.address.isIPv4 ? nil : $0 }
        let result = await node.loop.value(within: Self.timeToReach) {
            do throws(ConnectionError) {
                return Result<Peer, ConnectionError>.success(
                    try await connector.connect(
                        to: nodeID, hint: hint, within: Self.timeToAnswer))
            } catch { return .failure(error) }
        }
        do throws(ConnectionError) { return try result.get() } catch .cancelled {
            // Of the two that cancel, the time is no end to the caller.
            throw Task.isCancelled ? .cancelled : .notFound
        }
    }

    func reach(_ nodeID: NodeID, hint: SocketAddress?) async throws(ConnectionError) -> Peer {
        try await reach(nodeID, hint: hint, StoredResumptions(store))
    }

    private static let timeToAnswer = Duration.seconds(3)
    private static let timeToReach = Duration.seconds(5)
}

extension ConnectionError {
    /// The device says that it is in none of our fabrics. Core §4.14.2.3.2.
    package var isOfStranger: Bool {
        guard case .handshake(.operational(.statusReport(let report))) = self else { return false }
        return report.secureChannelCode == .noSharedTrustRoots
    }
}

extension Peer {
    var socketAddress: SocketAddress? {
        get async {
            guard case .udp(let address)? = await node.address(of: session) else { return nil }
            return address
        }
    }

    /// Our place in the device's fabric table, as it says.
    func currentFabricIndex() async throws(PeerError) -> FabricIndex {
        let attribute = OperationalCredentials.currentFabricIndex
        let reports = try await report([AttributePath(attribute, endpoint: .root)])
        return try reports.valueOrPeerError(attribute, .root) ?? FabricIndex(1)
    }

    /// Takes the device out of our fabric.
    /// - Parameter index: our place in its table; it is asked where that is not known.
    /// - Returns: whether it has let go of us.
    func removeFabric(_ index: FabricIndex?) async -> Bool {
        do throws(PeerError) {
            var command = OperationalCredentials.RemoveFabric()
            if let index {
                command.fabricIndex = index
            } else {
                command.fabricIndex = try await currentFabricIndex()
            }
            return try await invoke(command).statusCode == .ok
        } catch { return false }
    }
}

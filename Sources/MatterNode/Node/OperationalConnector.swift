package import Base
package import Matter

/// Why a node of our fabric could not be reached.
package enum ConnectionError: Error, Equatable {
    /// It did not announce itself in the time given, and the last address did not answer.
    case notFound
    /// It was found and no session came about.
    case handshake(HandshakeFailure)
    case cancelled
}

/// Connects with nodes of our fabric, wherever they are on the link. Core §4.3.2, §4.14.2.
package struct OperationalConnector: Sendable {
    let node: Node
    let resolver: Resolver
    let fabric: Fabric
    let resumptions: any SessionResumptions
    let certificateTime: @Sendable () -> MatterTime

    package init(
        node: Node, resolver: Resolver, fabric: Fabric, resumptions: any SessionResumptions,
        certificateTime: @escaping @Sendable () -> MatterTime
    ) {
        self.node = node
        self.resolver = resolver
        self.fabric = fabric
        self.resumptions = resumptions
        self.certificateTime = certificateTime
    }

    /// Finds the node and establishes a session.
    /// - Parameters:
    ///   - hint: where it was last; tried when it does not announce itself soon, for it may have
    ///     moved.
    ///   - time: how long to look for it.
    package func connect(
        to nodeID: NodeID, hint: SocketAddress?, within time: Duration
    ) async throws(ConnectionError) -> Peer {
        let browser: Resolver.Browser
        do throws(DiscoveryError) {
            browser = try await resolver.browse(.node(fabric.name(of: nodeID)))
        } catch { throw .notFound }
        do throws(ConnectionError) {
            let peer = try await search(nodeID, hint, browser, within: time)
            await resolver.stop(browser)
            return peer
        } catch {
            await resolver.stop(browser)
            throw error
        }
    }

    private func search(
        _ nodeID: NodeID, _ hint: SocketAddress?, _ browser: Resolver.Browser,
        within time: Duration
    ) async throws(ConnectionError) -> Peer {
        let deadline = node.loop.now + time
        var hint = hint
        var tried: Set<SocketAddress> = []
        var last: HandshakeFailure?
        while true {
            // One that moved announces itself at once; the last address is for one that is mute.
            let wait = hint == nil ? deadline : min(deadline, node.loop.now + Self.timeToAnnounce)
            let record = try await next(browser, until: wait)
            guard let candidates = record?.sockets ?? hint.map({ [$0] }) else { break }
            if record == nil { hint = nil }
            let fresh = candidates.filter { tried.insert($0).inserted }
            if fresh.isEmpty { continue }
            do throws(HandshakeFailure) {
                return try await race(
                    nodeID, fresh, record?.sessionParameters ?? SessionParameters())
            } catch .exchange(.cancelled) {
                throw .cancelled
            } catch { last = error }
        }
        if let last { throw .handshake(last) }
        throw .notFound
    }

    private func race(
        _ nodeID: NodeID, _ addresses: [SocketAddress], _ parameters: SessionParameters
    ) async throws(HandshakeFailure) -> Peer {
        let race = AddressRace(node, parameters)
        let (session, _) = try await race.run(
            addresses.map(PeerAddress.udp), ends: { _ in false },
            attempt: { address throws(HandshakeFailure) in
                try await handshake(nodeID, address, parameters)
            })
        if let next = session.resumption { resumptions.keep(next) }
        return Peer(node: node, session: session.handle)
    }

    /// A peer that fails over a resumption is asked once more, in full.
    private func handshake(
        _ nodeID: NodeID, _ address: PeerAddress, _ parameters: SessionParameters
    ) async throws(HandshakeFailure) -> SecureSession {
        guard let resumption = resumption(of: nodeID) else {
            return try await handshake(nodeID, address, parameters, nil)
        }
        do throws(HandshakeFailure) {
            return try await handshake(nodeID, address, parameters, resumption)
        } catch {
            guard error.mayBeOfResumption else { throw error }
            resumptions.forget(nodeID)
            return try await handshake(nodeID, address, parameters, nil)
        }
    }

    private func handshake(
        _ nodeID: NodeID, _ address: PeerAddress, _ parameters: SessionParameters,
        _ resumption: SessionResumption?
    ) async throws(HandshakeFailure) -> SecureSession {
        try await node.establishCASE(
            with: nodeID, at: address, credentials: fabric.credentials,
            parameters: parameters, resumption: resumption, now: certificateTime())
    }

    /// What is kept of the node, unless it is of another fabric or node.
    private func resumption(of nodeID: NodeID) -> SessionResumption? {
        guard let kept = resumptions.resumption(of: nodeID) else { return nil }
        let isOfPeer =
            kept.peer.nodeID == nodeID && kept.peer.fabricID == fabric.credentials.fabricID
        return isOfPeer ? kept : nil
    }

    private func next(
        _ browser: Resolver.Browser, until deadline: Instant
    ) async throws(ConnectionError) -> ServiceRecord? {
        do throws(CancellationError) {
            return try await browser.next(until: deadline)
        } catch { throw .cancelled }
    }

    /// How long a node that was heard of before gets to answer the query.
    private static let timeToAnnounce = Duration.seconds(1)
}

extension ServiceRecord {
    fileprivate var sockets: [SocketAddress] {
        addressesInGoodOrder.map { SocketAddress($0, port: port) }
    }
}

extension ConnectionError {
    /// The same, as the end of a commissioning.
    var commissioningError: CommissioningError {
        switch self {
        case .notFound: CommissioningError(.findOperational, .notFound)
        case .handshake(let failure):
            CommissioningError(.establishCASE, .handshake(failure))
        case .cancelled: CommissioningError(.findOperational, .cancelled)
        }
    }
}

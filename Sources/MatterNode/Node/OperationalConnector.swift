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
    let certificateTime: @Sendable () -> MatterTime

    package init(
        node: Node, resolver: Resolver, fabric: Fabric,
        certificateTime: @escaping @Sendable () -> MatterTime
    ) {
        self.node = node
        self.resolver = resolver
        self.fabric = fabric
        self.certificateTime = certificateTime
    }

    /// Finds the node and establishes a session.
    /// - Parameters:
    ///   - hint: where it was last; tried when it does not announce itself at once.
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
        let start = node.loop.now
        let deadline = start + time
        var tried: Set<SocketAddress> = []
        var last: HandshakeFailure?
        if let record = try await next(browser, until: start + Self.timeForAnnouncement) {
            if let peer = try await connect(nodeID, record, &tried, &last) { return peer }
        } else if let hint, tried.insert(hint).inserted {
            // Multicast may be lost where unicast gets through; a node that has moved is found
            // by its answer later.
            do throws(HandshakeFailure) {
                return try await handshake(nodeID, hint, SessionParameters())
            } catch .exchange(.cancelled) {
                throw .cancelled
            } catch { last = error }
        }
        while let record = try await next(browser, until: deadline) {
            if let peer = try await connect(nodeID, record, &tried, &last) { return peer }
        }
        if let last { throw .handshake(last) }
        throw .notFound
    }

    /// Tries the addresses of a record that were not tried before.
    /// - Returns: nil when none led to a session; `last` is then why.
    private func connect(
        _ nodeID: NodeID, _ record: ServiceRecord, _ tried: inout Set<SocketAddress>,
        _ last: inout HandshakeFailure?
    ) async throws(ConnectionError) -> Peer? {
        for address in record.addressesInGoodOrder {
            let socket = SocketAddress(address, port: record.port)
            guard tried.insert(socket).inserted else { continue }
            do throws(HandshakeFailure) {
                return try await handshake(nodeID, socket, record.sessionParameters)
            } catch .exchange(.cancelled) {
                throw .cancelled
            } catch { last = error }
        }
        return nil
    }

    /// A node that is there announces itself well within this; then its last address is tried.
    private static let timeForAnnouncement = Duration.milliseconds(500)

    private func handshake(
        _ nodeID: NodeID, _ address: SocketAddress, _ parameters: SessionParameters
    ) async throws(HandshakeFailure) -> Peer {
        let session = try await node.establishCASE(
            with: nodeID, at: .udp(address), credentials: fabric.credentials,
            parameters: parameters, now: certificateTime())
        return Peer(node: node, session: session.handle)
    }

    private func next(
        _ browser: Resolver.Browser, until deadline: Instant
    ) async throws(ConnectionError) -> ServiceRecord? {
        do throws(CancellationError) {
            return try await browser.next(until: deadline)
        } catch { throw .cancelled }
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

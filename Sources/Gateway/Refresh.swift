internal import Base
internal import Matter
package import MatterNode

/// What came of asking a device anew.
package struct Refreshed: Equatable, Sendable {
    /// With what it said now; as it was known before where it said nothing.
    package let node: NodeRecord
    /// Why it did not say what it is; nil when it did.
    package let error: GatewayError?

    package init(_ node: NodeRecord, error: GatewayError? = nil) {
        self.node = node
        self.error = error
    }

    /// One that refuses to say what it is answers all the same.
    package var isOnline: Bool {
        switch error {
        case nil, .peer(.interaction): true
        default: false
        }
    }
}

extension Gateway {
    /// At once: handshakes of so many take a small board half a second of arithmetic, and a
    /// Thread network carries their messages beside its own.
    private static let askedAtOnce = 16
    /// For one device, from looking for it to its answer; a hundred that are all away take no
    /// longer than 70 seconds.
    private static let timeToSay = Duration.seconds(10)

    /// Asks devices what they are, several at a time, and keeps what they say.
    /// - Returns: in the order of `records`, without those that were removed meanwhile.
    /// - Throws: `store`, and `connection(.cancelled)`.
    package func refresh(_ records: [NodeRecord]) async throws(GatewayError) -> [Refreshed] {
        var answers: [Int: Result<NodeDescription, GatewayError>] = [:]
        await withTaskGroup(of: (Int, Result<NodeDescription, GatewayError>).self) { group in
            for (index, record) in records.enumerated() {
                if index >= Self.askedAtOnce, let (index, answer) = await group.next() {
                    answers[index] = answer
                }
                group.addTask { [self] in (index, await ask(record)) }
            }
            for await (index, answer) in group { answers[index] = answer }
        }
        if Task.isCancelled { throw .connection(.cancelled) }
        var refreshed: [Refreshed] = []
        for (index, record) in records.enumerated() {
            // Others may have named or removed it meanwhile.
            guard let node = try nodes().first(where: { $0.nodeID == record.nodeID }) else {
                continue
            }
            switch answers[index] {
            case .success(let description):
                refreshed.append(Refreshed(try keep(description, of: node)))
            case .failure(let error): refreshed.append(Refreshed(node, error: error))
            case nil: preconditionFailure("every child of the group gives its answer")
            }
        }
        return refreshed
    }

    private func keep(
        _ description: NodeDescription, of node: NodeRecord
    ) throws(GatewayError) -> NodeRecord {
        var described = node
        description.update(&described)
        guard described != node else { return node }
        do throws(StoreError) { try store.save(described) } catch { throw .store(error) }
        return described
    }

    /// The answer of one device, or that it does not come in time.
    private func ask(_ record: NodeRecord) async -> Result<NodeDescription, GatewayError> {
        let answer = LoopWait<Result<NodeDescription, GatewayError>>()
        let flow = loop.spawn { [self] in
            do throws(GatewayError) {
                answer.resume(returning: .success(try await describe(record)))
            } catch { answer.resume(returning: .failure(error)) }
        }
        let timer = loop.schedule(at: loop.now + Self.timeToSay) {
            answer.resume(returning: .failure(.connection(.notFound)))
        }
        let result: Result<NodeDescription, GatewayError>
        do throws(CancellationError) { result = try await answer.value() } catch {
            result = .failure(.connection(.cancelled))
        }
        loop.cancel(timer)
        flow.cancel()
        await flow.value
        return result
    }

    private func describe(_ record: NodeRecord) async throws(GatewayError) -> NodeDescription {
        try await ask(record) { peer throws(PeerError) in
            let reports = try await peer.report(NodeDescription.paths)
            let address = await peer.node.address(of: peer.session)
            do throws(InteractionError) { return try NodeDescription(reports, address) } catch {
                throw .interaction(error)
            }
        }
    }
}

/// What a device says it is. Core §9.5, §11.1.
private struct NodeDescription: Sendable {
    private let vendorID: VendorID?
    private let productID: ProductID?
    private let vendorName: String?
    private let productName: String?
    private let serialNumber: String?
    private let endpoints: [EndpointRecord]
    private let address: PeerAddress?

    /// Seven paths: a server takes nine.
    static let paths = [
        AttributePath(BasicInformation.vendorID, endpoint: .root),
        AttributePath(BasicInformation.productID, endpoint: .root),
        AttributePath(BasicInformation.vendorName, endpoint: .root),
        AttributePath(BasicInformation.productName, endpoint: .root),
        AttributePath(BasicInformation.serialNumber, endpoint: .root),
        AttributePath(Descriptor.deviceTypeList, endpoint: nil),
        AttributePath(Descriptor.serverList, endpoint: nil),
    ]

    init(_ reports: AttributeReports, _ address: PeerAddress?) throws(InteractionError) {
        vendorID = try reports.value(BasicInformation.vendorID, .root)
        productID = try reports.value(BasicInformation.productID, .root)
        vendorName = try reports.value(BasicInformation.vendorName, .root)
        productName = try reports.value(BasicInformation.productName, .root)
        serialNumber = try reports.value(BasicInformation.serialNumber, .root)
        endpoints = try EndpointRecord.described(by: reports)
        self.address = address
    }

    /// What it does not say stays as it was.
    func update(_ node: inout NodeRecord) {
        node.vendorID = vendorID ?? node.vendorID
        node.productID = productID ?? node.productID
        node.vendorName = vendorName ?? node.vendorName
        node.productName = productName ?? node.productName
        node.serialNumber = serialNumber ?? node.serialNumber
        if !endpoints.isEmpty { node.endpoints = endpoints }
        if case .udp(let address)? = address { node.lastAddress = address }
    }
}

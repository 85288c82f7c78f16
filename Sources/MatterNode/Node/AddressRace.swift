internal import Base
internal import Matter

/// Handshakes with the addresses of one device, of which the first session is kept.
///
/// The next address begins when those before have said nothing for a while, so that a dead one
/// costs a second and not its five transmissions. RFC 8305 §5 has the idea. One that has said
/// anything is waited for: a slow device must not be asked twice.
struct AddressRace: Sendable {
    let node: Node
    /// How long to wait for the first sign of an address before the next one begins.
    let patience: Duration

    /// - Parameter parameters: a device that sleeps has time for its next waking and one more.
    init(_ node: Node, _ parameters: SessionParameters) {
        self.node = node
        patience = max(.seconds(1), parameters.idleInterval * 2)
    }

    typealias Attempt = @Sendable (PeerAddress) async throws(HandshakeFailure) -> SecureSession

    /// - Parameters:
    ///   - addresses: of one device, the best first.
    ///   - ends: whether a failure holds for all the other addresses as well.
    /// - Throws: what ended it, else what the device said, else that nobody answered.
    func run(
        _ addresses: [PeerAddress], ends: (HandshakeFailure) -> Bool,
        attempt: @escaping Attempt
    ) async throws(HandshakeFailure) -> (session: SecureSession, address: PeerAddress) {
        let field = Field(node)
        var begun = 0
        var next = node.loop.now
        var failure = HandshakeFailure.exchange(.unreachable)
        while true {
            let mayBegin = begun < addresses.count && field.running.count < Self.atOnce
            if mayBegin, field.running.isEmpty || node.loop.now >= next {
                next = node.loop.now + patience
                if await field.isSilent {
                    field.begin(addresses[begun], attempt)
                    begun += 1
                }
                continue
            }
            if field.running.isEmpty { throw failure }
            let end: Field.End?
            do throws(CancellationError) {
                end = try await field.ends.next(until: mayBegin ? next : .distantFuture)
            } catch {
                await field.cancelAll()
                throw .exchange(.cancelled)
            }
            guard let end else { continue }
            field.running[end.address] = nil
            switch end.result {
            case .success(let session):
                await field.cancelAll()
                return (session, end.address)
            case .failure(let error):
                if ends(error) {
                    await field.cancelAll()
                    throw error
                }
                if error != .exchange(.unreachable) { failure = error }
            }
        }
    }

    /// Addresses that are tried at once: a dead one and an unroutable one beside one that works,
    /// while a burst of handshakes is spared the device and the network.
    private static let atOnce = 3
}

/// The attempts of one race; everything here happens on the loop.
private final class Field: @unchecked Sendable {
    struct End: Sendable {
        let address: PeerAddress
        let result: Result<SecureSession, HandshakeFailure>
    }

    private let node: Node
    let ends: LoopQueue<End>
    var running: [PeerAddress: LoopTask] = [:]
    private var isOver = false

    init(_ node: Node) {
        self.node = node
        ends = LoopQueue(on: node.loop, bound: Limits.mdnsAddressesPerHost)
    }

    /// Nothing came from any address that is being tried.
    var isSilent: Bool {
        get async {
            for address in running.keys where await node.hasHeard(from: address) { return false }
            return true
        }
    }

    func begin(_ address: PeerAddress, _ attempt: @escaping AddressRace.Attempt) {
        running[address] = node.loop.spawn { [self] in
            let result: Result<SecureSession, HandshakeFailure>
            do throws(HandshakeFailure) { result = .success(try await attempt(address)) } catch {
                result = .failure(error)
            }
            if isOver, case .success(let session) = result { return await node.end(session.handle) }
            ends.push(End(address: address, result: result))
        }
    }

    /// Ends the attempts that go on, and the sessions of those that came second.
    func cancelAll() async {
        isOver = true
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
        while let end = ends.take() {
            if case .success(let session) = end.result { await node.end(session.handle) }
        }
    }
}

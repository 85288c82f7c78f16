internal import Base
internal import Crypto
internal import Gateway
internal import LinuxIO
internal import Matter
internal import MatterNode

/// Joins the rooms for one process: the store and the network are opened when a command first
/// needs them, so that `help` needs neither.
final class Wiring {
    let poll: PollLoop
    private let options: GlobalOptions
    private let radio: (any BluetoothRadio)?
    private var openStore: SQLiteStore?
    private var openGateway: Gateway?
    private var openHistory: HistoryFile?
    private var openNode: Node?

    /// Where warnings go that belong to no command: one line each, without its end.
    var report: @Sendable (String) -> Void = { StandardStreams.writeError($0 + "\n") }

    /// - Parameter radio: nil for the board's own Bluetooth.
    init(_ options: GlobalOptions, poll: PollLoop, radio: (any BluetoothRadio)? = nil) {
        self.options = options
        self.radio = radio
        self.poll = poll
    }

    var statePath: String { options.state ?? Configuration.standardState }

    /// The installed service's consoles; its state folder lets nobody else in.
    private static let standardConsole = "/run/matter-gateway/console.sock"
    /// Whose members may use them.
    static let consoleGroup = "matter-gateway"

    /// Where the agent that has the state listens for consoles.
    static func consolePath(_ options: GlobalOptions) -> String {
        guard let state = options.state, state != Configuration.standardState else {
            return standardConsole
        }
        return state + ".console"
    }

    func store() throws(WiringError) -> SQLiteStore {
        if let openStore { return openStore }
        do throws(StoreError) {
            let store = try SQLiteStore(path: statePath)
            openStore = store
            if let notice = store.notice { report(notice) }
            return store
        } catch { throw .store(error, path: statePath) }
    }

    func history() throws(WiringError) -> HistoryFile {
        if let openHistory { return openHistory }
        let history = makeHistory(of: try store())
        openHistory = history
        return history
    }

    var isShakingHands: Bool {
        openNode?.assumeIsolated { $0.handshakes > 0 } ?? false
    }

    /// Opens an empty store in the place of one that is damaged.
    func newStore() throws(WiringError) -> (SQLiteStore, aside: String) {
        let aside: String
        do throws(StoreError) { aside = try SQLiteStore.setAside(path: statePath) } catch {
            throw .store(error, path: statePath)
        }
        return (try store(), aside)
    }

    /// No gateway is made of it, and nobody holds it.
    func eraseStore() throws(WiringError) {
        precondition(openGateway == nil, "the gateway holds the store")
        openStore = nil
        openHistory = nil
        do throws(StoreError) { try SQLiteStore.erase(path: statePath) } catch {
            throw .store(error, path: statePath)
        }
    }

    func gateway() async throws(WiringError) -> Gateway {
        if let openGateway { return openGateway }
        let store = try store()
        let interfaces = try chooseInterfaces()
        let fabric = try fabric(in: store)
        let anchors = try anchors()
        let link = try udpSocket()
        let (multicast, multicastProblem) = multicastSocket(interfaces)
        let random = SharedRandom(SystemRandom())
        let node = Node(loop: poll.loop, link: link, random: random)
        let resolver = Resolver(
            loop: poll.loop, link: multicast ?? NoMulticast(),
            interfaces: interfaces.map(\.index),
            prefersUnicast: !(multicast?.isPortShared ?? false))
        let bluetooth = Bluetooth(
            radio ?? KernelRadio.open(on: poll, adapter: nil), on: poll.loop)
        await node.start()
        await resolver.start()
        await bluetooth.start()
        let gateway = Gateway(
            node: node, resolver: resolver, store: store, fabric: fabric,
            verifier: AttestationVerifier(
                anchors: anchors, allowTestDevices: options.allowsTestDevices),
            clock: Self.clock(), random: random,
            facts: { [names = options.interfaces] in
                Self.facts(names, multicastProblem: multicastProblem)
            }, bluetooth: bluetooth)
        openGateway = gateway
        openNode = node
        await gateway.beginSettling { [report] settled in
            report(UnfinishedOutput.line(settled))
        }
        return gateway
    }

    /// Ends what is open, with a word to the devices that hold a session for us.
    func close() async {
        await openGateway?.close()
        openGateway = nil
    }

    // MARK: Parts

    private func fabric(in store: SQLiteStore) throws(WiringError) -> Fabric {
        do throws(StoreError) {
            if let record = try store.fabric() { return try Self.fabric(record) }
            var random = SystemRandom()
            let record = Fabric.create(
                adminVendorID: try Settings(store).adminVendorID, using: &random)
            try store.save(record)
            return try Self.fabric(record)
        } catch { throw .store(error, path: statePath) }
    }

    private static func fabric(_ record: FabricRecord) throws(StoreError) -> Fabric {
        // A fabric that does not hold together was not written by us: the store is damaged.
        do throws(FabricError) { return try Fabric(record) } catch { throw .damaged }
    }

    private func chooseInterfaces() throws(WiringError) -> [NetworkInterface] {
        do throws(InterfaceError) {
            return try Interfaces.choose(options.interfaces, from: try Interfaces.all())
        } catch { throw .interface(error) }
    }

    private func udpSocket() throws(WiringError) -> UDPSocket {
        do throws(Errno) { return try UDPSocket(on: poll) } catch { throw .socket(error) }
    }

    private func multicastSocket(
        _ interfaces: [NetworkInterface]
    ) -> (MulticastSocket?, problem: String?) {
        do throws(MulticastSocket.Failure) {
            return (try MulticastSocket(on: poll, interfaces: interfaces), nil)
        } catch {
            return (nil, "\(error.interface): \(error.error.description)")
        }
    }

    /// Further trust anchors: those that were added, and those from the folders that were named.
    /// A bad file is skipped and named.
    func anchors() throws(WiringError) -> TrustAnchors {
        var anchors = TrustAnchors()
        try addStored(to: &anchors)
        for folder in options.authorities {
            let files: [String]
            do throws(Errno) { files = try Folder.files(in: folder) } catch {
                throw .authorities(folder, error)
            }
            for file in files {
                do throws(Errno) {
                    let bytes = try Folder.read(file, limit: Self.authorityFileBytes)
                    do throws(AttestationError) {
                        _ = try anchors.add(authorities: bytes.span)
                    } catch {
                        report("\(file): skipped: \(error.problem)")
                    }
                } catch {
                    report("\(file): skipped: \(error.description)")
                }
            }
        }
        return anchors
    }

    private func addStored(to anchors: inout TrustAnchors) throws(WiringError) {
        let store = try store()
        let records: [AuthorityRecord]
        do throws(StoreError) { records = try store.authorities() } catch {
            throw .store(error, path: statePath)
        }
        for record in records {
            let certificate = record.certificate
            do throws(AttestationError) {
                try anchors.add(authority: TrustAnchor(authority: certificate.span))
            } catch {
                let keyID = record.keyID
                report("authority \(Hex.lower(keyID.span)): skipped: \(error.problem)")
            }
        }
    }

    static func clock() -> CommissioningClock {
        let built = ProcessFacts.buildDate
        return CommissioningClock(
            unixSeconds: { WallClock.now >= built ? WallClock.now : nil },
            certificateTime: { MatterTime(unixSeconds: max(WallClock.now, built)) })
    }

    private static func facts(_ names: [String], multicastProblem: String?) -> SystemFacts {
        var facts = SystemFacts()
        facts.multicastProblem = multicastProblem
        facts.isClockPlausible = WallClock.now >= ProcessFacts.buildDate
        let all = (try? Interfaces.all()) ?? []
        let chosen = (try? Interfaces.choose(names, from: all)) ?? []
        facts.interfaces = chosen.map { interface in
            let kernel = InterfaceFacts(interface: interface.name)
            return SystemFacts.InterfaceFact(
                name: interface.name, hasLinkLocalIPv6: interface.linkLocal != nil,
                isIPv6Disabled: kernel.isIPv6Disabled, isForwarding: kernel.isForwarding,
                learnsThreadRoutes: kernel.learnsThreadRoutes)
        }
        return facts
    }

    /// A certificate in PEM with text around it; a chain of some.
    private static let authorityFileBytes = 64 * 1024
}

/// Why a command could not even begin.
enum WiringError: Error {
    case store(StoreError, path: String)
    case interface(InterfaceError)
    case socket(Errno)
    case authorities(String, Errno)
}

/// Stands where multicast DNS cannot be used; `prepare` says why, and nothing is found.
private final class NoMulticast: MulticastLink {
    var onReadable: (() -> Void)? {
        get { nil }
        set {}
    }

    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource? { nil }
    func sendToGroup(_ bytes: Span<UInt8>, on interface: UInt32) {}
    func send(_ bytes: Span<UInt8>, to peer: SocketAddress) {}
}

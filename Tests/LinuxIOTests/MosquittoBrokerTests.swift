#if MQTT
    import Base
    import Foundation
    import MatterNode
    import Testing

    @testable import LinuxIO

    /// A broker of Debian's package on this machine's loopback, with certificates of its own.
    private final class RealBroker {
        let folder: URL
        let port: UInt16
        let tlsPort: UInt16
        private var process: Process?
        private let program: String

        static let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        init(_ lines: String = "allow_anonymous true", wantsCertificate: Bool = false) throws {
            program = try #require(Self.program)
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "mosquitto-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
            port = UInt16.random(in: 20_000..<40_000)
            tlsPort = port + 1
            try makeCertificates()
            let user = getuid() == 0 ? "user root\n" : ""
            try write(
                "broker.conf",
                """
                \(user)per_listener_settings false
                \(lines)
                listener \(port) 127.0.0.1
                listener \(tlsPort) 127.0.0.1
                cafile \(path("ca.pem"))
                certfile \(path("broker.pem"))
                keyfile \(path("broker.key"))
                require_certificate \(wantsCertificate)

                """)
            try start()
        }

        deinit {
            stop()
            try? FileManager.default.removeItem(at: folder)
        }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        }

        func start() throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["-c", path("broker.conf")]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            self.process = process
        }

        func stop() {
            // It has the signals blocked that the thread had which started it.
            if let process { kill(process.processIdentifier, SIGKILL) }
            process?.waitUntilExit()
            process = nil
        }

        private func makeCertificates() throws {
            try write("san", "subjectAltName=DNS:localhost")
            for authority in ["ca", "other-ca"] {
                try openssl(
                    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
                        + " -subj /CN=\(authority) -keyout \(authority).key -out \(authority).pem")
            }
            for name in ["broker", "client"] {
                try openssl(
                    "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name)"
                        + " -keyout \(name).key -out \(name).csr")
                try openssl(
                    "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
                        + " -extfile san -out \(name).pem")
            }
        }

        private func openssl(_ words: String) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = words.split(separator: " ").map(String.init)
            process.currentDirectoryURL = folder
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }

    /// A client and what it was told.
    private final class Client {
        let poll: PollLoop
        let broker: MosquittoBroker
        private(set) var events: [BrokerEvent] = []

        init(
            _ settings: BrokerSettings, on poll: PollLoop, name: String = "gateway",
            lookupWithin: Duration = .seconds(5)
        ) {
            self.poll = poll
            broker = MosquittoBroker(
                settings,
                as: BrokerIdentity(
                    clientID: name, willTopic: "will/\(name)", willPayload: "offline"),
                on: poll, lookupWithin: lookupWithin)
            broker.onEvent = { [unowned self] event in events.append(event) }
        }

        /// - Returns: false when it has not come within the time.
        func waits(_ limit: Duration = .seconds(10), for isDone: () -> Bool) -> Bool {
            var isOver = false
            let timer = poll.loop.schedule(at: poll.loop.now + limit) { isOver = true }
            poll.run { isOver || isDone() }
            poll.loop.cancel(timer)
            return isDone()
        }

        /// Tries until the broker, which has just been started, listens.
        func connect() -> BrokerEvent? {
            for _ in 0..<50 {
                events = []
                broker.connect()
                guard waits(for: { !events.isEmpty }) else { return nil }
                guard case .ended(.cannotConnect)? = events.first else { return events.first }
                var isOver = false
                _ = poll.loop.schedule(at: poll.loop.now + .milliseconds(100)) { isOver = true }
                poll.run { isOver }
            }
            return events.first
        }

        func received(_ topic: String) -> [String] {
            events.compactMap { event in
                guard case .received(let message) = event, message.topic == topic else {
                    return nil
                }
                return String(decoding: message.payload, as: UTF8.self)
            }
        }
    }

    @Suite("MosquittoBroker", .serialized, .enabled(if: RealBroker.program != nil))
    struct MosquittoBrokerTests {
        private static func plain(_ broker: RealBroker, host: String = "127.0.0.1")
            -> BrokerSettings
        { BrokerSettings(host: host, port: broker.port, usesTLS: false) }

        private static func tls(
            _ broker: RealBroker, host: String = "localhost", authorities: String? = "ca.pem"
        ) -> BrokerSettings {
            var settings = BrokerSettings(host: host, port: broker.tlsPort, usesTLS: true)
            settings.authorities = authorities.map(broker.path)
            return settings
        }

        @Test("a message is acknowledged and reaches who subscribed, and is kept if it is to be")
        func plain() throws {
            let real = try RealBroker()
            defer { real.stop() }
            let poll = PollLoop()
            let one = Client(Self.plain(real), on: poll)
            let two = Client(Self.plain(real), on: poll, name: "other")
            #expect(one.connect() == .connected)
            #expect(two.connect() == .connected)
            #expect(two.broker.subscribe("a/#"))
            let id = try #require(
                one.broker.publish(
                    BrokerMessage(topic: "a/b", payload: Array("21.5".utf8), isRetained: true)))
            #expect(one.waits { one.events.contains(.published(id)) })
            #expect(two.waits { two.received("a/b") == ["21.5"] })
            let three = Client(Self.plain(real), on: poll, name: "third")
            #expect(three.connect() == .connected)
            three.broker.subscribe("a/b")
            #expect(three.waits { three.received("a/b") == ["21.5"] })
            guard case .received(let kept)? = three.events.last else { return }
            #expect(kept.isRetained)
        }

        @Test("the will is published when the connection is cut, and not after a goodbye")
        func will() throws {
            let real = try RealBroker()
            defer { real.stop() }
            let poll = PollLoop()
            let watcher = Client(Self.plain(real), on: poll, name: "watcher")
            #expect(watcher.connect() == .connected)
            watcher.broker.subscribe("will/#")
            for (name, isOrderly) in [("cut", false), ("goodbye", true), ("last", false)] {
                let client = Client(Self.plain(real), on: poll, name: name)
                #expect(client.connect() == .connected)
                client.broker.disconnect(isOrderly: isOrderly)
            }
            #expect(watcher.waits { watcher.received("will/last") == ["offline"] })
            #expect(watcher.received("will/cut") == ["offline"])
            #expect(watcher.received("will/goodbye").isEmpty)
        }

        @Test("TLS is verified by the broker's name, though it is connected by its address")
        func verified() throws {
            let real = try RealBroker()
            defer { real.stop() }
            let poll = PollLoop()
            let client = Client(Self.tls(real), on: poll)
            #expect(client.connect() == .connected)
            let payload = [UInt8](repeating: 0x20, count: 20_000)
            let id = client.broker.publish(BrokerMessage(topic: "a", payload: payload))
            #expect(client.waits { id.map { client.events.contains(.published($0)) } ?? false })
        }

        @Test("another authority and another name are refused")
        func refused() throws {
            let real = try RealBroker()
            defer { real.stop() }
            let poll = PollLoop()
            let other = Client(Self.tls(real, authorities: "other-ca.pem"), on: poll)
            #expect(other.connect() == .ended(.notTrusted(.unknownAuthority)))
            let system = Client(Self.tls(real, authorities: nil), on: poll)
            #expect(system.connect() == .ended(.notTrusted(.unknownAuthority)))
            let name = Client(Self.tls(real, host: "127.0.0.1"), on: poll)
            #expect(name.connect() == .ended(.notTrusted(.otherName)))
            let missing = Client(Self.tls(real, authorities: "none.pem"), on: poll)
            #expect(missing.connect() == .ended(.unusable(.authorities)))
        }

        @Test("a broker that asks for a certificate gets it, and refuses who has none")
        func certificates() throws {
            let real = try RealBroker(wantsCertificate: true)
            defer { real.stop() }
            let poll = PollLoop()
            var settings = Self.tls(real)
            settings.certificate = real.path("client.pem")
            settings.key = real.path("client.key")
            let client = Client(settings, on: poll)
            #expect(client.connect() == .connected)
            let without = Client(Self.tls(real), on: poll, name: "without")
            guard case .ended? = without.connect() else {
                Issue.record("it lets in who has no certificate")
                return
            }
            settings.key = real.path("broker.key")
            let wrong = Client(settings, on: poll, name: "wrong")
            #expect(wrong.connect() == .ended(.unusable(.key)))
        }

        @Test("a password comes from its file, and a wrong one is refused")
        func passwords() throws {
            let real = try RealBroker()
            defer { real.stop() }
            real.stop()
            try real.write("users", "gateway:secret one\n")
            let tool = Process()
            tool.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_passwd")
            tool.arguments = ["-U", real.path("users")]
            try tool.run()
            tool.waitUntilExit()
            let before = try String(contentsOfFile: real.path("broker.conf"), encoding: .utf8)
            try real.write(
                "broker.conf",
                before.replacingOccurrences(
                    of: "allow_anonymous true",
                    with: "allow_anonymous false\npassword_file \(real.path("users"))"))
            try real.start()
            try real.write("password", "secret one\n")
            let poll = PollLoop()
            var settings = Self.plain(real)
            settings.user = "gateway"
            settings.passwordFile = real.path("password")
            let client = Client(settings, on: poll)
            #expect(client.connect() == .connected)
            try real.write("password", "secret two\n")
            let wrong = Client(settings, on: poll, name: "wrong")
            guard case .ended(.refused)? = wrong.connect() else {
                Issue.record("a wrong password is let in")
                return
            }
            _ = unsafe chmod(real.path("password"), 0o644)
            #expect(wrong.broker.exposedFiles == [.password])
            _ = unsafe chmod(real.path("password"), 0o640)
            #expect(wrong.broker.exposedFiles.isEmpty)
            settings.passwordFile = real.path("nothing")
            let missing = Client(settings, on: poll, name: "missing")
            #expect(missing.connect() == .ended(.cannotRead(.password, errno: ENOENT)))
        }

        @Test("what ends is told, and a new attempt works")
        func restarted() throws {
            let real = try RealBroker()
            defer { real.stop() }
            let poll = PollLoop()
            let client = Client(Self.plain(real), on: poll)
            #expect(client.connect() == .connected)
            real.stop()
            #expect(client.waits { client.events.last == .ended(.lost) })
            #expect(client.broker.publish(BrokerMessage(topic: "a", payload: [])) == nil)
            try real.start()
            #expect(client.connect() == .connected)
        }

        @Test("nobody there, no MQTT and no TLS there are told apart, and nothing spins")
        func nobody() throws {
            let real = try RealBroker()
            defer { real.stop() }
            let poll = PollLoop()
            let first = Client(Self.plain(real), on: poll)
            #expect(first.connect() == .connected)
            var settings = Self.plain(real)
            settings.port = 1
            for usesTLS in [false, true] {
                settings.usesTLS = usesTLS
                let client = Client(settings, on: poll)
                client.broker.connect()
                #expect(client.waits { !client.events.isEmpty })
                #expect(client.events == [.ended(.cannotConnect(errno: ECONNREFUSED))])
            }
            settings = Self.tls(real)
            settings.port = real.port
            let client = Client(settings, on: poll, name: "other")
            guard case .ended? = client.connect() else {
                Issue.record("plain MQTT is taken for TLS")
                return
            }
        }
    }

    @Suite("AddressLookup", .serialized)
    struct AddressLookupTests {
        private static func lookUp(
            _ host: String, within limit: Duration = .seconds(10)
        ) throws -> Result<[IPAddress], AddressLookup.Failure>? {
            let poll = PollLoop()
            var found: Result<[IPAddress], AddressLookup.Failure>?
            let lookup = try AddressLookup(host, within: limit, on: poll) { found = $0 }
            poll.run { found != nil }
            _ = lookup
            return found
        }

        @Test("addresses and names of this machine are found")
        func found() throws {
            let address = try #require(IPAddress("127.0.0.1"))
            #expect(try Self.lookUp("127.0.0.1") == .success([address]))
            let names = try Self.lookUp("localhost")?.get()
            #expect(names?.allSatisfy(\.isLoopback) == true)
            let scoped = try Self.lookUp("fe80::1%1")?.get()
            #expect(scoped == IPAddress("fe80::1%1").map { [$0] })
        }

        @Test("a name that cannot be is not found")
        func unknown() throws {
            #expect(try Self.lookUp("-.-") == .failure(.notFound))
        }

        @Test("the child ends with the lookup, whatever it is doing")
        func ended() throws {
            let poll = PollLoop()
            var lookup: AddressLookup? = try AddressLookup(
                "localhost", within: .seconds(10), on: poll
            ) { _ in }
            let child = try #require(lookup?.child)
            lookup = nil
            var isOver = false
            _ = poll.loop.schedule(at: poll.loop.now + .milliseconds(300)) { isOver = true }
            poll.run { isOver }
            // Nothing of it is left, not even an entry in the table of processes.
            #expect(kill(child, 0) == -1 && errno == ESRCH)
        }
    }
#endif

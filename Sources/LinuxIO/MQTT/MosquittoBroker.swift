#if MQTT
    internal import Base
    internal import Crypto
    internal import Glibc
    package import MatterNode

    /// A broker by libmosquitto, driven by the loop: the name is looked up in a child process, its
    /// addresses are tried one after another.
    package final class MosquittoBroker: Broker, @unchecked Sendable {
        package var onEvent: ((BrokerEvent) -> Void)?

        private let settings: BrokerSettings
        private let identity: BrokerIdentity
        private let poll: PollLoop
        private let lookupLimit: Duration
        private var lookup: AddressLookup?
        private var connection: MosquittoConnection?
        /// Not tried yet.
        private var addresses: [IPAddress] = []
        private var isConnected = false
        private var failing: TimerID?

        package convenience init(
            _ settings: BrokerSettings, as identity: BrokerIdentity, on poll: PollLoop
        ) {
            self.init(settings, as: identity, on: poll, lookupWithin: Limits.lookup)
        }

        init(
            _ settings: BrokerSettings, as identity: BrokerIdentity, on poll: PollLoop,
            lookupWithin lookupLimit: Duration
        ) {
            // Its socket is written to when the broker may have closed it.
            Signals.ignoreBrokenPipes()
            self.settings = settings
            self.identity = identity
            self.poll = poll
            self.lookupLimit = lookupLimit
        }

        package func connect() {
            precondition(lookup == nil && connection == nil, "one attempt at a time")
            do throws(Errno) {
                lookup = try AddressLookup(settings.host, within: lookupLimit, on: poll) {
                    [weak self] result in self?.found(result)
                }
            } catch { failLater(.cannotConnect(errno: error.rawValue)) }
        }

        package func disconnect(isOrderly: Bool) {
            if isOrderly, isConnected { connection?.disconnect() }
            end()
        }

        package func publish(_ message: BrokerMessage) -> UInt16? {
            isConnected ? connection?.publish(message) : nil
        }

        @discardableResult
        package func subscribe(_ filter: String) -> Bool {
            isConnected && connection?.subscribe(filter) ?? false
        }

        @discardableResult
        package func unsubscribe(_ filter: String) -> Bool {
            isConnected && connection?.unsubscribe(filter) ?? false
        }

        package var exposedFiles: [BrokerFailure.File] {
            let secrets = [
                (BrokerFailure.File.password, settings.passwordFile), (.key, settings.key),
            ]
            return secrets.compactMap { file, path in
                path.map(PrivateFile.isOpenToAll) ?? false ? file : nil
            }
        }

        // MARK: Connecting

        private func found(_ result: Result<[IPAddress], AddressLookup.Failure>) {
            lookup = nil
            switch result {
            case .success(let found):
                addresses = found
                tryNext(after: .nameNotFound)
            case .failure(.notFound): fail(.nameNotFound)
            case .failure(.timedOut): fail(.lookupTimedOut)
            case .failure(.system(let error)): fail(.cannotConnect(errno: error.rawValue))
            }
        }

        /// - Parameter failure: of the address before, told when there is none after it.
        private func tryNext(after failure: BrokerFailure) {
            guard !addresses.isEmpty else { return fail(failure) }
            let address = addresses.removeFirst()
            do throws(BrokerFailure) {
                connection = try MosquittoConnection(
                    to: address, settings, as: identity, password: try password(), on: poll
                ) { [weak self] event in self?.take(event) }
            } catch {
                connection = nil
                tryNext(after: error)
            }
        }

        private func take(_ event: BrokerEvent) {
            switch event {
            case .connected: isConnected = true
            case .ended(let failure):
                connection = nil
                guard isConnected || failure.isOfBroker else { return tryNext(after: failure) }
                return fail(failure)
            case .published, .received: break
            }
            onEvent?(event)
        }

        private func password() throws(BrokerFailure) -> Secret? {
            guard let path = settings.passwordFile else { return nil }
            do throws(Errno) {
                var octets = try Files.read(path, limit: Limits.passwordFile)
                defer { for index in octets.indices { octets[index] = 0 } }
                let line = octets.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
                return Secret(line.span)
            } catch { throw .cannotRead(.password, errno: error.rawValue) }
        }

        private func fail(_ failure: BrokerFailure) {
            end()
            onEvent?(.ended(failure))
        }

        /// Events never come from within a call.
        private func failLater(_ failure: BrokerFailure) {
            failing = poll.loop.schedule(at: poll.loop.now) { [weak self] in
                self?.fail(failure)
            }
        }

        private func end() {
            if let failing { poll.loop.cancel(failing) }
            failing = nil
            isConnected = false
            lookup = nil
            connection?.close()
            connection = nil
            addresses = []
        }
    }

    extension BrokerFailure {
        /// It would be the same at another address.
        fileprivate var isOfBroker: Bool {
            switch self {
            case .refused, .notTrusted, .cannotRead, .unusable, .notBuilt: true
            case .nameNotFound, .lookupTimedOut, .cannotConnect, .timedOut, .noTLS, .lost: false
            }
        }
    }
#endif

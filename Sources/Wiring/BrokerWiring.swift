internal import Base
internal import Gateway
internal import LinuxIO
internal import MatterNode

extension MQTTService {
    /// Nil where the configuration names no broker.
    /// - Parameters:
    ///   - perform: carries out what comes over it.
    ///   - show: tells people.
    convenience init?(
        _ configuration: MQTTConfiguration, gateway: Gateway, on poll: PollLoop,
        random: SharedRandom, perform: @escaping @Sendable (ConsoleCommand) async -> Output,
        show: @escaping @Sendable (Output, LogLevel) -> Void
    ) {
        let name = gateway.gatewayName
        self.init(
            configuration, name: name, on: poll.loop, random: random,
            surroundings: MQTTService.Surroundings(
                parse: { octets in try? JSONText.parse(octets.span) },
                perform: perform, show: show,
                unixSeconds: {
                    let now = WallClock.now
                    return now >= ProcessFacts.buildDate ? now : nil
                })
        ) { settings, identity in
            #if MQTT
                MosquittoBroker(settings, as: identity, on: poll)
            #else
                AbsentBroker(on: poll)
            #endif
        }
    }
}

#if !MQTT
    /// Stands where this program was built without MQTT.
    private final class AbsentBroker: Broker, @unchecked Sendable {
        var onEvent: ((BrokerEvent) -> Void)?
        private let poll: PollLoop

        init(on poll: PollLoop) { self.poll = poll }

        func connect() {
            _ = poll.loop.schedule(at: poll.loop.now) { [weak self] in
                self?.onEvent?(.ended(.notBuilt))
            }
        }

        func disconnect(isOrderly: Bool) {}
        func publish(_ message: BrokerMessage) -> UInt16? { nil }
        func subscribe(_ filter: String) -> Bool { false }
        func unsubscribe(_ filter: String) -> Bool { false }
        var exposedFiles: [BrokerFailure.File] { [] }
    }
#endif

internal import Base
package import MatterNode

/// A broker in memory that does what a test tells it: it keeps what is published, and says when
/// it has it, in which order, or never.
package final class ScriptedBroker: Broker, @unchecked Sendable {
    package var onEvent: ((BrokerEvent) -> Void)?

    /// All that was published over all connections.
    package private(set) var messages: [BrokerMessage] = []
    package private(set) var subscriptions: [String] = []
    package private(set) var connects = 0
    package private(set) var endings: [Bool] = []
    package private(set) var isConnected = false
    /// Not acknowledged yet, oldest first.
    package private(set) var unacknowledged: [UInt16] = []
    /// Whether everything is acknowledged as soon as it may be.
    package var isPrompt = true
    /// Whether it comes up when it is connected with; nil says nothing.
    package var accepts: Bool? = true
    /// Takes no message, as one with a full queue.
    package var isFull = false
    package var exposedFiles: [BrokerFailure.File] = []
    /// Given each message in the place of `messages`, which stays empty then.
    package var onMessage: ((BrokerMessage) -> Void)?
    private let loop: Loop
    private var nextID: UInt16 = 1

    package init(on loop: Loop) { self.loop = loop }

    /// What a subscriber that comes now would be given.
    package var retained: [String: [UInt8]] {
        var kept: [String: [UInt8]] = [:]
        for message in messages where message.isRetained {
            kept[message.topic] = message.payload.isEmpty ? nil : message.payload
        }
        return kept
    }

    package func payloads(_ topic: String) -> [String] {
        messages.filter { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    // MARK: The port

    package func connect() {
        connects += 1
        guard let accepts else { return }
        later { [self] in
            isConnected = accepts
            onEvent?(accepts ? .connected : .ended(.cannotConnect(errno: 111)))
        }
    }

    package func disconnect(isOrderly: Bool) {
        endings.append(isOrderly)
        isConnected = false
        unacknowledged = []
    }

    package func publish(_ message: BrokerMessage) -> UInt16? {
        guard isConnected, !isFull else { return nil }
        if let onMessage { onMessage(message) } else { messages.append(message) }
        let id = nextID
        nextID = nextID == .max ? 1 : nextID + 1
        unacknowledged.append(id)
        if isPrompt { later { [self] in acknowledge(id) } }
        return id
    }

    package func subscribe(_ filter: String) -> Bool {
        subscriptions.append(filter)
        return true
    }

    package func unsubscribe(_ filter: String) -> Bool {
        subscriptions.removeAll { $0 == filter }
        return true
    }

    // MARK: The script

    /// Says that it has the message; also twice, or of one that it never had.
    package func acknowledge(_ id: UInt16) {
        unacknowledged.removeAll { $0 == id }
        if isConnected { onEvent?(.published(id)) }
    }

    package func cut() {
        isConnected = false
        unacknowledged = []
        subscriptions = []
        onEvent?(.ended(.lost))
    }

    package func deliver(_ topic: String, _ text: String, isRetained: Bool = false) {
        onEvent?(
            .received(
                BrokerMessage(topic: topic, payload: Array(text.utf8), isRetained: isRetained)))
    }

    private func later(_ body: @escaping () -> Void) {
        _ = loop.schedule(at: loop.now + .milliseconds(1), body)
    }
}

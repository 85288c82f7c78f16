internal import Base
internal import Crypto
package import Matter

/// A subscription that a node accepted.
package struct SubscriptionHandle: Hashable, Sendable {
    package let session: SessionHandle
    package let id: UInt32
    /// The longest time that the node lets pass between two reports.
    package let maxInterval: Duration
}

/// Why a subscription is over.
package enum SubscriptionLoss: Equatable, Sendable {
    /// The node did not report in time.
    case silent
    /// Its session ended.
    case sessionEnded
    /// A later one in the same session took the place of all.
    case replaced
    /// The node sent a report that is none; it was told so.
    case malformed(InteractionError)
}

/// Whom a subscription tells. Both are called on the loop while the node is at work: they take
/// what they are given and must not call the node. Nothing is told after `lost`.
package struct Subscriber: Sendable {
    /// One ReportData message, whole and in order, the first report's too. Nothing in it is
    /// malformed. It is borrowed from the message: `ReportDataReader` walks it where it stands.
    package let report: @Sendable (Span<UInt8>) -> Void
    /// A subscription that was accepted is over. Not told of one that its owner ended.
    package let lost: @Sendable (SubscriptionLoss) -> Void

    package init(
        report: @escaping @Sendable (Span<UInt8>) -> Void,
        lost: @escaping @Sendable (SubscriptionLoss) -> Void
    ) {
        self.report = report
        self.lost = lost
    }
}

/// The subscriptions of a `Node`, in the order in which they were made.
struct Subscriptions {
    struct Entry {
        let session: SessionHandle
        var subscription: Subscription
        let subscriber: Subscriber
        /// Of a report whose next message is still to come.
        var exchange: ExchangeHandle?
    }

    var entries: [Entry] = []
    var timer: (id: TimerID, deadline: Instant)?

    func index(_ session: SessionHandle, _ id: UInt32) -> Int? {
        entries.firstIndex { $0.subscription.id == id && $0.session == session }
    }

    var nextDeadline: Instant? { entries.lazy.compactMap(\.subscription.nextDeadline).min() }

    /// As many as there may be sessions, so that every node has one.
    static let bound = Limits.sessions
}

extension Peer {
    /// Subscribes to attributes and events. Returns once the first report has been told whole.
    /// - Parameter request: without `keepSubscriptions` the node ends all others of ours.
    package func subscribe(
        _ request: SubscribeRequest, _ subscriber: Subscriber
    ) async throws(PeerError) -> SubscriptionHandle {
        try await node.subscribe(request, subscriber, in: session)
    }

    /// Ends a subscription here; the node learns of it when it reports next.
    package func unsubscribe(_ subscription: SubscriptionHandle) async {
        await node.unsubscribe(subscription)
    }
}

extension Node {
    func subscribe(
        _ request: SubscribeRequest, _ subscriber: Subscriber, in session: SessionHandle
    ) async throws(PeerError) -> SubscriptionHandle {
        var client: SubscribeClient
        do throws(InteractionError) { client = try SubscribeClient(request) } catch {
            throw .interaction(error)
        }
        let exchange = try begin(client.request, in: session)
        var id: UInt32?
        defer { close(exchange) }
        do throws(PeerError) {
            while true {
                let message = try await answer(
                    on: exchange, processing: Self.interactionProcessing)
                switch try Self.step(&client, message) {
                case .report(let reported, let answer):
                    if id == nil {
                        try expect(
                            reported, subscriber, in: session, keeps: request.keepSubscriptions)
                        id = reported
                    }
                    subscriber.report(message.payload.span)
                    if let answer { try say(answer, on: exchange) }
                case .subscribed(let response): return try confirm(response, in: session)
                }
            }
        } catch {
            if let id { forget(id, in: session) }
            throw error
        }
    }

    private static func step(
        _ client: inout SubscribeClient, _ message: IncomingMessage
    ) throws(PeerError) -> SubscribeStep {
        do throws(InteractionError) {
            return try client.receive(
                InteractionOpcode(rawValue: message.opcode), message.payload.span)
        } catch { throw .interaction(error) }
    }

    /// Makes the place for a subscription before the node can report to it: a report may be in
    /// the same turn of the loop as the response, ahead of the flow that waits for that.
    private func expect(
        _ id: UInt32, _ subscriber: Subscriber, in session: SessionHandle, keeps: Bool
    ) throws(PeerError) {
        if !keeps { endSubscriptions(of: session, .replaced) }
        guard subscriptions.index(session, id) == nil else {
            throw .interaction(.unexpectedSubscription(id))
        }
        guard subscriptions.entries.count < Subscriptions.bound else {
            throw .interaction(.tooMuch)
        }
        let responseTime = layer.responseTime(of: session, processing: Self.interactionProcessing)
        subscriptions.entries.append(
            Subscriptions.Entry(
                session: session, subscription: Subscription(id: id, responseTime: responseTime),
                subscriber: subscriber))
    }

    private func confirm(
        _ response: SubscribeResponse, in session: SessionHandle
    ) throws(PeerError) -> SubscriptionHandle {
        let id = response.subscriptionID
        guard let index = subscriptions.index(session, id) else {
            throw .interaction(.unexpectedSubscription(id))
        }
        subscriptions.entries[index].subscription.confirm(response, at: loop.now)
        watchSubscriptions()
        return SubscriptionHandle(
            session: session, id: id,
            maxInterval: .seconds(Int64(response.maxIntervalSeconds)))
    }

    func unsubscribe(_ handle: SubscriptionHandle) {
        forget(handle.id, in: handle.session)
    }

    package var subscriptionCount: Int { subscriptions.entries.count }

    // MARK: Reports

    /// Takes a message that no flow waits for, when it is a report.
    /// - Returns: false when it is something else.
    func takeReport(_ received: MessageLayer.Received) -> Bool {
        guard received.protocolID == .interactionModel,
            received.opcode == InteractionOpcode.reportData.rawValue,
            layer.isSecured(received.session)
        else { return false }
        guard let index = subscriptionIndex(received) else {
            finish(received.exchange, saying: Subscription.refusal(of: layer.payload))
            return true
        }
        do throws(InteractionError) {
            let step = try subscriptions.entries[index].subscription.receive(
                layer.payload, at: loop.now)
            let subscriber = subscriptions.entries[index].subscriber
            subscriber.report(layer.payload)
            if let other = subscriptions.entries[index].exchange, other != received.exchange {
                layer.close(other)
            }
            switch step {
            case .acknowledge(let answer):
                subscriptions.entries[index].exchange = received.exchange
                answerReport(on: received.exchange, answer)
            case .done(let answer):
                subscriptions.entries[index].exchange = nil
                finish(received.exchange, saying: answer)
            }
        } catch {
            finish(received.exchange, saying: Subscription.refusal(of: layer.payload))
            lose(at: index, .malformed(error))
            watchSubscriptions()
        }
        return true
    }

    private func subscriptionIndex(_ received: MessageLayer.Received) -> Int? {
        do throws(InteractionError) {
            let reader = try ReportDataReader(layer.payload)
            guard let id = reader.subscriptionID else { return nil }
            return subscriptions.index(received.session, id)
        } catch { return nil }
    }

    private func finish(_ exchange: ExchangeHandle, saying answer: InteractionMessage?) {
        if let answer { answerReport(on: exchange, answer) }
        layer.close(exchange)
    }

    /// The pump sends it.
    private func answerReport(on exchange: ExchangeHandle, _ answer: InteractionMessage) {
        // Without room the answer is lost as on the air, and the node ends the subscription.
        _ = try? layer.send(
            on: exchange, .interactionModel, opcode: answer.opcode.rawValue,
            answer.payload.span, at: loop.now)
    }

    // MARK: Ends

    /// Of all that were accepted their subscribers are told; the flow of one that is still being
    /// made finds out by itself.
    func endSubscriptions(of session: SessionHandle, _ loss: SubscriptionLoss) {
        while let index = subscriptions.entries.firstIndex(where: { $0.session == session }) {
            lose(at: index, loss)
        }
        watchSubscriptions()
    }

    private func forget(_ id: UInt32, in session: SessionHandle) {
        guard let index = subscriptions.index(session, id) else { return }
        remove(at: index)
        watchSubscriptions()
    }

    private func lose(at index: Int, _ loss: SubscriptionLoss) {
        let entry = remove(at: index)
        if entry.subscription.maxInterval != nil { entry.subscriber.lost(loss) }
    }

    @discardableResult
    private func remove(at index: Int) -> Subscriptions.Entry {
        let entry = subscriptions.entries.remove(at: index)
        if let exchange = entry.exchange { layer.close(exchange) }
        return entry
    }

    /// Sets the timer for the first that may be lost. Reports put deadlines off and leave the
    /// timer alone: when it comes too early it is set anew.
    private func watchSubscriptions() {
        let deadline = subscriptions.nextDeadline
        if let timer = subscriptions.timer {
            if let deadline, timer.deadline <= deadline { return }
            loop.cancel(timer.id)
            subscriptions.timer = nil
        }
        guard let deadline else { return }
        let id = loop.schedule(at: deadline) { [weak self] in
            self?.assumeIsolated { node in node.subscriptionsDue() }
        }
        subscriptions.timer = (id, deadline)
    }

    private func subscriptionsDue() {
        subscriptions.timer = nil
        let now = loop.now
        var index = 0
        while index < subscriptions.entries.count {
            subscriptions.entries[index].subscription.advance(to: now)
            if subscriptions.entries[index].subscription.isLost {
                lose(at: index, .silent)
            } else {
                index += 1
            }
        }
        watchSubscriptions()
        flush()
    }
}

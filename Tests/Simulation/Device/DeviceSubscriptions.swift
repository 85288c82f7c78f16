internal import Base
internal import Matter
internal import MatterNode

/// A subscription at the device that serves it.
package struct DeviceSubscription {
    package let id: UInt32
    let session: SessionHandle
    let request: SubscribeRequest
    let maxInterval: Duration
    /// Sends an empty report when nothing else was sent for the longest interval.
    var timer: TimerID?
}

/// How the device serves subscriptions.
extension ScriptedDevice {
    func subscribe(_ message: Message) {
        guard let request = try? SubscribeRequest(tlv: message.payload.span) else {
            return end(message.exchange)
        }
        let paths = (request.attributeRequests?.count ?? 0) + (request.eventRequests?.count ?? 0)
        guard paths <= maxPathsPerSubscription else {
            let refusal = StatusResponse { $0.status = .pathsExhausted }
            say(.statusResponse, refusal, on: message.exchange)
            return end(message.exchange)
        }
        if !request.keepSubscriptions { endSubscriptions(in: message.session) }
        nextSubscription += 1
        let subscription = DeviceSubscription(
            id: nextSubscription, session: message.session, request: request,
            maxInterval: .seconds(
                Int64(min(request.maxIntervalCeilingSeconds, settings.maxInterval))))
        let parts = chunks(
            found(request.attributeRequests ?? [], in: message.session),
            events(request.eventRequests ?? [], request.eventFilters), of: subscription.id)
        prime(subscription, parts, on: message.exchange)
    }

    /// Sends the next message of the first report, or the response when it has them all.
    func prime(
        _ subscription: DeviceSubscription, _ chunks: [[UInt8]], on exchange: ExchangeHandle
    ) {
        if let first = chunks.first {
            say(.interactionModel, InteractionOpcode.reportData.rawValue, first, exchange)
            conversations[exchange] = .priming(subscription, Array(chunks.dropFirst()))
            return
        }
        let response = SubscribeResponse {
            $0.subscriptionID = subscription.id
            $0.maxIntervalSeconds = UInt16(subscription.maxInterval.components.seconds)
        }
        say(.subscribeResponse, response, on: exchange)
        end(exchange)
        subscriptions.append(subscription)
        schedule(subscription.id)
    }

    /// Tells all subscriptions the present values of what they are to.
    package func reportAll() {
        for subscription in subscriptions {
            let parts = chunks(
                found(subscription.request.attributeRequests ?? [], in: subscription.session), [],
                of: subscription.id)
            report(subscription, parts)
        }
        flush()
    }

    /// Says something in the name of a subscription that may not exist.
    package func report(asSubscription id: UInt32, _ payload: [UInt8]? = nil) {
        for session in sessions.keys {
            let empty = ReportData { $0.subscriptionID = id }.octets()
            guard let exchange = openReport(in: session) else { continue }
            say(
                .interactionModel, InteractionOpcode.reportData.rawValue, payload ?? empty, exchange
            )
            conversations[exchange] = .reporting(id, [])
        }
        flush()
    }

    func report(_ subscription: DeviceSubscription, _ chunks: [[UInt8]]) {
        guard let first = chunks.first, let exchange = openReport(in: subscription.session) else {
            return
        }
        say(.interactionModel, InteractionOpcode.reportData.rawValue, first, exchange)
        if settings.suppressesKeepAlives, isKeepAlive(first) {
            end(exchange)
        } else {
            conversations[exchange] = .reporting(subscription.id, Array(chunks.dropFirst()))
        }
        schedule(subscription.id)
    }

    /// What the subscriber answered to a report.
    func continueReport(_ id: UInt32, _ rest: [[UInt8]], _ message: Message) {
        let response = try? StatusResponse(tlv: message.payload.span)
        let status = response?.status ?? .failure
        if keepsHeard { reportAnswers.append(status) }
        guard status == .success else {
            end(message.exchange)
            return endSubscription(id)
        }
        guard let next = rest.first else { return end(message.exchange) }
        say(.interactionModel, InteractionOpcode.reportData.rawValue, next, message.exchange)
        conversations[message.exchange] = .reporting(id, Array(rest.dropFirst()))
    }

    func endSubscriptions(in session: SessionHandle) {
        for subscription in subscriptions where subscription.session == session {
            endSubscription(subscription.id)
        }
    }

    /// Forgets all of them, as one that starts again would.
    package func endSubscriptions() {
        for subscription in subscriptions { endSubscription(subscription.id) }
    }

    private func endSubscription(_ id: UInt32) {
        guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { return }
        if let timer = subscriptions.remove(at: index).timer { loop.cancel(timer) }
    }

    private func schedule(_ id: UInt32) {
        guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { return }
        if let timer = subscriptions[index].timer { loop.cancel(timer) }
        let deadline = loop.now + subscriptions[index].maxInterval
        subscriptions[index].timer = loop.schedule(at: deadline) { [weak self] in
            self?.keepAlive(id)
        }
    }

    private func keepAlive(_ id: UInt32) {
        guard let subscription = subscriptions.first(where: { $0.id == id }) else { return }
        let message = ReportData {
            $0.subscriptionID = id
            $0.suppressResponse = settings.suppressesKeepAlives ? true : nil
        }
        report(subscription, [message.octets()])
        flush()
    }

    private func isKeepAlive(_ payload: [UInt8]) -> Bool {
        let report = try? ReportData(tlv: payload.span)
        return report?.suppressResponse ?? false
    }

    private func openReport(in session: SessionHandle) -> ExchangeHandle? {
        try? layer.openExchange(on: session, random: random.drawUInt16())
    }

    /// The events with numbers that the filter lets through.
    func events(_ paths: [EventPath], _ filters: [EventFilterIB]?) -> [EventReportIB] {
        let least = filters?.first?.eventMin ?? 0
        return events.filter { event in
            event.eventNumber >= least && paths.contains { $0.matches(event.path) }
        }.map { event in EventReportIB { $0.eventData = event } }
    }
}

extension EventPath {
    fileprivate func matches(_ path: EventPath) -> Bool {
        (endpoint ?? path.endpoint) == path.endpoint && (cluster ?? path.cluster) == path.cluster
            && (event ?? path.event) == path.event
    }
}

package import Base

// Subscribe interactions of a server. Core §8.5.3.

/// A subscription at the node that serves it.
struct ServerSubscription: Sendable {
    let id: UInt32
    let accessor: Accessor
    let scope: ReportScope
    let minInterval: Duration
    let maxInterval: Duration
    /// The changes up to this count of the table were said.
    var reportedChange: UInt64
    /// The events below this number were said.
    var nextEvent: UInt64
    var lastReport: Instant
    /// The last report was not answered yet.
    var isReporting = false
    /// The rest of a report whose exchange is being opened.
    var rest: PendingReport?
}

extension InteractionServer {
    mutating func subscribe(
        _ conversation: Conversation, _ payload: Span<UInt8>, at now: Instant
    ) throws(ActionError) {
        let request = try decode(SubscribeRequest.self, payload)
        let accessor = conversation.accessor
        guard request.minIntervalFloorSeconds <= request.maxIntervalCeilingSeconds else {
            throw .refused(.invalidAction)
        }
        let id = nextSubscriptionID()
        let scope = ReportScope(request)
        let report = try report(
            scope, to: accessor, maxPaths: settings.pathsPerSubscription, subscriptionID: id)
        guard isAnything(scope, accessor) else { throw .refused(.invalidAction) }
        if !request.keepSubscriptions { endSubscriptions(of: accessor) }
        guard
            subscriptionCount(of: accessor.fabricIndex) < settings.subscriptionsPerFabric,
            subscriptions.count < Limits.serverSubscriptions
        else { throw .refused(.resourceExhausted) }
        let ceiling = min(request.maxIntervalCeilingSeconds, settings.maxIntervalCeilingSeconds)
        let longest = max(
            ceiling, request.minIntervalFloorSeconds, Limits.serverMaxIntervalSeconds)
        let subscription = ServerSubscription(
            id: id, accessor: accessor, scope: scope,
            minInterval: .seconds(Int64(request.minIntervalFloorSeconds)),
            maxInterval: .seconds(Int64(longest)),
            reportedChange: attributes.lastChange, nextEvent: log.nextNumber, lastReport: now)
        var first = report
        let message = fill(&first)
        say(message, on: conversation.exchange, isLast: false)
        wait(conversation, .priming(subscription, first), until: now + Limits.serverPatience)
    }

    /// The subscriber took a message of the first report: the next one, or the response.
    mutating func prime(
        _ subscription: ServerSubscription, _ report: PendingReport,
        in conversation: Conversation, at now: Instant
    ) {
        var report = report
        guard report.isDone else {
            let message = fill(&report)
            say(message, on: conversation.exchange, isLast: false)
            return wait(
                conversation, .priming(subscription, report), until: now + Limits.serverPatience)
        }
        let response = SubscribeResponse {
            $0.subscriptionID = subscription.id
            $0.maxIntervalSeconds = UInt16(subscription.maxInterval.components.seconds)
        }
        say(.own(.subscribeResponse, response), on: conversation.exchange, isLast: true)
        var subscription = subscription
        subscription.lastReport = now
        subscriptions.append(subscription)
    }

    /// Begins all reports that are due: with something to say once the shortest interval has
    /// passed, or to show that the node is there once the longest has.
    mutating func reportWhatIsDue(at now: Instant) {
        for index in subscriptions.indices {
            guard let due = due(subscriptions[index]), due <= now else { continue }
            var report = changes(subscriptions[index])
            let message = fill(&report)
            subscriptions[index].reportedChange = attributes.lastChange
            subscriptions[index].nextEvent = log.nextNumber
            subscriptions[index].lastReport = now
            subscriptions[index].isReporting = true
            subscriptions[index].rest = report
            ask(
                message, in: subscriptions[index].accessor.session, id: subscriptions[index].id)
        }
    }

    /// The report was sent on a new exchange.
    package mutating func opened(_ id: UInt32, on exchange: ExchangeHandle, at now: Instant) {
        guard let index = subscriptions.firstIndex(where: { $0.id == id }),
            let rest = subscriptions[index].rest
        else { return }
        subscriptions[index].rest = nil
        let conversation = Conversation(
            exchange: exchange, accessor: subscriptions[index].accessor)
        wait(conversation, .reporting(rest), until: now + Limits.serverPatience)
    }

    /// The report could not be sent, which ends the subscription.
    package mutating func failed(_ id: UInt32) { subscriptions.removeAll { $0.id == id } }

    /// The subscriber took a message of a later report.
    mutating func continueReport(
        _ report: PendingReport, in conversation: Conversation, at now: Instant
    ) {
        var report = report
        if report.isDone {
            if let index = subscriptions.firstIndex(where: { $0.id == report.subscriptionID }) {
                subscriptions[index].isReporting = false
            }
            return close(conversation.exchange)
        }
        let message = fill(&report)
        say(message, on: conversation.exchange, isLast: false)
        wait(conversation, .reporting(report), until: now + Limits.serverPatience)
    }

    /// When it reports next; nil while a report is under way.
    func due(_ subscription: ServerSubscription) -> Instant? {
        if subscription.isReporting { return nil }
        let isSomething = hasChanges(subscription) || hasUrgentEvent(subscription)
        return subscription.lastReport
            + (isSomething ? subscription.minInterval : subscription.maxInterval)
    }

    /// Records an event for readers and subscribers. One that a subscriber finds urgent is
    /// reported as soon as its shortest interval allows, others with the next report.
    /// - Parameters:
    ///   - fabricIndex: of an event that is for this fabric alone.
    ///   - timestamp: of the clock where the node knows the time, else since its start.
    package mutating func record<Event: TLVStructure>(
        _ event: Event, cluster: ClusterID, id: EventID, priority: EventPriority,
        on endpoint: EndpointID, fabricIndex: FabricIndex? = nil, at timestamp: EventTimestamp
    ) {
        log.record(
            EncodedElement(attribute: event),
            at: ConcreteEventPath(endpoint: endpoint, cluster: cluster, event: id),
            priority: priority, fabricIndex: fabricIndex, timestamp: timestamp)
    }
}

extension InteractionServer {
    /// Whether any path of a subscription stands for something that its accessor may see.
    private func isAnything(_ scope: ReportScope, _ accessor: Accessor) -> Bool {
        scope.attributes.contains { path in
            if let concrete = path.concrete { return refusal(toRead: concrete, accessor) == nil }
            return !expand(path, accessor, where: { _, _ in true }).isEmpty
        }
            || scope.events.contains { path in
                guard path.concrete == nil else { return refusal(path, accessor) == nil }
                return attributes.clusters.contains { cluster in
                    (path.endpoint ?? cluster.endpoint) == cluster.endpoint
                        && (path.cluster ?? cluster.id) == cluster.id
                        && allows(
                            RequiredPrivilege.read(eventsOf: cluster.id), accessor,
                            cluster.endpoint, cluster.id)
                }
            }
    }

    /// Those that stand and those that are being made.
    private func subscriptionCount(of fabric: FabricIndex?) -> Int {
        subscriptions.count { $0.accessor.fabricIndex == fabric }
            + conversations.count { conversation in
                guard case .priming = conversation.state else { return false }
                return conversation.accessor.fabricIndex == fabric
            }
    }

    private mutating func endSubscriptions(of accessor: Accessor) {
        let ended = subscriptions.filter { $0.accessor.isSameSubject(as: accessor) }.map(\.id)
        subscriptions.removeAll { ended.contains($0.id) }
        for conversation in conversations {
            switch conversation.state {
            case .reporting(let report):
                guard let id = report.subscriptionID, ended.contains(id) else { continue }
                close(conversation.exchange)
            case .priming where conversation.accessor.isSameSubject(as: accessor):
                close(conversation.exchange)
            default: continue
            }
        }
    }

    private func hasChanges(_ subscription: ServerSubscription) -> Bool {
        guard attributes.lastChange > subscription.reportedChange else { return false }
        return subscription.scope.attributes.contains { path in
            !changed(path, subscription).isEmpty
        }
    }

    private func changed(
        _ path: AttributePath, _ subscription: ServerSubscription
    ) -> [ConcreteAttributePath] {
        expand(path, subscription.accessor) { cluster, entry in
            cluster.lastChange > subscription.reportedChange
                && entry.change > subscription.reportedChange
        }
    }

    private func hasUrgentEvent(_ subscription: ServerSubscription) -> Bool {
        log.entries.contains { entry in
            entry.number >= subscription.nextEvent
                && subscription.scope.events.contains {
                    $0.isUrgent == true && $0.matches(entry.path)
                }
                && mayRead(entry, subscription.accessor)
        }
    }

    private func changes(_ subscription: ServerSubscription) -> PendingReport {
        let paths = subscription.scope.attributes.flatMap { changed($0, subscription) }
        return PendingReport(
            subscriptionID: subscription.id, accessor: subscription.accessor,
            isFabricFiltered: subscription.scope.isFabricFiltered,
            items: paths.map { .attribute($0) }[...], events: subscription.scope.events,
            eventNumbers: subscription.scope.events.isEmpty
                ? log.nextNumber..<log.nextNumber : subscription.nextEvent..<log.nextNumber)
    }
}

import Base
import Crypto
import Matter
import Testing

extension Subscription {
    mutating func receive(
        octets: [UInt8], at now: Instant
    ) throws(InteractionError) -> ReadStep {
        try receive(octets.span, at: now)
    }

    /// The octets of the answer to what belongs to nobody.
    static func refusal(octets: [UInt8]) -> [UInt8]? { refusal(of: octets.span)?.octets }
}

@Suite("Subscription")
struct SubscriptionTests {
    private static let start = Instant(nanoseconds: 5)

    private func accepted(maxInterval: UInt16 = 900) throws -> Subscription {
        var subscription = Subscription(id: 7, responseTime: .seconds(38))
        let response = SubscribeResponse {
            $0.subscriptionID = 7
            $0.maxIntervalSeconds = maxInterval
        }
        subscription.confirm(response, at: Self.start)
        return subscription
    }

    private func keepAlive(_ id: UInt32 = 7, suppress: Bool? = nil) throws -> [UInt8] {
        try ReportData {
            $0.subscriptionID = id
            $0.suppressResponse = suppress
        }.encoded()
    }

    private func status(_ status: InteractionStatus) throws -> [UInt8] {
        try StatusResponse { $0.status = status }.encoded()
    }

    @Test("§4.12.8 it is lost after the longest interval and the time of the last attempt")
    func liveness() throws {
        var subscription = try accepted()
        let deadline = Self.start + .seconds(900 + 38)
        #expect(subscription.nextDeadline == deadline)
        subscription.advance(to: Instant(nanoseconds: deadline.nanoseconds - 1))
        #expect(!subscription.isLost)
        subscription.advance(to: deadline)
        #expect(subscription.isLost && subscription.nextDeadline == nil)
        let late = try keepAlive()
        #expect(throws: InteractionError.unexpectedSubscription(7)) {
            try subscription.receive(octets: late, at: deadline)
        }
    }

    @Test("an empty report puts the deadline off")
    func keepsAlive() throws {
        var subscription = try accepted()
        var now = Self.start
        for _ in 0..<10 {
            now = now + .seconds(900)
            let step = try subscription.receive(octets: keepAlive(), at: now)
            guard case .done(let answer?) = step else {
                Issue.record("not answered")
                return
            }
            #expect(try answer.octets == status(.success))
            #expect(subscription.nextDeadline == now + .seconds(938))
        }
        let quiet = try keepAlive(suppress: true)
        #expect(try subscription.receive(octets: quiet, at: now + .seconds(1)) == .done(nil))
        #expect(subscription.nextDeadline == now + .seconds(939))
    }

    @Test("a report in two messages wants two answers, whatever the first says of answers")
    func chunks() throws {
        var subscription = try accepted()
        let first = try SubscribeClientTests.report(7, more: true, suppress: true)
        guard case .acknowledge = try subscription.receive(octets: first, at: Self.start) else {
            Issue.record("more is to come")
            return
        }
        let last = try SubscribeClientTests.report(7)
        guard case .done(_?) = try subscription.receive(octets: last, at: Self.start) else {
            Issue.record("it was the last")
            return
        }
    }

    @Test("before the response it takes reports and has no deadline")
    func unconfirmed() throws {
        var subscription = Subscription(id: 7, responseTime: .seconds(38))
        _ = try subscription.receive(octets: keepAlive(), at: Self.start)
        subscription.advance(to: .distantFuture)
        #expect(subscription.nextDeadline == nil && !subscription.isLost)
    }

    @Test("reports of others and broken ones do not keep it alive")
    func foreign() throws {
        var subscription = try accepted()
        let deadline = subscription.nextDeadline
        let foreign = try keepAlive(8)
        #expect(throws: InteractionError.unexpectedSubscription(8)) {
            try subscription.receive(octets: foreign, at: Self.start + .seconds(1))
        }
        let report = try SubscribeClientTests.report(7)
        for count in 0..<report.count {
            #expect(throws: InteractionError.self) {
                try subscription.receive(
                    octets: Array(report.prefix(count)), at: Self.start + .seconds(1))
            }
        }
        #expect(subscription.nextDeadline == deadline)
    }

    @Test("§8.4.3 who reports to nobody is told so")
    func refusals() throws {
        #expect(
            try Subscription.refusal(octets: keepAlive(9)) == status(.invalidSubscription))
        #expect(
            try Subscription.refusal(octets: keepAlive(9, suppress: true))
                == status(.invalidSubscription))
        let unsigned = try SubscribeClientTests.report(nil)
        #expect(try Subscription.refusal(octets: unsigned) == status(.invalidAction))
        let quiet = try SubscribeClientTests.report(nil, suppress: true)
        #expect(Subscription.refusal(octets: quiet) == nil)
        #expect(try Subscription.refusal(octets: [0x15]) == status(.invalidAction))
    }
}

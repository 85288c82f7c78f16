import Base
import Crypto
import Matter
import TestVectors
import Testing

extension SubscribeClient {
    mutating func receive(
        _ opcode: InteractionOpcode, octets: [UInt8]
    ) throws(InteractionError) -> SubscribeStep {
        try receive(opcode, octets.span)
    }
}

@Suite("SubscribeClient")
struct SubscribeClientTests {
    private static let request = SubscribeRequest {
        $0.keepSubscriptions = true
        $0.minIntervalFloorSeconds = 1
        $0.maxIntervalCeilingSeconds = 600
        $0.attributeRequests = [AttributePath(OnOff.onOff, endpoint: EndpointID(1))]
    }

    static func report(
        _ id: UInt32?, more: Bool? = nil, suppress: Bool? = nil
    ) throws -> [UInt8] {
        let data = try AttributeDataIB(OnOff.onOff, true, endpoint: EndpointID(1))
        return try ReportData {
            $0.subscriptionID = id
            $0.attributeReports = [AttributeReportIB { $0.attributeData = data }]
            $0.moreChunkedMessages = more
            $0.suppressResponse = suppress
        }.encoded()
    }

    static func response(_ id: UInt32, maxInterval: UInt16 = 600) throws -> [UInt8] {
        try SubscribeResponse {
            $0.subscriptionID = id
            $0.maxIntervalSeconds = maxInterval
        }.encoded()
    }

    private static let acknowledgement = InteractionVectors.message("acknowledge")

    @Test("§8.5 the first report in three messages, each answered, then the response")
    func whole() throws {
        var client = try SubscribeClient(Self.request)
        #expect(client.request.opcode == .subscribeRequest)
        #expect(try SubscribeRequest(octets: client.request.octets) == Self.request)
        for more in [true, true, nil] {
            let step = try client.receive(.reportData, octets: Self.report(7, more: more))
            guard case .report(7, let answer?) = step else {
                Issue.record("not answered")
                return
            }
            #expect(answer.opcode == .statusResponse && answer.octets == Self.acknowledgement)
        }
        let step = try client.receive(.subscribeResponse, octets: Self.response(7))
        let expected = SubscribeResponse {
            $0.subscriptionID = 7
            $0.maxIntervalSeconds = 600
        }
        #expect(step == .subscribed(expected))
        #expect(throws: InteractionError.unexpectedOpcode(.subscribeResponse)) {
            try client.receive(.subscribeResponse, octets: Self.response(7))
        }
    }

    @Test("a first report whose sender wants no answer gets none")
    func suppressed() throws {
        var client = try SubscribeClient(Self.request)
        let last = try Self.report(7, suppress: true)
        #expect(
            try client.receive(.reportData, octets: last)
                == .report(subscriptionID: 7, answer: nil))
        _ = try client.receive(.subscribeResponse, octets: Self.response(7))
    }

    @Test("a refusal instead of the report or of the response tells its status")
    func refused() throws {
        let exhausted = try StatusResponse { $0.status = .pathsExhausted }.encoded()
        var client = try SubscribeClient(Self.request)
        #expect(throws: InteractionError.status(.pathsExhausted, clusterStatus: nil)) {
            try client.receive(.statusResponse, octets: exhausted)
        }
        _ = try client.receive(.reportData, octets: Self.report(7))
        #expect(throws: InteractionError.status(.pathsExhausted, clusterStatus: nil)) {
            try client.receive(.statusResponse, octets: exhausted)
        }
    }

    @Test("messages out of turn end it")
    func outOfTurn() throws {
        var client = try SubscribeClient(Self.request)
        #expect(throws: InteractionError.unexpectedOpcode(.subscribeResponse)) {
            try client.receive(.subscribeResponse, octets: Self.response(7))
        }
        _ = try client.receive(.reportData, octets: Self.report(7, more: true))
        #expect(throws: InteractionError.unexpectedOpcode(.subscribeResponse)) {
            try client.receive(.subscribeResponse, octets: Self.response(7))
        }
        _ = try client.receive(.reportData, octets: Self.report(7))
        #expect(throws: InteractionError.unexpectedOpcode(.reportData)) {
            try client.receive(.reportData, octets: Self.report(7))
        }
    }

    @Test("reports and response are of one subscription")
    func ids() throws {
        var client = try SubscribeClient(Self.request)
        #expect(throws: InteractionError.malformed(.missing(tag: 0))) {
            try client.receive(.reportData, octets: Self.report(nil))
        }
        _ = try client.receive(.reportData, octets: Self.report(7, more: true))
        #expect(throws: InteractionError.unexpectedSubscription(8)) {
            try client.receive(.reportData, octets: Self.report(8))
        }
        _ = try client.receive(.reportData, octets: Self.report(7))
        #expect(throws: InteractionError.unexpectedSubscription(9)) {
            try client.receive(.subscribeResponse, octets: Self.response(9))
        }
    }

    @Test("messages cut off anywhere throw and never trap")
    func truncation() throws {
        let report = try Self.report(7)
        let response = try Self.response(7)
        for count in 0..<report.count {
            var client = try SubscribeClient(Self.request)
            #expect(throws: InteractionError.self) {
                try client.receive(.reportData, octets: Array(report.prefix(count)))
            }
        }
        var client = try SubscribeClient(Self.request)
        _ = try client.receive(.reportData, octets: report)
        for count in 0..<response.count {
            #expect(throws: InteractionError.self) {
                try client.receive(.subscribeResponse, octets: Array(response.prefix(count)))
            }
        }
    }

    @Test("a first report that never ends is cut off")
    func bound() throws {
        var client = try SubscribeClient(Self.request)
        let more = try Self.report(7, more: true)
        for _ in 0..<Limits.chunksPerRead { _ = try client.receive(.reportData, octets: more) }
        #expect(throws: InteractionError.tooMuch) {
            try client.receive(.reportData, octets: more)
        }
    }
}

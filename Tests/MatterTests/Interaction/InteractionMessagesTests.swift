import Base
import Matter
import TestVectors
import Testing

@Suite("InteractionMessages")
struct InteractionMessagesTests {
    private static let path = AttributePath(
        endpoint: EndpointID(1), cluster: ClusterID(0x402), attribute: AttributeID(0))
    private static let command = CommandPath(
        endpoint: EndpointID(1), cluster: ClusterID(6), command: CommandID(1))

    private static let report = ReportData {
        $0.subscriptionID = 0x1234_5678
        $0.attributeReports = [
            AttributeReportIB {
                $0.attributeData = AttributeDataIB(
                    dataVersion: 7, path: path, data: try! EncodedElement(Int16(-5)))
            },
            AttributeReportIB {
                $0.attributeStatus = AttributeStatusIB {
                    $0.path = path
                    $0.status = StatusIB(.unsupportedAttribute, clusterStatus: 3)
                }
            },
        ]
        $0.eventReports = [EventReportIB()]
        $0.moreChunkedMessages = true
    }

    private static let response = InvokeResponse {
        $0.invokeResponses = [
            InvokeResponseIB {
                $0.command = CommandDataIB {
                    $0.commandPath = command
                    $0.commandFields = .emptyStructure
                    $0.commandRef = 1
                }
            },
            InvokeResponseIB {
                $0.status = CommandStatusIB {
                    $0.commandPath = command
                    $0.status = StatusIB(.busy)
                }
            },
        ]
    }

    private func roundTrip<Message: TLVStructure & Equatable>(_ message: Message) throws {
        let bytes = try message.encoded()
        let read = try Message(octets: bytes)
        #expect(read == message)
        for count in 0..<bytes.count {
            #expect(throws: TLVError.self) { try Message(octets: Array(bytes.prefix(count))) }
        }
    }

    @Test("§10.7 every message is read as it was written, and refused at every truncation")
    func roundTrips() throws {
        try roundTrip(StatusResponse { $0.status = .busy })
        try roundTrip(TimedRequest { $0.timeoutMilliseconds = 500 })
        try roundTrip(SubscribeResponse { $0.maxIntervalSeconds = 60 })
        try roundTrip(
            ReadRequest {
                $0.attributeRequests = [Self.path, AttributePath()]
                $0.eventRequests = [EventPath { $0.isUrgent = true }]
                $0.eventFilters = [EventFilterIB { $0.eventMin = 5 }]
                $0.dataVersionFilters = [DataVersionFilterIB { $0.dataVersion = 9 }]
            })
        try roundTrip(
            SubscribeRequest {
                $0.maxIntervalCeilingSeconds = 300
                $0.attributeRequests = [Self.path]
            })
        try roundTrip(
            WriteRequest {
                $0.writeRequests = [
                    AttributeDataIB(path: Self.path, data: try! EncodedElement(UInt8(1)))
                ]
            })
        try roundTrip(WriteResponse { $0.writeResponses = [AttributeStatusIB()] })
        try roundTrip(Self.report)
        try roundTrip(Self.response)
    }

    @Test("§10.7 fields of later editions are passed over, a missing revision is no fault")
    func tolerance() throws {
        let bytes = try #require(Hex.decode("15 2509ffff 240000 370a 2401 02 18 18"))
        let response = try StatusResponse(octets: bytes)
        #expect(response.status == .success)
        #expect(response.interactionModelRevision == nil)
    }

    @Test("§10.6.2 a path without wildcards is a list of three ids, null asks for an item")
    func path() throws {
        var path = Self.path
        #expect(hex(try path.encoded()) == "172402012503020424040018")
        path.listIndex = .null
        #expect(hex(try path.encoded()) == "17240201250302042404003405" + "18")
        #expect(try AttributePath(octets: try path.encoded()) == path)
        #expect(AttributePath(endpoint: EndpointID(1)).concrete == nil)
    }

    @Test("§8.10.1 a status has a name and a line for people, also one that is not known")
    func statuses() {
        #expect(InteractionStatus.needsTimedInteraction.name == "NEEDS_TIMED_INTERACTION")
        #expect(InteractionStatus(0x87).text == "the value is outside its range")
        #expect(InteractionStatus(0xEE).name == "0xEE")
        #expect(InteractionStatus(0xEE).text == "the device answered with status 0xEE")
    }

    @Test("an element keeps its octets whatever tag it comes with, and is one element")
    func encodedElement() throws {
        let tagged = try #require(Hex.decode("36 02 0401 18"))
        #expect(try EncodedElement(octets: tagged).octets == [0x16, 0x04, 0x01, 0x18])
        for bad in ["36 02 0401", "0401 00", ""] {
            let bytes = try #require(Hex.decode(bad))
            #expect(throws: TLVError.self) { try EncodedElement(octets: bytes) }
        }
    }
}

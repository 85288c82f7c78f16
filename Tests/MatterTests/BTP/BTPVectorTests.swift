import Base
import TestVectors
import Testing

@testable import Matter

@Suite("BTP packets: public vectors")
struct BTPVectorTests {
    private let vectors = TestVectors.load("btp")

    @Test("§4.20.3.4 handshake requests are read and written")
    func requests() throws {
        for vector in vectors["handshake_request"].array {
            let bytes = vector["hex"].hex
            let request = try BTPHandshakeRequest(bytes.span)
            #expect(request.attMTU == UInt16(vector["att_mtu"].int))
            #expect(request.window == UInt8(vector["window"].int))
            let offered = (1...15).filter { request.offers(UInt8($0)) }
            #expect(offered == vector["versions"].array.map(\.int))
            let written = try [UInt8](capacity: 9) { try request.write(&$0) }
            #expect(written == bytes)
        }
    }

    @Test("§4.20.3.5 handshake responses are read and written")
    func responses() throws {
        for vector in vectors["handshake_response"].array {
            let bytes = vector["hex"].hex
            let response = try BTPHandshakeResponse(bytes.span)
            #expect(response.version == UInt8(vector["version"].int))
            #expect(response.segmentBytes == UInt16(vector["att_mtu"].int))
            #expect(response.window == UInt8(vector["window"].int))
            let written = try [UInt8](capacity: 6) { try response.write(&$0) }
            #expect(written == bytes)
        }
    }

    @Test("a request of 200 octets is answered with 197, one of an unknown ATT_MTU with 20")
    func answers() throws {
        for (attMTU, hex) in [(200, "656c04c50005"), (nil, "656c04140005")] as [(Int?, String)] {
            let now = Instant(nanoseconds: 0)
            var peripheral = BTPPeripheral(attMTU: attMTU, window: 5, at: now)
            let request = try #require(Hex.decode("656c54000000c80005"))
            try peripheral.receive(request.span, at: now)
            peripheral.subscribe(at: now)
            var response = ""
            let had = peripheral.nextTransmit { response = Hex.lower($0) }
            #expect(had)
            #expect(response == hex)
        }
    }

    @Test("segments of others are put together")
    func received() throws {
        let minimum = vectors["segments_after_min_mtu"].array
            .filter { $0["dir"].string == "to peripheral" }
        for vector in minimum {
            var pair = try BTPPair.connected(attMTU: 23)
            for segment in vector["segments"].array {
                try pair.peripheral.receive(segment.hex.span, at: pair.now)
            }
            let event = pair.peripheral.nextEvent()
            let message = [UInt8](pair.peripheral.message)
            #expect(event == .message)
            #expect(message == vector["sdu"].hex)
        }
        for vector in vectors["rx_from_chip_test"].array {
            var pair = try BTPPair.connected()
            for segment in vector["segments"].array {
                try pair.central.receive(segment.hex.span, at: pair.now)
            }
            let event = pair.central.nextEvent()
            let message = [UInt8](pair.central.message)
            #expect(event == .message)
            #expect(message == vector["sdu"].hex)
        }
        let whole = vectors["full_message"]["hex"].hex
        var pair = try BTPPair.connected()
        try pair.peripheral.receive(whole.span, at: pair.now)
        let message = [UInt8](pair.peripheral.message)
        #expect(message == Array(whole.dropFirst(5)))
    }

    @Test("a peripheral's segments are those of the vectors")
    func sent() throws {
        let vectors = vectors["segments_after_min_mtu"].array
            .filter { $0["dir"].string == "from peripheral" }
        #expect(vectors.count == 2)
        for vector in vectors {
            var pair = try BTPPair.connected(attMTU: 23)
            let had = pair.peripheral.send(vector["sdu"].hex.span, at: pair.now)
            #expect(had)
            var segments: [String] = []
            while pair.peripheral.nextTransmit({ segments.append(Hex.lower($0)) }) {}
            #expect(segments == vector["segments"].array.map(\.string))
        }
    }

    @Test("segments have CHIP's sizes, and an acknowledgement alone has three octets")
    func sizes() throws {
        for vector in vectors["chip_fragment_sizes_mtu20"].array {
            var pair = try BTPPair.connected(attMTU: 23)
            let message = BTPPair.message(vector["sdu_len"].int)
            let had = pair.peripheral.send(message.span, at: pair.now)
            #expect(had)
            var sizes: [Int] = []
            while pair.peripheral.nextTransmit({ sizes.append($0.count) }) {}
            #expect(sizes == vector["segments"].array.map(\.int))
        }
        let alone = vectors["standalone_ack"].array[0]
        let bytes = alone["hex"].hex
        let segment = try BTPSegment(bytes.span)
        let read = (segment.acknowledged, segment.sequence, segment.isAcknowledgementAlone)
        #expect(read == (UInt8(alone["ack"].int), UInt8(alone["seq"].int), true))
    }
}

import Base
import Crypto
import Matter
import TestVectors
import Testing

@Suite("MessageHeader")
struct MessageHeaderTests {
    private let vectors = TestVectors.load("messages")

    @Test("§4.8.1.1 nonce and authenticated header reproduce the sealed messages")
    func sealedVectors() throws {
        for vector in vectors["encrypted"].array {
            let message = vector["message"].hex
            var reader = ByteReader(message.span)
            let header = try MessageHeader(&reader)
            #expect(reader.offset == vector["header_aad"].hex.count, "\(vector["name"].string)")
            let nonce = header.nonce(sender: header.source ?? .unspecified)
            #expect([UInt8](nonce) == vector["nonce"].hex, "\(vector["name"].string)")
            let body = message.span.extracting(reader.offset..<message.count)
            var plaintext = [UInt8](repeating: 0, count: body.count - 16)
            var output = plaintext.mutableSpan
            var isAuthentic = true
            do throws(CryptoError) {
                try AESCCM(key: vector["key"].hex.span).open(
                    body, nonce: nonce,
                    authenticating: message.span.extracting(0..<reader.offset), into: &output)
            } catch { isAuthentic = false }
            #expect(isAuthentic == (vector["expect"].string == "accept"))
            if isAuthentic { #expect(plaintext == vector["plaintext"].hex) }
        }
    }

    @Test("§4.4 datagrams of a handshake are read and written octet for octet")
    func plainVectors() throws {
        for vector in vectors["unencrypted"].array {
            let datagram = vector["hex"].hex
            var reader = ByteReader(datagram.span)
            let header = try MessageHeader(&reader)
            let message = try ProtocolHeader(&reader)
            #expect(header.counter == UInt32(vector["message_counter"].int))
            #expect(header.sessionID == .unsecured)
            let source = vector.optional("source_node_id").flatMap { UInt64($0.string) }
            #expect(header.source?.rawValue == source)
            #expect(message.exchangeID == ExchangeID(UInt16(vector["exchange_id"].int)))
            #expect(message.isFromInitiator == vector["initiator"].bool)
            #expect(message.needsAcknowledgement == vector["needs_ack"].bool)
            let acknowledged = vector.optional("acked_counter").map { UInt32($0.int) }
            #expect(message.acknowledgedCounter == acknowledged)
            let payload = [UInt8](reader.rest())
            let again = try [UInt8](capacity: 200) { writer throws(ByteError) in
                try header.write(&writer)
                try message.write(&writer)
                try writer.bytes(payload.span)
            }
            #expect(again == datagram)
        }
    }

    @Test("§4.4.1.2 another version, a reserved destination and each truncation are refused")
    func malformed() {
        let whole = vectors["unencrypted"].array[0]["hex"].hex
        for count in 0..<16 {
            #expect(throws: MessageError.malformedHeader) { try headers(of: whole, count) }
        }
        for count in 16..<22 {
            #expect(throws: MessageError.malformedHeader) { try headers(of: whole, count) }
        }
        var version = whole
        version[0] |= 0x10
        #expect(throws: MessageError.malformedHeader) { try headers(of: version, 60) }
        var destination = whole
        destination[0] |= 0x03
        #expect(throws: MessageError.malformedHeader) { try headers(of: destination, 60) }
        var group = whole
        group[3] |= 0x02
        #expect(throws: MessageError.malformedHeader) { try headers(of: group, 60) }
    }

    @Test("§4.4.1.7 extensions are passed over by their length")
    func extensions() throws {
        let bytes = try #require(Hex.decode("00 0100 20 05000000 0300 aabbcc 77"))
        var reader = ByteReader(bytes.span)
        let header = try MessageHeader(&reader)
        #expect(header.counter == 5)
        let rest = [UInt8](reader.rest())
        #expect(rest == [0x77])
        #expect(throws: MessageError.malformedHeader) { try headers(of: bytes, 12) }
    }

    private func headers(of bytes: [UInt8], _ count: Int) throws(MessageError) {
        var reader = ByteReader(bytes.span.extracting(0..<count))
        _ = try MessageHeader(&reader)
        _ = try ProtocolHeader(&reader)
    }
}

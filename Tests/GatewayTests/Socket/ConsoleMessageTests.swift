import Crypto
import Gateway
import Matter
import Testing

@Suite("ConsoleMessage")
struct ConsoleMessageTests {
    private static let secret = Secret(Array("a\0b".utf8).span)

    private static let networks: [ConsoleMessage] = {
        let ssid: [UInt8] = [0xFF, 0]
        let passphrase = Secret(Array("12345678".utf8).span)
        let open = try? WiFiNetworkCredentials(
            ssid: ssid.span, credentials: Secret(count: 0) { _ in })
        let hidden = try? WiFiNetworkCredentials(
            ssid: ssid.span, credentials: passphrase, isHidden: true)
        return [open, hidden].compactMap { $0.map { .answer(.network($0)) } }
    }()

    private static let all: [ConsoleMessage] =
        networks + [
            .request(ConsoleRequest([], hasTerminal: false)),
            .request(ConsoleRequest([Array("devices".utf8), [], [0xFF]], hasTerminal: true)),
            .line(secret), .line(Secret(Array("".utf8).span)), .cancel,
            .output("Küche\n"), .errorOutput(""),
            .keys([0x1B, 0x5B, 0x41]), .drawn(columns: 80, rows: 24), .linesAgain,
            .question(.screen), .ended(.ok), .ended(.interrupted),
            .question(.code), .question(.passphrase(prompt: "passphrase")),
            .question(.confirmation("Lamp will be removed.")), .question(.exists(path: "/a")),
            .question(.files(folder: "b")), .question(.read(path: "c", limit: 16 << 20)),
            .question(.write([1, 2], path: "d")), .question(.picture([3])),
            .question(.text(prompt: "SSID")), .question(.boardNetwork(ssid: nil)),
            .question(.boardNetwork(ssid: [0xFF])),
            .answer(.nothing), .answer(.secret(secret)), .answer(.truth(true)),
            .answer(.truth(false)), .answer(.texts(["", "ä"])), .answer(.octets([0, 1])),
            .answer(.refused(Explanation(.interrupted, "cancelled", remedy: "again"))),
        ]

    private static func frames(
        _ bytes: [UInt8], limit: Int = 1 << 25
    ) throws(ConsoleProtocolError) -> [ConsoleFrame] {
        var frames = ConsoleFrames(bodyLimit: limit)
        var found: [ConsoleFrame] = []
        for octet in bytes {
            let one = [octet]
            try frames.receive(one.span)
            while let frame = frames.nextFrame() { found.append(frame) }
        }
        return found
    }

    @Test("every message comes back as it was, octet by octet")
    func roundTrip() throws {
        let bytes = Self.all.flatMap { $0.frame() }
        let messages = try Self.frames(bytes).map { try ConsoleMessage($0) }
        #expect(messages == Self.all)
    }

    @Test("a body that is cut off, or goes on, is malformed", arguments: Self.all)
    func truncated(message: ConsoleMessage) throws {
        let frame = message.frame()
        let body = frame[5...]
        for count in 0..<body.count {
            let cut = [UInt8(count), 0, 0, 0, frame[4]] + body.prefix(count)
            let found = try Self.frames(cut)
            #expect(throws: ConsoleProtocolError.malformed) { try ConsoleMessage(found[0]) }
        }
        let longer = [UInt8(body.count + 1), 0, 0, 0, frame[4]] + body + [0]
        let found = try Self.frames(longer)
        #expect(throws: ConsoleProtocolError.malformed) { try ConsoleMessage(found[0]) }
    }

    @Test("a frame beyond the bound is refused at its head")
    func tooLong() throws {
        #expect(throws: ConsoleProtocolError.tooLong) {
            try Self.frames([1, 1, 0, 0, 4], limit: 256)
        }
        #expect(try Self.frames([0, 1, 0, 0, 4], limit: 256).isEmpty)
    }

    @Test("a kind or version of another program is told from noise")
    func others() throws {
        let kind = try Self.frames([0, 0, 0, 0, 12])
        #expect(throws: ConsoleProtocolError.unknownKind(12)) { try ConsoleMessage(kind[0]) }
        let version = try Self.frames([1, 0, 0, 0, 1, 2])
        #expect(throws: ConsoleProtocolError.otherVersion(2)) { try ConsoleMessage(version[0]) }
        let words = try Self.frames([6, 0, 0, 0, 1, 1, 0, 255, 255, 255, 255])
        #expect(throws: ConsoleProtocolError.malformed) { try ConsoleMessage(words[0]) }
    }
}

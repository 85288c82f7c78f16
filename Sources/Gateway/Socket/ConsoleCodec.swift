internal import Base
internal import Crypto
internal import Matter

// Messages as octets. Numbers have four octets, the least significant first; texts and octets
// have their count before them, and so have lists.

extension ConsoleMessage {
    /// Of what a request says; its first octet, at the same place in every version.
    static let version: UInt8 = 1

    /// The whole frame. Whoever sends it wipes it: it may hold what was typed.
    package func frame() -> [UInt8] {
        var writer = FrameWriter(kind: kind.rawValue)
        switch self {
        case .request(let request):
            writer.octet(Self.version)
            writer.octet(request.hasTerminal ? 1 : 0)
            writer.number(request.words.count)
            for word in request.words { writer.octets(word.span) }
        case .line(let line): writer.octets(line.span)
        case .answer(let answer): answer.write(to: &writer)
        case .cancel, .linesAgain: break
        case .keys(let octets): writer.octets(octets.span)
        case .drawn(let columns, let rows):
            writer.number(columns)
            writer.number(rows)
        case .output(let text), .errorOutput(let text): writer.text(text)
        case .question(let question): question.write(to: &writer)
        case .ended(let code): writer.octet(UInt8(truncatingIfNeeded: code.rawValue))
        }
        return writer.frame()
    }

    package init(_ frame: ConsoleFrame) throws(ConsoleProtocolError) {
        guard let kind = Kind(rawValue: frame.kind) else { throw .unknownKind(frame.kind) }
        let body = frame.body
        if kind == .request, body.count > 0, body.span[0] != Self.version {
            throw .otherVersion(body.span[0])
        }
        var reader = ByteReader(body.span)
        do throws(ByteError) {
            guard let message = try Self.read(kind, &reader), reader.isAtEnd else {
                throw ByteError.truncated(at: reader.offset)
            }
            self = message
        } catch { throw .malformed }
    }

    private enum Kind: UInt8 {
        case request = 1
        case line, answer, cancel, output, errorOutput, question, ended
        case keys, drawn, linesAgain
    }

    private var kind: Kind {
        switch self {
        case .request: .request
        case .line: .line
        case .answer: .answer
        case .cancel: .cancel
        case .output: .output
        case .errorOutput: .errorOutput
        case .question: .question
        case .ended: .ended
        case .keys: .keys
        case .drawn: .drawn
        case .linesAgain: .linesAgain
        }
    }

    /// - Returns: nil for what has no meaning.
    @_lifetime(reader: copy reader)
    private static func read(
        _ kind: Kind, _ reader: inout ByteReader
    ) throws(ByteError) -> ConsoleMessage? {
        switch kind {
        case .request:
            _ = try reader.uint8()
            let flags = try reader.uint8()
            let count = try reader.number()
            guard count <= ConsoleLimits.words else { return nil }
            var words: [[UInt8]] = []
            for _ in 0..<count { words.append(try reader.octets()) }
            return .request(ConsoleRequest(words, hasTerminal: flags & 1 == 1))
        case .line: return .line(try reader.secret())
        case .answer: return try ConsoleAnswer.read(&reader).map { .answer($0) }
        case .cancel: return .cancel
        case .output: return .output(try reader.text())
        case .errorOutput: return .errorOutput(try reader.text())
        case .question: return try ConsoleQuestion.read(&reader).map { .question($0) }
        case .keys: return .keys(try reader.octets())
        case .drawn:
            let columns = try reader.number()
            return .drawn(columns: columns, rows: try reader.number())
        case .linesAgain: return .linesAgain
        case .ended:
            return ExitCode(rawValue: Int32(try reader.uint8())).map { .ended($0) }
        }
    }
}

extension ConsoleQuestion {
    fileprivate func write(to writer: inout FrameWriter) {
        switch self {
        case .code: writer.octet(1)
        case .passphrase(let prompt): writer.text(prompt, after: 2)
        case .confirmation(let question): writer.text(question, after: 3)
        case .exists(let path): writer.text(path, after: 4)
        case .files(let folder): writer.text(folder, after: 5)
        case .read(let path, let limit):
            writer.text(path, after: 6)
            writer.number(limit)
        case .write(let octets, let path):
            writer.text(path, after: 7)
            writer.octets(octets.span)
        case .picture(let octets):
            writer.octet(8)
            writer.octets(octets.span)
        case .text(let prompt): writer.text(prompt, after: 9)
        // No network has an empty name.
        case .boardNetwork(let ssid):
            let name = ssid ?? []
            writer.octet(10)
            writer.octets(name.span)
        case .screen: writer.octet(11)
        }
    }

    @_lifetime(reader: copy reader)
    fileprivate static func read(
        _ reader: inout ByteReader
    ) throws(ByteError) -> ConsoleQuestion? {
        switch try reader.uint8() {
        case 1: return .code
        case 2: return .passphrase(prompt: try reader.text())
        case 3: return .confirmation(try reader.text())
        case 4: return .exists(path: try reader.text())
        case 5: return .files(folder: try reader.text())
        case 6:
            let path = try reader.text()
            return .read(path: path, limit: try reader.number())
        case 7:
            let path = try reader.text()
            return .write(try reader.octets(), path: path)
        case 8: return .picture(try reader.octets())
        case 9: return .text(prompt: try reader.text())
        case 10:
            let ssid = try reader.octets()
            return .boardNetwork(ssid: ssid.isEmpty ? nil : ssid)
        case 11: return .screen
        default: return nil
        }
    }
}

extension ConsoleAnswer {
    fileprivate func write(to writer: inout FrameWriter) {
        switch self {
        case .nothing: writer.octet(1)
        case .secret(let secret):
            writer.octet(2)
            writer.octets(secret.span)
        case .truth(let truth):
            writer.octet(3)
            writer.octet(truth ? 1 : 0)
        case .texts(let texts):
            writer.octet(4)
            writer.number(texts.count)
            for text in texts { writer.text(text) }
        case .octets(let octets):
            writer.octet(5)
            writer.octets(octets.span)
        case .network(let network):
            writer.octet(7)
            writer.octet(network.isHidden ? 1 : 0)
            writer.octets(network.ssid.span)
            writer.octets(network.credentials.span)
        case .refused(let explanation):
            writer.octet(6)
            let place = FailureKind.allCases.firstIndex(of: explanation.kind)
            writer.octet(UInt8(truncatingIfNeeded: place ?? 0))
            writer.text(explanation.cause)
            writer.text(explanation.remedy)
        }
    }

    @_lifetime(reader: copy reader)
    fileprivate static func read(
        _ reader: inout ByteReader
    ) throws(ByteError) -> ConsoleAnswer? {
        switch try reader.uint8() {
        case 1: return .nothing
        case 2: return .secret(try reader.secret())
        case 3: return .truth(try reader.uint8() != 0)
        case 4:
            // Each takes octets, so that the body bounds them.
            var texts: [String] = []
            for _ in 0..<(try reader.number()) { texts.append(try reader.text()) }
            return .texts(texts)
        case 5: return .octets(try reader.octets())
        case 6:
            let place = Int(try reader.uint8())
            guard FailureKind.allCases.indices.contains(place) else { return nil }
            let cause = try reader.text()
            return .refused(
                Explanation(FailureKind.allCases[place], cause, remedy: try reader.text()))
        case 7:
            let isHidden = try reader.uint8() != 0
            let ssid = try reader.octets()
            let credentials = try reader.secret()
            return
                (try? WiFiNetworkCredentials(
                    ssid: ssid.span, credentials: credentials, isHidden: isHidden)).map {
                    .network($0)
                }
        default: return nil
        }
    }
}

private struct FrameWriter {
    private var bytes: [UInt8]

    init(kind: UInt8) {
        bytes = [0, 0, 0, 0, kind]
    }

    mutating func octet(_ value: UInt8) { bytes.append(value) }

    mutating func number(_ value: Int) {
        let value = UInt32(clamping: value)
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Reserves what it takes: a growing array would leave what it holds behind, unwiped.
    mutating func octets(_ source: Span<UInt8>) {
        var room = [UInt8]()
        room.reserveCapacity(bytes.count + source.count + 4)
        room += bytes
        for index in bytes.indices { bytes[index] = 0 }
        bytes = room
        number(source.count)
        for index in source.indices { bytes.append(source[index]) }
    }

    mutating func text(_ text: String, after octet: UInt8? = nil) {
        if let octet { bytes.append(octet) }
        let octets = Array(text.utf8)
        number(octets.count)
        bytes += octets
    }

    consuming func frame() -> [UInt8] {
        let length = UInt32(clamping: bytes.count - ConsoleFrame.headBytes)
        for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        return bytes
    }
}

extension ByteReader {
    @_lifetime(self: copy self)
    fileprivate mutating func number() throws(ByteError) -> Int { Int(try uint32()) }

    @_lifetime(self: copy self)
    fileprivate mutating func octets() throws(ByteError) -> [UInt8] {
        let octets = try bytes(count: try number())
        return [UInt8](octets)
    }

    @_lifetime(self: copy self)
    fileprivate mutating func secret() throws(ByteError) -> Secret {
        let octets = try bytes(count: try number())
        return Secret(octets)
    }

    @_lifetime(self: copy self)
    fileprivate mutating func text() throws(ByteError) -> String {
        String(decoding: try octets(), as: UTF8.self)
    }
}

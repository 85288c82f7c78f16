internal import Base
internal import Crypto
internal import Gateway
internal import LinuxIO
internal import Matter
internal import MatterNode

/// Lends a command what this process has: its terminal, its store, its network.
final class Surroundings: CommandSurroundings, @unchecked Sendable {
    let wiring: Wiring
    private let poll: PollLoop

    /// - Parameter radio: nil for the board's own Bluetooth.
    init(_ options: GlobalOptions, poll: PollLoop, radio: (any BluetoothRadio)? = nil) {
        wiring = Wiring(options, poll: poll, radio: radio)
        self.poll = poll
    }

    var now: Instant { poll.loop.now }

    func store() throws(Explanation) -> any Store {
        do throws(WiringError) { return try wiring.store() } catch {
            throw Explanation(error)
        }
    }

    func gateway() async throws(Explanation) -> Gateway {
        do throws(WiringError) { return try await wiring.gateway() } catch {
            throw Explanation(error)
        }
    }

    func history() throws(Explanation) -> any History {
        do throws(WiringError) { return try wiring.history() } catch {
            throw Explanation(error)
        }
    }

    func authorities() throws(Explanation) -> TrustAnchors {
        do throws(WiringError) { return try wiring.anchors() } catch {
            throw Explanation(error)
        }
    }

    func close() async { await wiring.close() }

    func readCode() throws(Explanation) -> Secret? {
        do throws(TerminalError) {
            guard Terminal.input.isTerminal else {
                let text = try Terminal.input.readAll()
                return text.count == 0 ? nil : text
            }
            StandardStreams.writeError("setup code (it is not shown): ")
            let line = try Terminal.input.readHiddenLine()
            StandardStreams.writeError("\n")
            return line.count == 0 ? nil : line
        } catch {
            throw Explanation(
                .missingInput, "the setup code cannot be read (\(error))",
                remedy: "give one line of it on standard input")
        }
    }

    func confirm(_ question: String) throws(Explanation) -> Bool {
        guard Terminal.input.isTerminal else {
            throw Explanation(
                .usage, "\(question) Nobody is here to confirm it",
                remedy: "use --yes when you are sure")
        }
        var random = SystemRandom()
        let word = ConfirmationWord.draw(using: &random)
        StandardStreams.writeError("\(question) Type \(word) to go on: ")
        do throws(TerminalError) {
            let line = try Terminal.input.readLine()
            return String(decoding: [UInt8](line.span), as: UTF8.self) == word
        } catch { return false }
    }

    func parseJSON(_ text: String) throws(Explanation) -> JSONValue {
        let bytes = Array(text.utf8)
        do throws(JSONTextError) { return try JSONText.parse(bytes.span) } catch {
            throw Explanation(
                .malformedInput, "the value is no valid JSON: \(error.description)",
                remedy: "check its brackets and quotes")
        }
    }

    func picture(of text: [UInt8]) -> [String]? { Terminal.output.picture(of: text) }

    func progress(_ text: String) { StandardStreams.writeError(text) }
}

/// A word that nobody types by accident and no barcode holds.
enum ConfirmationWord {
    static func draw(using random: inout some RandomSource) -> String {
        words[Int(random.uint64() % UInt64(words.count))]
    }

    private static let words = [
        "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "indigo",
        "jasper", "kettle", "lumen", "maple", "nickel", "otter", "pepper", "quartz", "river",
        "saddle", "timber", "umber", "velvet", "walnut", "yonder", "zephyr",
    ]
}

extension Explanation {
    /// Why a command could not even begin.
    init(_ error: WiringError) {
        switch error {
        case .store(let error, let path):
            self = Explanation(error).at(path)
        case .interface(let error):
            self.init(.notConfigured, error.description, remedy: "name one with --interface")
        case .socket(let error):
            self.init(
                .operatingSystem, "no network socket (\(error.description))",
                remedy: "see whether IPv6 is turned on")
        case .authorities(let folder, let error):
            self.init(
                .missingInput, "\(folder) cannot be read (\(error.description))",
                remedy: "give --paa a folder of certificates")
        }
    }
}

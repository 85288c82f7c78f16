internal import Base
internal import Crypto
internal import Gateway
internal import LinuxIO
internal import Matter
internal import MatterNode

/// What commands about the state as a whole need of this process.
extension Surroundings {
    var hasTerminal: Bool { Terminal.input.isTerminal }

    func readPassphrase(_ prompt: String) throws(Explanation) -> Secret {
        let text: Secret
        do throws(TerminalError) {
            if Terminal.input.isTerminal {
                StandardStreams.writeError("\(prompt) (it is not shown): ")
                text = try Terminal.input.readHiddenLine()
                StandardStreams.writeError("\n")
            } else {
                text = try Terminal.input.readAll(limit: Terminal.lineLimit)
            }
        } catch {
            throw Explanation(
                .missingInput, "\(prompt): it cannot be read (\(error))",
                remedy: "give it as one line of at most \(Terminal.lineLimit) octets")
        }
        guard text.count > 0 else {
            throw Explanation(
                .missingInput, "\(prompt): there is none",
                remedy: "type it, or write it and a line end into standard input")
        }
        return text
    }

    func readText(_ prompt: String) throws(Explanation) -> Secret {
        StandardStreams.writeError("\(prompt): ")
        do throws(TerminalError) { return try Terminal.input.readLine() } catch {
            throw Explanation(
                .missingInput, "\(prompt): it cannot be read (\(error))",
                remedy: "give it as one line of at most \(Terminal.lineLimit) octets")
        }
    }

    func boardNetwork(_ ssid: [UInt8]?) throws(Explanation) -> WiFiNetworkCredentials {
        do throws(BoardNetworkError) { return try BoardNetwork.find(ssid) } catch {
            throw Explanation(error)
        }
    }

    func exists(_ path: String) -> Bool { PrivateFile.exists(path) }

    func files(inFolder path: String) throws(Explanation) -> [String]? {
        guard Folder.isFolder(path) else { return nil }
        do throws(Errno) { return try Folder.files(in: path) } catch {
            throw Explanation(unreadable: path, error)
        }
    }

    func readFile(_ path: String, limit: Int) throws(Explanation) -> [UInt8] {
        do throws(Errno) { return try Folder.read(path, limit: limit) } catch {
            throw Explanation(unreadable: path, error)
        }
    }

    func writeFile(_ bytes: [UInt8], to path: String) throws(Explanation) {
        do throws(Errno) { try PrivateFile.write(bytes, to: path) } catch {
            throw Explanation(
                .operatingSystem, "\(path) cannot be written (\(error.description))",
                remedy: "see whether its folder is there, has space and may be written to")
        }
    }

    func soundStore() throws(Explanation) -> (any Store)? {
        do throws(WiringError) { return try wiring.store() } catch {
            if case .store(.damaged, _) = error { return nil }
            throw Explanation(error)
        }
    }

    func newStore() throws(Explanation) -> (any Store, aside: String) {
        do throws(WiringError) { return try wiring.newStore() } catch {
            throw Explanation(error)
        }
    }

    func eraseStore() throws(Explanation) {
        do throws(WiringError) { try wiring.eraseStore() } catch { throw Explanation(error) }
    }

    var unixSeconds: Int64 { Wiring.clock().unixSeconds() ?? 0 }
    var machine: MachineFacts {
        var facts = MachineFacts()
        facts.privateBytes = ProcessFacts.privateBytes
        facts.freeBytes = PrivateFile.freeBytes(beside: wiring.statePath)
        return facts
    }
    var random: SharedRandom { SharedRandom(SystemRandom()) }
}

extension Explanation {
    fileprivate init(unreadable path: String, _ error: Errno) {
        self.init(
            .missingInput, "\(path) cannot be read (\(error.description))",
            remedy: "see whether it is there and may be read")
    }
}

package import Crypto
package import Matter

/// What a console and the agent say to each other.
///
/// A console sends one request. The agent sends what the command has to say as it comes, asks
/// what only the console's side has (a hidden prompt, a file, a terminal), and says in the end
/// how the command ended. Scope: values. Not scope: octets (`ConsoleMessage.frame`), sockets.
package enum ConsoleMessage: Equatable, Sendable {
    // Of a console.
    case request(ConsoleRequest)
    /// What was typed at a console that stays; it may be a setup code.
    case line(Secret)
    case answer(ConsoleAnswer)
    /// Ends the command that goes on.
    case cancel
    /// What was typed while the screen is drawn on: octets as the terminal gave them.
    case keys([UInt8])
    /// All output before this was shown, on a screen of this size while it is drawn on; 0 is not
    /// known.
    case drawn(columns: Int, rows: Int)
    // Of the agent.
    case output(String)
    case errorOutput(String)
    case question(ConsoleQuestion)
    /// The screen is drawn on no more: lines are typed again.
    case linesAgain
    case ended(ExitCode)
}

package struct ConsoleRequest: Equatable, Sendable {
    /// Whether a person is at the console's standard input, and can be asked twice.
    package var hasTerminal: Bool
    /// As typed, without the program's name.
    package var words: [[UInt8]]

    package init(_ words: [[UInt8]], hasTerminal: Bool) {
        self.words = words
        self.hasTerminal = hasTerminal
    }
}

/// What the agent needs of a console. Paths are as typed there.
package enum ConsoleQuestion: Equatable, Sendable {
    /// A setup code; answered with a secret, or with nothing.
    case code
    case passphrase(prompt: String)
    /// Answered with a truth.
    case confirmation(String)
    /// Answered with a truth.
    case exists(path: String)
    /// Answered with texts, or with nothing where it is no folder.
    case files(folder: String)
    /// Answered with octets.
    case read(path: String, limit: Int)
    /// Answered with nothing.
    case write([UInt8], path: String)
    /// Answered with texts, or with nothing where the terminal shows none.
    case picture([UInt8])
    /// A line that is shown as it is typed; answered with a secret.
    case text(prompt: String)
    /// Answered with a network. Asked only of a person who typed `--from-board`.
    case boardNetwork(ssid: [UInt8]?)
    /// Whether the terminal may be drawn on; from a yes on it gives keys. Answered with a truth.
    case screen
}

package enum ConsoleAnswer: Equatable, Sendable {
    case nothing
    case secret(Secret)
    case truth(Bool)
    case texts([String])
    case octets([UInt8])
    case network(WiFiNetworkCredentials)
    /// Why there is no answer.
    case refused(Explanation)
}

/// How a peer breaks the protocol; the connection ends with it.
package enum ConsoleProtocolError: Error, Equatable {
    /// A frame with more octets than its receiver takes at this point.
    case tooLong
    case unknownKind(UInt8)
    /// The first octet of a request.
    case otherVersion(UInt8)
    /// Its octets are not of its kind.
    case malformed
    /// Right by itself, and not what is due.
    case unexpected
}

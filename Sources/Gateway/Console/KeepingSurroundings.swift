package import Base
package import Crypto
package import Matter
package import MatterNode

/// What commands about the state as a whole are lent by the process that runs them. Paths are
/// as typed; errors name them.
package protocol KeepingSurroundings: AnyObject {
    /// Whether a person is at standard input, and can be asked twice.
    var hasTerminal: Bool { get }
    /// From a hidden prompt, or all of standard input where that is no terminal; not empty.
    func readPassphrase(_ prompt: String) async throws(Explanation) -> Secret
    /// One line of a person at a terminal, shown as it is typed.
    func readText(_ prompt: String) async throws(Explanation) -> Secret
    /// The Wi-Fi network that the board is on, by its own configuration.
    /// - Parameter ssid: takes the one of this name; nil is the one in use, or the only one.
    func boardNetwork(_ ssid: [UInt8]?) async throws(Explanation) -> WiFiNetworkCredentials

    func exists(_ path: String) async throws(Explanation) -> Bool
    /// The plain files of a folder, or nil where it is none.
    func files(inFolder path: String) async throws(Explanation) -> [String]?
    func readFile(_ path: String, limit: Int) async throws(Explanation) -> [UInt8]
    /// A file for its owner alone: whole on the medium, or as it was before.
    func writeFile(_ bytes: [UInt8], to path: String) async throws(Explanation)

    /// The store, or nil where it is damaged and nothing good is left of it.
    func soundStore() throws(Explanation) -> (any Store)?
    /// Opens an empty store in the place of the damaged one.
    /// - Returns: also where the damaged one is left aside.
    func newStore() throws(Explanation) -> (any Store, aside: String)
    /// Removes the store with all its copies.
    func eraseStore() throws(Explanation)

    var machine: MachineFacts { get }
    /// Seconds since 1970; 0 while the clock is not plausible.
    var unixSeconds: Int64 { get }
    var random: SharedRandom { get }
}

internal import Base
internal import Matter
internal import MatterNode

/// Every bound of the console, with its reason.
package enum ConsoleLimits {
    /// Octets of one line: the longest setup code, the command before it and its options.
    package static let lineBytes = Limits.setupCharacters + 512
    /// Words of one command: `tlv` with a hexadecimal dump of one datagram, octet by octet.
    package static let words = Limits.datagramBytes + 64
    /// Characters of a typed word that an error repeats: enough to recognise it.
    package static let echoedCharacters = 40
    /// Octets of a name or a room: a label of some ten words; tables stay readable.
    package static let labelBytes = 64
    /// Octets of a value to be written: a list as JSON; one line can carry it.
    package static let valueBytes = 4096
    /// Octets of a backup's passphrase. Whoever has the file can try at leisure: with scrypt in
    /// the way, a dozen characters that nobody else would choose hold. A prompt takes so many.
    package static let passphraseBytes: ClosedRange<Int> = 12...1024
    /// Octets of a site name: those of the label of a fabric. Core §11.18.6.11.
    package static let siteNameBytes = 32
    /// Paths of one read. A device must take nine at once, Core §2.11.2.2; more are split.
    package static let paths = 32
    /// Candidates that an error lists when several devices fit: one line on a small screen.
    package static let candidates = 5
    /// Services that `discover` shows: every device of a large building, each on two interfaces.
    package static let services = 1024
    /// A pairing over IP takes seconds; a device that was just plugged in may need minutes.
    package static let pairSeconds: ClosedRange<Int> = 10...900
    /// Core §11.19.8.1: three to fifteen minutes.
    package static let shareSeconds: ClosedRange<Int> = 180...900
    /// To find the app and scan; the code is worth nothing after.
    package static let shareSecondsDefault = 300
    /// Days; single readings are kept for one anyhow, and ten years are more than a card lasts.
    package static let historyDays: ClosedRange<Int> = 1...3650
    /// Millions of octets: a day of a hundred nodes, and a part of a small card.
    package static let historySize: ClosedRange<Int> = 20...4000
    /// After which a silent device is asked: a lamp's time to settle; what changes within an hour.
    package static let pollSeconds: ClosedRange<Int> = 2...3600
    /// Labels of one command: the rooms of a floor.
    package static let labels = 64
    /// Beyond it nothing new comes.
    package static let discoverSeconds: ClosedRange<Int> = 1...120
    /// Longer than anybody looks for a device; the field of the command ends at 18 hours.
    package static let identifySeconds: ClosedRange<Int> = 0...3600
    /// Of a change of level: the field of the command ends there, at tenths of a second.
    package static let overSeconds: ClosedRange<Int> = 0...6553
    /// To look up from the console and across a room.
    package static let identifySecondsDefault = 30
    /// A query, two repetitions and the time that a busy device takes to answer.
    package static let discoverSecondsDefault = 5
    /// Events among which `status` looks for a failure: months of them.
    package static let eventsLookedAt = 100
    /// Octets: the state file, its copy and one more while the copy is replaced.
    package static let freeBytes = 64 << 20

    // MARK: PIN of serial consoles

    /// Octets of a PIN: fewer are guessed in a day in spite of all waiting.
    package static let pinBytes: ClosedRange<Int> = 4...64
    /// Wrong ones that cost no waiting: fingers slip.
    package static let pinTries = 3
    /// The first wait, which each further wrong PIN doubles, and the longest.
    package static let pinWait = Duration.seconds(30)
    package static let pinWaitMost = Duration.seconds(900)
    /// Whoever typed nothing for so long has gone.
    package static let lockAfter = Duration.seconds(600)

    // MARK: Consoles at the socket

    /// At once: what people have open, and scripts. Each may hold a megabyte that waits.
    package static let consoles = 16
    /// Keys and lines that wait for a screen that is drawn on: more than anybody types in a
    /// second; what comes beyond is lost.
    package static let screenInputs = 64
    /// Octets of a message of a console that answers nothing: a command with all its words.
    package static let messageBytes = 64 << 10
    /// Octets of a message with the content of a file or a command's output.
    package static let contentBytes = BackupFile.bytesMax + messageBytes
    /// Octets taken from a socket in one reading.
    package static let readBytes = 4096
    /// Whoever connects says at once what it wants; else it takes a place for nothing.
    package static let requestPatience = Duration.seconds(5)
}

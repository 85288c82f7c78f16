internal import Matter

/// The networks that devices are given.
extension CommandTable {
    static let wifi = CommandEntry(
        name: .wifi, arguments: [.one("set|show|forget"), .optional("SSID")],
        options: [.open, .hidden, .hex, .fromBoard],
        summary: "set, show or forget the Wi-Fi network that devices are given",
        details: [
            "Devices that have no network yet are given this one when they are added. It is kept"
                + " in the state file and in backups, and its passphrase is never shown. A WIFI:"
                + " label that is scanned while the window is open sets it too.",
            "The passphrase is asked for and not shown as it is typed; where standard input is no"
                + " terminal, it is read from there. It has \(Limits.passphraseBytes.lowerBound)"
                + " to \(Limits.passphraseBytes.upperBound) octets; \(Limits.pskDigits)"
                + " hexadecimal digits are taken as the key itself. Consoles of the agent drop"
                + " blanks at its ends: one that has some is set at a shell.",
            "SSID is the network's name, exactly as the access point has it, in quotes where it"
                + " has blanks. Without SSID it is asked for.",
            "With --from-board the board's own network is taken, from wpa_supplicant's or"
                + " NetworkManager's files, which usually only root can read. Where those list"
                + " several, the one that the board is on, or SSID.",
        ],
        examples: [
            "wifi set \"Mill Lane 5\"", "wifi set Home < passphrase.txt", "wifi set Guests --open",
            "wifi set 4DFC6E --hex --hidden", "wifi set --from-board", "wifi show --json",
            "wifi forget",
        ])

    static let thread = CommandEntry(
        name: .thread, arguments: [.one("set|show|forget")], options: [],
        summary: "set, show or forget the Thread network that devices are given",
        details: [
            "Devices of Thread that have no network yet are given this one when they are added. It"
                + " is kept in the state file and in backups, and its keys are never shown.",
            "set takes the active operational dataset in hexadecimal, as a border router prints it"
                + " (with OpenThread: dataset active -x). It is asked for and not shown as it is"
                + " typed; where standard input is no terminal, it is read from there.",
        ],
        examples: ["thread set", "thread set < dataset.txt", "thread show", "thread forget"])
}

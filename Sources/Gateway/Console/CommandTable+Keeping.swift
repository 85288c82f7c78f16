// What the gateway keeps: the commands that show, save, bring back and erase it.

extension CommandTable {
    static let settings = CommandEntry(
        name: .settings, arguments: [.optional("KEY"), .optional("VALUE")], options: [],
        summary: "show or change how this gateway is set up",
        details: [
            "Without KEY, all there is to set, with what it is now and by default. With VALUE, it"
                + " is set; an empty VALUE (\"\") sets it back to the default."
        ] + SettingKey.allCases.map { "\($0.rawValue): \($0.text)." },
        examples: ["settings", "settings site-name \"Mill Lane 5\"", "settings site-name \"\""])

    static let backup = CommandEntry(
        name: .backup, arguments: [.one("FILE")], options: [.force, .yes],
        summary: "save all that this gateway keeps in an encrypted file",
        details: [
            "In it are the keys by which devices know this gateway, the devices with their names"
                + " and rooms, the networks that devices are given, the settings and the"
                + " authorities that were added.",
            "It is encrypted under a passphrase of at least"
                + " \(ConsoleLimits.passphraseBytes.lowerBound) characters, which is asked for"
                + " twice and not shown; where standard input is no terminal, it is read from"
                + " there. Without the passphrase the file is worth nothing, to you as well.",
            "Make one after adding devices: one that is not in the backup must be reset and added"
                + " again after a restore.",
        ],
        examples: [
            "backup /media/stick/gateway.backup",
            "backup gateway.backup --force --yes < phrase.txt",
        ])

    static let restore = CommandEntry(
        name: .restore, arguments: [.one("FILE")], options: [.force, .yes],
        summary: "bring back what a backup holds",
        details: [
            "Puts what is in FILE in the place of all that this gateway keeps. The passphrase is"
                + " asked for, or read from standard input where that is no terminal. A word shown"
                + " on the screen must be typed to go on, unless --yes is given.",
            "The gateway that the backup was made on must stay off from then on: devices cannot"
                + " tell two gateways of one identity apart, and would fail with both.",
            "What was kept before is left beside the state file.",
        ],
        examples: [
            "restore /media/stick/gateway.backup", "restore gateway.backup --yes < phrase.txt",
        ])

    static let factoryReset = CommandEntry(
        name: .factoryReset, arguments: [], options: [.yes],
        summary: "erase all that this gateway keeps",
        details: [
            "The keys by which devices know this gateway, the devices, the settings, and every"
                + " copy beside them. A word shown on the screen must be typed to go on, unless"
                + " --yes is given.",
            "Devices are told nothing: remove tells them. Each that is left must be reset as its"
                + " leaflet says before it can be added anywhere.",
        ],
        examples: ["factory-reset", "factory-reset --yes --json"])

    static let authorities = CommandEntry(
        name: .authorities, arguments: [.optional("list|add|remove"), .optional("FILE|KEYID")],
        options: [],
        summary: "list or change whom this gateway believes about devices",
        details: [
            "The makers' authorities that attest devices, and the signers of certification"
                + " declarations: those that are built in, those that were added and those of"
                + " --paa. Who is for tests is believed with --allow-test-devices alone.",
            "add FILE keeps the authorities of a file, DER or PEM, or of all files of a folder;"
                + " every later command believes them. remove KEYID takes one that was added away"
                + " again, by its key id.",
        ],
        examples: [
            "authorities list", "authorities list --paa /etc/matter/paa --json",
            "authorities add maker-paa.pem",
            "authorities remove 0123456789abcdef0123456789abcdef01234567",
        ])
}

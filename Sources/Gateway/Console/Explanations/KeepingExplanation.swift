internal import Matter
package import MatterNode

// Backups and settings.

extension Explanation {
    package init(_ error: BackupError) {
        switch error {
        case .tooLarge:
            self.init(
                .malformedInput, "it is larger than any backup can be",
                remedy: "see whether it is the right file")
        case .notABackup:
            self.init(
                .malformedInput, "it is no backup of matter-gateway",
                remedy: "see whether it is the right file")
        case .tooNew(let version):
            self.init(
                .notConfigured, "it is a backup of format \(version), of a newer version",
                remedy: "update matter-gateway")
        case .wrongLength:
            self.init(
                .malformedInput, "the backup is not complete",
                remedy: "copy it anew, or use another one")
        case .costOutOfBounds:
            self.init(
                .malformedInput, "the backup is damaged: it asks for more memory than any of ours",
                remedy: "copy it anew, or use another one")
        case .notOpened:
            self.init(
                .notPermitted, "the passphrase is wrong, or the file was changed",
                remedy: "type it again; if it is right, use another backup")
        case .malformed, .fabric:
            self.init(
                .malformedInput, "the backup holds what cannot be used",
                remedy: "use another one, and please report this")
        }
    }

    package init(_ error: SettingError) {
        switch error {
        case .siteNameTooLong:
            self.init(
                .malformedInput,
                "a site name has at most \(ConsoleLimits.siteNameBytes) octets",
                remedy: "choose a shorter one")
        case .controls:
            self.init(
                .malformedInput, "a site name cannot hold control characters",
                remedy: "type it without them")
        case .noVendorID:
            self.init(
                .malformedInput, "a vendor id is one to four hexadecimal digits, and not zero",
                remedy: "give it as in 0xFFF1")
        case .outOfRange(let range):
            self.init(
                .malformedInput,
                "the value is a whole number from \(range.lowerBound) to \(range.upperBound)",
                remedy: "give such a one")
        case .hasDevices(let count):
            self.init(
                .notPermitted,
                "\(KeepingOutput.devices(count)) \(count == 1 ? "knows" : "know") this gateway by"
                    + " the vendor id that it has",
                remedy: "remove them first, and add them again afterwards")
        }
    }
}

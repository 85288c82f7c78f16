package import Matter

// What was typed as the credentials of a network. Nothing of it is repeated.

extension Explanation {
    package init(_ error: NetworkCredentialsError) {
        let dataset = "copy it anew from the border router, all of it"
        switch error {
        case .invalidSSIDLength(let count):
            self.init(
                .malformedInput,
                "the network's name has \(count) octets, not 1 to \(Limits.ssidBytes.upperBound)",
                remedy: "give it as the access point has it")
        case .invalidPassphraseLength(let count):
            let range = Limits.passphraseBytes
            self.init(
                .malformedInput,
                "the passphrase has \(count) octets, not \(range.lowerBound) to"
                    + " \(range.upperBound)",
                remedy: "type it as the access point has it; --open is for networks without one")
        case .invalidPSK:
            self.init(
                .malformedInput,
                "\(Limits.pskDigits) octets are the network's key, and these are not all"
                    + " hexadecimal digits",
                remedy: "type the passphrase, or the key's digits")
        case .invalidDatasetLength(let count):
            self.init(
                .malformedInput,
                "the dataset has \(count) octets, not 1 to \(Limits.threadDatasetBytes.upperBound)",
                remedy: dataset)
        case .notHexadecimal(let place):
            self.init(
                .malformedInput,
                "character \(place + 1) of the dataset is no hexadecimal digit, or one is missing",
                remedy: dataset)
        case .truncated(let offset):
            self.init(
                .malformedInput, "the dataset ends inside the value at octet \(offset)",
                remedy: dataset)
        case .repeated(let type):
            self.init(
                .malformedInput, "the dataset has its \(Self.name(type)) twice", remedy: dataset)
        case .invalidLength(let type, let count):
            self.init(
                .malformedInput,
                "the dataset's \(Self.name(type)) cannot have \(count) octets", remedy: dataset)
        case .invalidValue(let type):
            self.init(
                .malformedInput, "the dataset's \(Self.name(type)) is none that there can be",
                remedy: dataset)
        case .missing(let type):
            self.init(
                .malformedInput, "the dataset lacks its \(Self.name(type))",
                remedy: "give the whole active dataset (dataset active -x)")
        case .pendingDataset:
            self.init(
                .malformedInput, "this is a pending dataset, which is not in use yet",
                remedy: "give the active one (dataset active -x)")
        }
    }

    private static func name(_ type: ThreadTLVType) -> String {
        switch type {
        case .channel: "channel"
        case .panID: "PAN id"
        case .extendedPANID: "extended PAN id"
        case .networkName: "network name"
        case .pskc: "PSKc"
        case .networkKey: "network key"
        case .meshLocalPrefix: "mesh-local prefix"
        case .securityPolicy: "security policy"
        case .activeTimestamp: "timestamp"
        case .channelMask: "channel mask"
        case .wakeUpChannel: "wake-up channel"
        default: "value of type \(type.rawValue)"
        }
    }
}

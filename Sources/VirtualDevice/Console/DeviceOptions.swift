package import Crypto
internal import Matter

/// The words of the command line of `virtual-device`.
package struct DeviceOptions: Sendable {
    /// Nil: those that are usable.
    package var interface: String?
    package var port: UInt16 = 5540
    package var discriminator: UInt16 = 3840
    /// 4 octets, least significant first. The passcode of the SDK's example devices unless told.
    package var passcode = DeviceOptions.octets(20_202_021)
    package var types: [DeviceType] = [.light]
    package var network = DeviceSettings.NetworkKind.ethernet
    /// The folder in which local sockets stand for Bluetooth.
    package var bluetooth: String?
    package var isConcurrent = true
    package var state: String?
    package var paaOut: String?
    package var seed: UInt64?
    package var wantsHelp = false

    package init() {}

    /// - Parameter words: as octets, so that no passcode becomes a `String`.
    package static func parse(_ words: [[UInt8]]) throws(DeviceOptionsError) -> DeviceOptions {
        var options = DeviceOptions()
        var rest = words[...]
        while let word = rest.popFirst() {
            let text = String(decoding: word, as: UTF8.self)
            guard let option = Option(rawValue: text) else { throw .unknown }
            if option.value == nil {
                options.take(option)
            } else {
                guard let value = rest.popFirst() else { throw .missingValue(option) }
                guard try options.take(option, value) else { throw .wrongValue(option) }
            }
        }
        return options
    }

    package enum Option: String, CaseIterable, Sendable {
        case interface = "--interface"
        case port = "--port"
        case discriminator = "--discriminator"
        case passcode = "--passcode"
        case types = "--types"
        case wifi = "--wifi"
        case thread = "--thread"
        case bluetooth = "--bluetooth"
        case leavesBluetooth = "--leaves-bluetooth"
        case state = "--state"
        case paaOut = "--paa-out"
        case seed = "--seed"
        case help = "--help"

        /// What its value is called; nil for one without.
        var value: String? {
            switch self {
            case .interface: "NAME"
            case .types: "TYPE,..."
            case .state, .paaOut: "FILE"
            case .bluetooth: "FOLDER"
            case .port, .discriminator, .passcode, .seed: "N"
            case .wifi, .thread, .leavesBluetooth, .help: nil
            }
        }

        var meaning: String {
            switch self {
            case .interface: "use this network interface alone"
            case .port: "UDP port, 0 for any free one (5540)"
            case .discriminator: "0 to 4095 (3840)"
            case .passcode: "1 to 99999998 (20202021, as example devices have it)"
            case .types: "what endpoints 1, 2 and so on are; \(Limits.endpoints) at most"
            case .wifi: "ask for a Wi-Fi network when commissioned"
            case .thread: "ask for a Thread network when commissioned"
            case .bluetooth: "be found over Bluetooth that is played in this folder"
            case .leavesBluetooth: "end Bluetooth when it joins its network"
            case .state: "keep fabrics and keys here, or be new at each start"
            case .paaOut: "write the authority that vouches for it here (PEM)"
            case .seed: "of all that moves by itself"
            case .help: "show this"
            }
        }
    }

    /// What `--help` shows.
    package static var usage: String {
        let rows = Option.allCases.map { option in
            let left = [option.rawValue, option.value].compactMap(\.self).joined(separator: " ")
            let padding = String(repeating: " ", count: max(1, 20 - left.count))
            return "  \(left)\(padding)\(option.meaning)\n"
        }
        let types = DeviceType.allCases.map { "  \($0.rawValue)\n" }
        return "usage: virtual-device [OPTIONS]\n"
            + "A Matter device in software, for tests and demonstrations. It prints READY when\n"
            + "it can be commissioned, and what it is told; it takes commands on standard\n"
            + "input (help lists them).\n\n" + rows.joined() + "\ntypes\n" + types.joined()
    }

    private mutating func take(_ option: Option) {
        switch option {
        case .wifi: network = .wiFi
        case .thread: network = .thread
        case .leavesBluetooth: isConcurrent = false
        default: wantsHelp = true
        }
    }

    /// - Returns: false when the value cannot be.
    private mutating func take(
        _ option: Option, _ value: [UInt8]
    ) throws(DeviceOptionsError) -> Bool {
        if option == .passcode {
            guard let number = Self.number(value, below: 100_000_000),
                Passcode.isAllowed(UInt32(number))
            else { return false }
            passcode = Self.octets(UInt32(number))
            return true
        }
        let text = String(decoding: value, as: UTF8.self)
        guard !text.isEmpty else { return false }
        switch option {
        case .interface: interface = text
        case .bluetooth: bluetooth = text
        case .state: state = text
        case .paaOut: paaOut = text
        case .port:
            guard let number = UInt16(text) else { return false }
            port = number
        case .discriminator:
            guard let number = UInt16(text), number <= 0xFFF else { return false }
            discriminator = number
        case .seed:
            guard let number = UInt64(text) else { return false }
            seed = number
        default:
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            types = names.compactMap { DeviceType(rawValue: String($0)) }
            guard types.count == names.count, types.count <= Limits.endpoints else { return false }
        }
        return true
    }

    private static func number(_ digits: [UInt8], below limit: UInt64) -> UInt64? {
        guard !digits.isEmpty else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
            if number >= limit { return nil }
        }
        return number
    }

    private static func octets(_ passcode: UInt32) -> Secret {
        Secret(count: 4) { octets in
            for index in 0..<4 {
                octets[index] = UInt8(truncatingIfNeeded: passcode >> UInt32(8 * index))
            }
        }
    }
}

package enum DeviceOptionsError: Error, Equatable {
    case unknown
    case missingValue(DeviceOptions.Option)
    case wrongValue(DeviceOptions.Option)

    /// One line that says what exists. It shows no value, for one may be a passcode.
    package var text: String {
        switch self {
        case .unknown:
            "unknown option; there are: "
                + DeviceOptions.Option.allCases.map(\.rawValue).joined(separator: ", ")
        case .missingValue(let option):
            "\(option.rawValue) needs a value: \(option.meaning)"
        case .wrongValue(.types):
            "--types takes up to \(Limits.endpoints) of these with commas between: "
                + DeviceType.allCases.map(\.rawValue).joined(separator: ", ")
        case .wrongValue(let option): "\(option.rawValue) takes: \(option.meaning)"
        }
    }
}

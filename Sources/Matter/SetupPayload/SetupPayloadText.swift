// The words for the person on the ladder: what is wrong, and what to do about it.

extension SetupPayloadError {
    /// What is wrong, without a full stop.
    package var problem: String {
        switch self {
        case .empty: "the line is empty"
        case .tooLong(let count): "the line has \(count) characters, more than any setup code"
        case .unrecognised: "this is no Matter setup code"
        case .emptyPayload: "the QR text lacks a device's part"
        case .character(let offset): "character \(offset + 1) does not belong in a QR text"
        case .chunkLength(let count): "the QR text is cut off after \(count) characters"
        case .chunkOverflow(let offset): "the QR text is damaged from character \(offset + 1) on"
        case .tooShort(let count): "the QR text is cut off after \(count) characters"
        case .unknownVersion(let version): "the code has format \(version), newer than this gateway"
        case .padding: "the QR code has bits set that are to be zero"
        case .duplicate: "the QR code names the same device twice"
        case .notADigit(let offset): "character \(offset + 1) of the code is no digit"
        case .digitCount(let count): "the code has \(count) digits instead of 11 or 21"
        case .firstDigit(let digit): "no setup code starts with \(digit)"
        case .digitCountMismatch(let count):
            "the code has \(count) digits, and its first digit asks for \(count == 11 ? 21 : 11)"
        case .checkDigit: "the check digit does not fit: a digit is wrong or two are swapped"
        case .groupOverflow: "a group of five digits is above 65535"
        case .forbiddenPasscode: "the code holds a passcode that no device may have"
        case .vendorID(let vendor): "the code names vendor \(vendor), which cannot exist"
        case .productID: "the code names a vendor and no product"
        }
    }

    /// What to do next, without a full stop.
    package var remedy: String {
        switch self {
        case .empty, .emptyPayload, .chunkLength, .tooShort:
            "scan the whole code again, or type the digits printed beside it"
        case .tooLong: "scan one code at a time, and let the scanner end each with a line end"
        case .unrecognised:
            "scan the QR code with the Matter mark, or type the 11 or 21 digits beside it; if this"
                + " was that code, set the scanner to a US keyboard layout"
        case .character:
            "scan it again; if that does not help, set the scanner to a US keyboard layout"
        case .chunkOverflow, .padding:
            "scan it again, or type the digits printed beside it; if they fail too, the label is"
                + " faulty"
        case .unknownVersion: "update the gateway, or use the device's manual code"
        case .duplicate: "the label is faulty: use the manual code of each device"
        case .notADigit: "type only the digits: mind 0 for O, 1 for I and 5 for S"
        case .digitCount(10), .digitCount(20):
            "look for a digit that was left out; a spreadsheet drops a leading 0"
        case .digitCount: "compare it with the label, digit by digit"
        case .firstDigit, .checkDigit, .groupOverflow: "compare it with the label, digit by digit"
        case .digitCountMismatch:
            "compare the first digit with the label, and look for a second row of digits"
        case .forbiddenPasscode, .vendorID, .productID:
            "compare it with the label; if it is the same, the label is faulty: return the device"
        }
    }
}

extension SetupPayloadError: CustomStringConvertible {
    package var description: String { "\(problem): \(remedy)" }
}

extension SetupPayload {
    /// What to do at the device before it can be commissioned, or nil when nothing is known to
    /// be needed.
    package var hint: String? {
        switch flow {
        case .standard: nil
        case .userAction:
            "press the device's own button first, as its leaflet says, to make it ready"
        case .custom: "this device needs its maker's app or leaflet first, to make it ready"
        case nil: "if it is not found, make it ready first: its own button, or its maker's app"
        case .some: "this device needs preparing in a way unknown here: see its leaflet first"
        }
    }
}

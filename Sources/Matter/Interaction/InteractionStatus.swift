package import Base

/// How an action, or one path of it, ended. Core §8.10.1.
package struct InteractionStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }

    package static let success = Self(0x00)
    package static let failure = Self(0x01)
    package static let invalidSubscription = Self(0x7D)
    package static let unsupportedAccess = Self(0x7E)
    package static let unsupportedEndpoint = Self(0x7F)
    package static let invalidAction = Self(0x80)
    package static let unsupportedCommand = Self(0x81)
    package static let invalidCommand = Self(0x85)
    package static let unsupportedAttribute = Self(0x86)
    package static let constraintError = Self(0x87)
    package static let unsupportedWrite = Self(0x88)
    package static let resourceExhausted = Self(0x89)
    package static let notFound = Self(0x8B)
    package static let unreportableAttribute = Self(0x8C)
    package static let invalidDataType = Self(0x8D)
    package static let unsupportedRead = Self(0x8F)
    package static let dataVersionMismatch = Self(0x92)
    package static let timeout = Self(0x94)
    package static let unsupportedNode = Self(0x9B)
    package static let busy = Self(0x9C)
    package static let accessRestricted = Self(0x9D)
    package static let unsupportedCluster = Self(0xC3)
    package static let noUpstreamSubscription = Self(0xC5)
    package static let needsTimedInteraction = Self(0xC6)
    package static let unsupportedEvent = Self(0xC7)
    package static let pathsExhausted = Self(0xC8)
    package static let timedRequestMismatch = Self(0xC9)
    package static let failsafeRequired = Self(0xCA)
    package static let invalidInState = Self(0xCB)
    package static let noCommandResponse = Self(0xCC)

    /// The node does not have what was asked for, which is no fault for an optional attribute.
    package var isAbsence: Bool {
        self == .unsupportedEndpoint || self == .unsupportedCluster || self == .unsupportedAttribute
    }

    /// The specification's name, or the number in hexadecimal when it is not known here.
    package var name: String {
        entry.map(\.name.description) ?? "0x" + Hex.upper([rawValue].span)
    }

    /// One line for people.
    package var text: String {
        entry.map(\.text.description) ?? "the device answered with status \(name)"
    }

    private var entry: (status: Self, name: StaticString, text: StaticString)? {
        Self.table.first { $0.status == self }
    }

    private static let table: [(status: Self, name: StaticString, text: StaticString)] = [
        (.success, "SUCCESS", "done"),
        (.failure, "FAILURE", "the device could not do it and does not say why"),
        (.invalidSubscription, "INVALID_SUBSCRIPTION", "no such subscription"),
        (.unsupportedAccess, "UNSUPPORTED_ACCESS", "the device does not let us do this"),
        (.unsupportedEndpoint, "UNSUPPORTED_ENDPOINT", "the device has no such endpoint"),
        (.invalidAction, "INVALID_ACTION", "the device found the message malformed"),
        (.unsupportedCommand, "UNSUPPORTED_COMMAND", "the device does not have this command"),
        (.invalidCommand, "INVALID_COMMAND", "the device found the command's fields invalid"),
        (.unsupportedAttribute, "UNSUPPORTED_ATTRIBUTE", "the device has no such attribute"),
        (.constraintError, "CONSTRAINT_ERROR", "the value is outside its range"),
        (.unsupportedWrite, "UNSUPPORTED_WRITE", "the attribute can only be read"),
        (.resourceExhausted, "RESOURCE_EXHAUSTED", "the device has no room for this"),
        (.notFound, "NOT_FOUND", "the device has no such entry"),
        (.unreportableAttribute, "UNREPORTABLE_ATTRIBUTE", "the attribute cannot be reported"),
        (.invalidDataType, "INVALID_DATA_TYPE", "the value is of the wrong type"),
        (.unsupportedRead, "UNSUPPORTED_READ", "the attribute can only be written"),
        (.dataVersionMismatch, "DATA_VERSION_MISMATCH", "the data changed in the meantime"),
        (.timeout, "TIMEOUT", "the device ran out of time"),
        (.unsupportedNode, "UNSUPPORTED_NODE", "the message names another node"),
        (.busy, "BUSY", "the device is busy with something else"),
        (.accessRestricted, "ACCESS_RESTRICTED", "the device's maker restricts this"),
        (.unsupportedCluster, "UNSUPPORTED_CLUSTER", "the endpoint has no such cluster"),
        (
            .noUpstreamSubscription, "NO_UPSTREAM_SUBSCRIPTION",
            "the proxy is not subscribed to the device"
        ),
        (
            .needsTimedInteraction, "NEEDS_TIMED_INTERACTION",
            "this needs a timed request before it"
        ),
        (.unsupportedEvent, "UNSUPPORTED_EVENT", "the device has no such event"),
        (.pathsExhausted, "PATHS_EXHAUSTED", "too many paths for the device at once"),
        (
            .timedRequestMismatch, "TIMED_REQUEST_MISMATCH",
            "the message and its timed request do not agree"
        ),
        (.failsafeRequired, "FAILSAFE_REQUIRED", "this needs the fail-safe to be armed"),
        (.invalidInState, "INVALID_IN_STATE", "the device cannot do this in its present state"),
        (.noCommandResponse, "NO_COMMAND_RESPONSE", "the device left the command unanswered"),
    ]
}

extension InteractionStatus: TLVCodable {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        rawValue = try element.integer()
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.unsigned(UInt64(rawValue), tag: tag)
    }

    package var json: JSONValue { .string(name) }

    package init(json: JSONValue) throws(TLVError) {
        guard case .string(let name) = json,
            let entry = Self.table.first(where: { $0.name.description == name })
        else { throw .wrongType(tag: nil) }
        self = entry.status
    }
}

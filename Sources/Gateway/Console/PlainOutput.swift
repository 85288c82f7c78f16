internal import Base
internal import Matter

/// What commands say that ask nobody.
package enum PlainOutput {
    package static func version(_ version: String) -> Output {
        Output(
            lines: ["matter-gateway \(version)"],
            document: .object([("version", .string(version))]))
    }

    /// What can be read of the bytes; the fault that stopped the reading ends it.
    package static func tlv(_ bytes: [UInt8]) -> Output {
        var lines = TLVText.lines(bytes.span)
        let mark = "error: "
        var fault: String?
        if let last = lines.last, last.hasPrefix(mark) {
            lines.removeLast()
            fault = String(last.dropFirst(mark.count))
        }
        let document = JSONValue.object([
            ("lines", .array(lines.map { JSONValue.string($0) })),
            ("error", fault.map { JSONValue.string($0) } ?? .null),
        ])
        var output = Output(lines: lines, document: document)
        if let fault {
            output.notices = ["the TLV is damaged: \(fault)"]
            output.exitCode = FailureKind.malformedInput.exitCode
        }
        return output
    }
}

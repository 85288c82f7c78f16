internal import Base
internal import Crypto
internal import Matter
package import MatterNode

/// What `share` and `labels` say: codes for a scanner, drawn where the terminal can.
package enum ShareOutput {
    /// What its QR symbol shows.
    package static func code(of window: SharedWindow) -> [UInt8] {
        // Here it is shown: this is what was asked for.
        window.payload.qrText().map { [UInt8]($0.span) } ?? []
    }

    /// - Parameter picture: lines that show the code as a QR symbol; nil where there can be none.
    package static func window(
        _ window: SharedWindow, of node: NodeRecord, picture: [String]?
    ) -> Output {
        let manualCode = String(decoding: [UInt8](window.payload.manualCode().span), as: UTF8.self)
        let qrText = String(decoding: code(of: window), as: UTF8.self)
        let document = JSONValue.object([
            ("node_id", .string(node.nodeID.text)),
            ("qr_code", .string(qrText)),
            ("manual_code", .string(manualCode)),
            ("seconds", .unsigned(fitting: UInt16(window.seconds))),
        ])
        let lines = [
            "QR code      \(qrText)",
            "manual code  \(grouped(manualCode))",
            "\(DeviceOutput.callName(node)): another app, hub or gateway can add it with one of"
                + " these for \(time(window.seconds)).",
            "share NODE --stop ends that before.",
        ]
        return Output(lines: (picture ?? []) + lines, document: document)
    }

    /// - Parameter pictures: of each label, where there can be one.
    package static func labels(_ labels: [InstallerLabel], pictures: [[String]?]) -> Output {
        let lines = zip(labels, pictures).flatMap { label, picture in
            (picture ?? []) + [label.code]
        }
        let documents = labels.map { label in
            JSONValue.object([
                ("kind", .string(label.kind.rawValue)), ("text", .string(label.text)),
                ("code", .string(label.code)),
            ])
        }
        return Output(lines: lines, document: .object([("labels", .array(documents))]))
    }

    /// As it is printed on labels: 3497-011-2332.
    private static func grouped(_ code: String) -> String {
        guard code.utf8.count == 11 else { return code }
        return "\(code.prefix(4))-\(code.dropFirst(4).prefix(3))-\(code.dropFirst(7))"
    }

    private static func time(_ seconds: Int) -> String {
        seconds.isMultiple(of: 60) ? "\(seconds / 60) minutes" : "\(seconds) seconds"
    }
}

/// A label that an installer scans before devices: it names them or says where they are.
package struct InstallerLabel: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case room, name
    }

    package let kind: Kind
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// What stands in the QR symbol: `ROOM:Hall`.
    package var code: String {
        switch kind {
        case .room: "ROOM:\(text)"
        case .name: "NAME:\(text)"
        }
    }
}

package import Base
package import Matter

/// What `authorities` says: whom this gateway believes about devices.
package enum AuthorityOutput {
    package static func list(_ anchors: TrustAnchors) -> Output {
        let builtIn = TrustAnchors()
        let authorities = entries(anchors.authorities(), builtIn: builtIn.authorities())
        let signers = entries(
            anchors.declarationSigners(), builtIn: builtIn.declarationSigners())
        var table = TextTable(["FOR"] + headings)
        for entry in authorities { table.add(["devices"] + cells(entry)) }
        for entry in signers { table.add(["declarations"] + cells(entry)) }
        let builtInCount = authorities.count(where: \.isBuiltIn)
        let addedCount = authorities.count - builtInCount
        return Output(
            lines: table.lines + [
                "Authorities built in: \(builtInCount); added: \(addedCount)."
            ],
            document: .object([
                ("built_in_count", .integer(Int64(builtInCount))),
                ("added_count", .integer(Int64(addedCount))),
                ("authorities", .array(authorities.map { document(of: $0) })),
                ("declaration_signers", .array(signers.map { document(of: $0) })),
            ]))
    }

    /// - Parameters:
    ///   - known: those that were there before.
    ///   - skipped: files that were passed over, and why.
    package static func added(
        _ new: [TrustAnchor], known: [TrustAnchor], skipped: [(file: String, reason: String)]
    ) -> Output {
        var table = TextTable(headings)
        for anchor in new { table.add(cells((anchor, false))) }
        var lines = new.isEmpty ? ["No authority was added."] : table.lines
        if !known.isEmpty { lines.append("Known before: \(known.count).") }
        let document = JSONValue.object([
            ("added", .array(new.map { self.document(of: ($0, false)) })),
            ("known", .array(known.map { self.document(of: ($0, false)) })),
            (
                "skipped",
                .array(
                    skipped.map { file, reason in
                        .object([("file", .string(file)), ("reason", .string(reason))])
                    })
            ),
        ])
        return Output(
            lines: lines, document: document,
            notices: skipped.map { "skipped: \($0.reason)".escapingControls },
            exitCode: new.isEmpty && known.isEmpty ? FailureKind.malformedInput.exitCode : .ok)
    }

    /// - Parameter anchor: nil where this version does not understand its certificate.
    package static func removed(_ keyID: FixedBytes<20>, _ anchor: TrustAnchor?) -> Output {
        let text = Hex.lower(keyID.span)
        return Output(
            lines: [
                "\(anchor?.name ?? text): removed; it is not believed any more".escapingControls
            ],
            document: .object([
                ("key_id", .string(text)),
                ("name", anchor.map { JSONValue.string($0.name) } ?? .null),
            ]))
    }

    private static let headings = [
        "NAME", "VENDOR", "KEY ID", "VALID FROM", "UNTIL", "TEST", "FROM",
    ]

    private typealias Entry = (anchor: TrustAnchor, isBuiltIn: Bool)

    /// What was added and is built in as well is listed once.
    private static func entries(_ all: [TrustAnchor], builtIn: [TrustAnchor]) -> [Entry] {
        let known = Set(builtIn)
        let added = all.prefix(all.count - builtIn.count).filter { !known.contains($0) }
        return added.map { ($0, false) } + builtIn.map { ($0, true) }
    }

    private static func cells(_ entry: Entry) -> [String] {
        let anchor = entry.anchor
        let end = anchor.validity.notAfter
        return [
            anchor.name, anchor.vendorID?.text ?? "any", Hex.lower(anchor.subjectKeyID.span),
            UTCText.day(anchor.validity.notBefore.unixSeconds),
            end == .noExpiry ? "no end" : UTCText.day(end.unixSeconds),
            anchor.isTest ? "yes" : "no", entry.isBuiltIn ? "built in" : "added",
        ]
    }

    /// The members' names are relied on by scripts.
    private static func document(of entry: Entry) -> JSONValue {
        let anchor = entry.anchor
        let end = anchor.validity.notAfter
        return .object([
            ("name", .string(anchor.name)),
            ("vendor_id", anchor.vendorID.map { .unsigned(fitting: $0.rawValue) } ?? .null),
            ("key_id", .string(Hex.lower(anchor.subjectKeyID.span))),
            ("valid_from", .string(UTCText.instant(anchor.validity.notBefore.unixSeconds))),
            ("valid_until", end == .noExpiry ? .null : .string(UTCText.instant(end.unixSeconds))),
            ("test", .boolean(anchor.isTest)), ("built_in", .boolean(entry.isBuiltIn)),
        ])
    }
}

internal import Base
package import Matter

/// What `authorities` says: whom this gateway believes about devices.
package enum AuthorityOutput {
    package static func list(_ anchors: TrustAnchors) -> Output {
        let builtIn = TrustAnchors()
        let authorities = entries(anchors.authorities(), builtIn: builtIn.authorities())
        let signers = entries(
            anchors.declarationSigners(), builtIn: builtIn.declarationSigners())
        var table = TextTable([
            "FOR", "NAME", "VENDOR", "KEY ID", "VALID FROM", "UNTIL", "TEST", "FROM",
        ])
        for entry in authorities { table.add(["devices"] + cells(entry)) }
        for entry in signers { table.add(["declarations"] + cells(entry)) }
        return Output(
            lines: table.lines,
            document: .object([
                ("authorities", .array(authorities.map { document(of: $0) })),
                ("declaration_signers", .array(signers.map { document(of: $0) })),
            ]))
    }

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

internal import Base
internal import Matter
internal import MatterNode

/// Commands on whom this gateway believes about devices.
extension CommandRunner {
    func addAuthorities(_ path: String) async throws(Explanation) -> Output {
        let store = try surroundings.store()
        var found = FoundAuthorities()
        let added = try stored { () throws(StoreError) in try store.authorities() }
        found.known = Set(added.map(\.keyID))
        let folder = try await surroundings.files(inFolder: path)
        for file in folder ?? [path] {
            do throws(Explanation) {
                let bytes = try await surroundings.readFile(file, limit: Limits.authorityFile)
                try found.add(bytes, of: file)
            } catch {
                // A folder may hold other files too; one that was named must be right.
                guard folder != nil else { throw error }
                found.skipped.append((file, error))
            }
        }
        guard found.known.count + found.new.count <= Limits.addedAuthorities else {
            throw Explanation(
                .notPermitted,
                "there would be \(found.known.count + found.new.count) added authorities, and"
                    + " \(Limits.addedAuthorities) are all that there can be: none was added",
                remedy: "remove some, or add fewer")
        }
        let records = found.new.map(\.record)
        if !records.isEmpty {
            try stored { () throws(StoreError) in try store.save(records) }
        }
        return AuthorityOutput.added(
            found.new.map(\.anchor), known: found.alreadyKnown,
            skipped: found.skipped.map { ($0.file, $0.reason.cause) })
    }

    func removeAuthority(_ keyID: FixedBytes<20>) throws(Explanation) -> Output {
        let store = try surroundings.store()
        let added = try stored { () throws(StoreError) in try store.authorities() }
        guard let record = added.first(where: { $0.keyID == keyID }) else {
            let isBuiltIn = TrustAnchors().authority(keyID) != nil
            throw Explanation(
                .notPermitted,
                isBuiltIn
                    ? "this authority is built in" : "no authority was added with this key id",
                remedy: "authorities list shows those that were added")
        }
        try stored { () throws(StoreError) in try store.removeAuthority(keyID) }
        let certificate = record.certificate
        return AuthorityOutput.removed(keyID, try? TrustAnchor(authority: certificate.span))
    }
}

/// The certificates of some files, sorted.
private struct FoundAuthorities {
    /// Those that were added before.
    var known: Set<FixedBytes<20>> = []
    private(set) var new: [(anchor: TrustAnchor, record: AuthorityRecord)] = []
    private(set) var alreadyKnown: [TrustAnchor] = []
    var skipped: [(file: String, reason: Explanation)] = []

    /// - Throws: why the file is none of authorities alone; nothing of it is taken then.
    mutating func add(_ bytes: [UInt8], of file: String) throws(Explanation) {
        let certificates: [[UInt8]]
        do throws(CertificateError) { certificates = try PEM.certificates(in: bytes.span) } catch {
            throw Self.refusal(CertificateText.words(error), file)
        }
        var anchors: [(TrustAnchor, [UInt8])] = []
        for certificate in certificates {
            anchors.append((try Self.anchor(certificate, file), certificate))
        }
        for (anchor, certificate) in anchors {
            let keyID = anchor.subjectKeyID
            if known.contains(keyID) || TrustAnchors().authority(keyID) == anchor
                || new.contains(where: { $0.anchor.subjectKeyID == keyID })
            {
                alreadyKnown.append(anchor)
            } else {
                new.append((anchor, AuthorityRecord(keyID: keyID, certificate: certificate)))
            }
        }
    }

    private static func anchor(
        _ bytes: [UInt8], _ file: String
    ) throws(Explanation) -> TrustAnchor {
        do throws(AttestationError) {
            let anchor = try TrustAnchor(authority: bytes.span)
            let certificate = try AttestationCertificate(bytes.span, as: .authority)
            guard certificate.isSigned(by: certificate.publicKey) else {
                throw .invalidCertificateSignature(.authority)
            }
            return anchor
        } catch {
            for (role, words) in lowerRoles {
                if (try? AttestationCertificate(bytes.span, as: role)) != nil {
                    throw refusal(words, file)
                }
            }
            throw refusal(error.problem, file)
        }
    }

    /// What people take for an authority's certificate, because devices come with it.
    private static let lowerRoles: [(AttestationRole, String)] = [
        (.intermediate, "this is a certificate of an intermediate (PAI), not of an authority"),
        (.device, "this is a certificate of a device (DAC), not of an authority"),
    ]

    private static func refusal(_ why: String, _ file: String) -> Explanation {
        Explanation(
            .malformedInput, "\(file): \(why)",
            remedy: "give the certificate of a product attestation authority (PAA), DER or PEM")
    }
}

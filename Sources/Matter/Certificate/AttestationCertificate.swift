package import Base
package import Crypto

/// A certificate of the attestation chain, which ends in a device's own. Core §6.2.2.
package struct AttestationCertificate: Sendable {
    package let role: AttestationRole
    package let vendorID: VendorID?
    package let productID: ProductID?
    /// The common name, or nothing.
    package let name: String
    package let validity: Validity
    package let publicKey: P256.PublicKey
    package let subjectKeyID: FixedBytes<20>
    /// Only a root may be without.
    package let authorityKeyID: FixedBytes<20>?

    private let issuer: [UInt8]
    private let subject: [UInt8]
    private let toBeSigned: [UInt8]
    private let signature: FixedBytes<64>

    /// Reads a certificate and holds it against the form of its role. The signature is not
    /// checked here.
    /// - Throws: `malformed` or `wrongForm`.
    package init(_ bytes: Span<UInt8>, as role: AttestationRole) throws(AttestationError) {
        guard bytes.count <= Limits.certificateDER else { throw .malformed(role, .tooLong) }
        let extensions: AttestationExtensions
        let ids: AttestationSubject
        do throws(DERError) {
            let parts = try X509Certificate(bytes)
            extensions = try AttestationExtensions(parts.extensions)
            ids = try AttestationSubject(parts.subject)
            validity = parts.validity
            issuer = [UInt8](parts.issuer.whole)
            subject = [UInt8](parts.subject.whole)
            toBeSigned = [UInt8](parts.toBeSigned)
            signature = parts.signature
            do throws(CryptoError) { publicKey = try P256.PublicKey(parts.publicKey) } catch {
                throw DERError.invalidValue(at: parts.subject.offset + parts.subject.whole.count)
            }
        } catch { throw .malformed(role, .malformedDER(error)) }
        if let problem = extensions.problem(as: role) { throw .wrongForm(role, problem) }
        guard let keyID = extensions.subjectKeyID else { throw .wrongForm(role, .keyID) }
        guard !ids.isContradictory else { throw .wrongForm(role, .vendorAndProduct) }
        self.role = role
        vendorID = ids.vendorID
        productID = ids.productID
        name = ids.name
        subjectKeyID = keyID
        authorityKeyID = extensions.authorityKeyID
    }

    /// True when the names say that `issuer` issued this one.
    func names(issuer other: AttestationCertificate) -> Bool {
        issuer == other.subject && authorityKeyID == other.subjectKeyID
    }

    /// One signature check.
    package func isSigned(by key: P256.PublicKey) -> Bool {
        key.verify(signature, over: toBeSigned.span)
    }
}

/// The place of a certificate in the attestation chain.
package enum AttestationRole: Sendable {
    /// Device attestation certificate, DAC.
    case device
    /// Product attestation intermediate, PAI.
    case intermediate
    /// Product attestation authority, PAA.
    case authority
}

/// What in a certificate does not have the form of its role.
package enum AttestationForm: Sendable {
    /// Missing, not critical, or CA and path length not as the role has them.
    case basicConstraints
    /// Missing, not critical, or other usages than the role has.
    case keyUsage
    /// A key id that must be there and is not.
    case keyID
    /// A critical extension that nobody here understands, or the same one twice.
    case extensions
    /// Vendor or product id missing, twice, or not four upper-case hexadecimal digits.
    case vendorAndProduct
}

/// The extensions that attestation depends on.
private struct AttestationExtensions {
    private(set) var subjectKeyID: FixedBytes<20>?
    private(set) var authorityKeyID: FixedBytes<20>?
    private var constraints: (isCA: Bool, pathLength: UInt8?)?
    private var usage: CertificateExtension.KeyUsage?
    private var hasStranger = false

    init(_ element: borrowing DERElement) throws(DERError) {
        var members = DERReader(element)
        var seen: UInt64 = 0
        while !members.isAtEnd {
            let member = try X509Extension(try members.require(.sequence))
            if member.isKnown {
                if seen & 1 << UInt64(member.number) != 0 { hasStranger = true }
                seen |= 1 << UInt64(member.number)
            }
            switch member.number {
            case X509Extension.subjectKeyID:
                subjectKeyID = try X509Extension.subjectKeyID(member)
            case X509Extension.authorityKeyID:
                authorityKeyID = try X509Extension.authorityKeyID(member)
            case X509Extension.basicConstraints where member.isCritical:
                constraints = try X509Extension.constraints(member)
            case X509Extension.keyUsage where member.isCritical:
                usage = try X509Extension.usage(member)
            case X509Extension.extendedKeyUsage, X509Extension.basicConstraints,
                X509Extension.keyUsage:
                break
            default: if member.isCritical { hasStranger = true }
            }
        }
    }

    /// Core §6.2.2.3 to §6.2.2.5.
    func problem(as role: AttestationRole) -> AttestationForm? {
        guard !hasStranger else { return .extensions }
        guard let constraints, let usage else {
            return self.constraints == nil ? .basicConstraints : .keyUsage
        }
        let isFitting =
            switch role {
            case .device: !constraints.isCA
            case .intermediate: constraints.isCA && constraints.pathLength == 0
            case .authority: constraints.isCA && constraints.pathLength ?? 1 == 1
            }
        guard isFitting else { return .basicConstraints }
        if role == .device {
            guard usage == .digitalSignature else { return .keyUsage }
        } else {
            let needed: CertificateExtension.KeyUsage = [.keyCertSign, .crlSign]
            guard usage.union(.digitalSignature) == needed.union(.digitalSignature),
                usage.isSuperset(of: needed)
            else { return .keyUsage }
        }
        return role != .authority && authorityKeyID == nil ? .keyID : nil
    }
}

/// Vendor and product in a subject: attributes of their own, or, where a maker's tools could not
/// write those, `Mvid:` and `Mpid:` in the common name. Core §6.2.2.2.
private struct AttestationSubject {
    private(set) var vendorID: VendorID?
    private(set) var productID: ProductID?
    private(set) var name = ""
    private(set) var isContradictory = false

    init(_ element: borrowing DERElement) throws(DERError) {
        var named = [UInt8]()
        var names = DERReader(element)
        while !names.isAtEnd {
            var set = DERReader(try names.require(.set))
            while !set.isAtEnd {
                var pair = DERReader(try set.require(.sequence))
                let type = try pair.require(.objectIdentifier)
                let value = try pair.next()
                try pair.requireEnd()
                if type.content.isEqual(to: ObjectIdentifiers.vendorID) {
                    isContradictory = isContradictory || vendorID != nil
                    vendorID = id(value.content).map(VendorID.init)
                } else if type.content.isEqual(to: ObjectIdentifiers.productID) {
                    isContradictory = isContradictory || productID != nil
                    productID = id(value.content).map(ProductID.init)
                } else if type.content.suffix(of: ObjectIdentifiers.attributePrefix) == 3,
                    named.isEmpty
                {
                    named = [UInt8](value.content)
                }
            }
        }
        name = String(validating: named, as: UTF8.self) ?? ""
        if vendorID == nil, productID == nil, !isContradictory { fallBack(on: named) }
    }

    private mutating func id(_ text: Span<UInt8>) -> UInt16? {
        guard text.count == 4, let number = Hex.number(upper: text) else {
            isContradictory = true
            return nil
        }
        return UInt16(truncatingIfNeeded: number)
    }

    private mutating func fallBack(on name: [UInt8]) {
        vendorID = marked("Mvid:", in: name).map(VendorID.init)
        productID = marked("Mpid:", in: name).map(ProductID.init)
    }

    /// The four digits after the first mark that four digits follow.
    private mutating func marked(_ mark: String, in name: [UInt8]) -> UInt16? {
        let mark = [UInt8](mark.utf8)
        var hasMark = false
        for start in name.indices where name[start...].starts(with: mark) {
            hasMark = true
            let digits = name[(start + mark.count)...].prefix(4)
            if digits.count == 4, let number = Hex.number(upper: [UInt8](digits).span) {
                return UInt16(truncatingIfNeeded: number)
            }
        }
        if hasMark { isContradictory = true }
        return nil
    }
}

package import Base

/// One extension of a certificate, in the order in which the certificate has them. Core §6.5.11.
package enum CertificateExtension: Equatable, Sendable {
    case basicConstraints(isCA: Bool, pathLength: UInt8?)
    case keyUsage(KeyUsage)
    case extendedKeyUsage([KeyPurpose])
    case subjectKeyID(FixedBytes<20>)
    case authorityKeyID(FixedBytes<20>)
    /// The whole DER of an extension that Matter TLV has no tag for.
    case other([UInt8], isCritical: Bool)

    /// RFC 5280 §4.2.1.3, the first bit lowest.
    package struct KeyUsage: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let digitalSignature = KeyUsage(rawValue: 0x01)
        package static let keyCertSign = KeyUsage(rawValue: 0x20)
        package static let crlSign = KeyUsage(rawValue: 0x40)
        /// decipherOnly, the last bit that is defined, and those below it.
        static let all = KeyUsage(rawValue: 0x1FF)
    }

    /// RFC 5280 §4.2.1.12; the numbers are those of Core §6.5.11.3.
    package enum KeyPurpose: UInt8, Sendable {
        case serverAuth = 1
        case clientAuth = 2
        case codeSigning = 3
        case emailProtection = 4
        case timeStamping = 5
        case ocspSigning = 6
    }

    /// The context tag; that of `other` may repeat.
    var tag: UInt8 {
        switch self {
        case .basicConstraints: 1
        case .keyUsage: 2
        case .extendedKeyUsage: 3
        case .subjectKeyID: 4
        case .authorityKeyID: 5
        case .other: Self.otherTag
        }
    }

    static let otherTag: UInt8 = 6
}

// MARK: TLV

extension CertificateExtension {
    /// - Parameter element: a member of the list of extensions.
    init(from element: borrowing TLVElement, _ reader: inout TLVReader) throws(TLVError) {
        switch element.contextTag {
        case 1: self = try Self.basicConstraints(element, &reader)
        case 2: self = .keyUsage(KeyUsage(rawValue: try element.integer()))
        case 3:
            try element.expect(.array)
            var purposes: [KeyPurpose] = []
            while let member = try reader.member() {
                guard let purpose = KeyPurpose(rawValue: try member.integer()),
                    !purposes.contains(purpose)
                else { throw .outOfRange(tag: 3) }
                purposes.append(purpose)
            }
            self = .extendedKeyUsage(purposes)
        case 4: self = .subjectKeyID(try FixedBytes(from: element, &reader))
        case 5: self = .authorityKeyID(try FixedBytes(from: element, &reader))
        case Self.otherTag:
            let bytes = try element.octets
            do throws(DERError) {
                var outer = DERReader(bytes)
                let parts = try X509Extension(try outer.require(.sequence))
                try outer.requireEnd()
                guard !parts.isKnown else { throw .invalidValue(at: 0) }
                self = .other([UInt8](bytes), isCritical: parts.isCritical)
            } catch { throw .outOfRange(tag: Self.otherTag) }
        default: throw .outOfRange(tag: element.contextTag)
        }
    }

    private static func basicConstraints(
        _ element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) -> CertificateExtension {
        try element.expect(.structure)
        guard let first = try reader.member(), first.contextTag == 1 else {
            throw .missing(tag: 1)
        }
        let isCA = try first.boolean()
        var pathLength: UInt8?
        if let second = try reader.member() {
            guard second.contextTag == 2, isCA else { throw .outOfRange(tag: second.contextTag) }
            pathLength = try second.integer()
            guard try reader.member() == nil else { throw .trailingBytes(at: reader.offset) }
        }
        return .basicConstraints(isCA: isCA, pathLength: pathLength)
    }

    @_lifetime(writer: copy writer)
    func encode(_ writer: inout TLVWriter) throws(TLVError) {
        switch self {
        case .basicConstraints(let isCA, let pathLength):
            try writer.open(.structure, tag: .context(tag))
            try writer.boolean(isCA, tag: .context(1))
            if let pathLength { try writer.unsigned(UInt64(pathLength), tag: .context(2)) }
            try writer.end()
        case .keyUsage(let usage): try writer.unsigned(UInt64(usage.rawValue), tag: .context(tag))
        case .extendedKeyUsage(let purposes):
            try writer.open(.array, tag: .context(tag))
            for purpose in purposes {
                try writer.unsigned(UInt64(purpose.rawValue), tag: .anonymous)
            }
            try writer.end()
        case .subjectKeyID(let id): try writer.octets(id.span, tag: .context(tag))
        case .authorityKeyID(let id): try writer.octets(id.span, tag: .context(tag))
        case .other(let bytes, _): try writer.octets(bytes.span, tag: .context(tag))
        }
    }
}

// MARK: DER

extension CertificateExtension {
    init(_ parts: borrowing X509Extension) throws(DERError) {
        switch parts.number {
        case X509Extension.basicConstraints:
            let constraints = try X509Extension.constraints(parts)
            self = .basicConstraints(isCA: constraints.isCA, pathLength: constraints.pathLength)
        case X509Extension.keyUsage: self = .keyUsage(try X509Extension.usage(parts))
        case X509Extension.extendedKeyUsage:
            var reader = DERReader(parts.value)
            var list = DERReader(try reader.require(.sequence))
            try reader.requireEnd()
            var purposes: [KeyPurpose] = []
            while !list.isAtEnd {
                let element = try list.require(.objectIdentifier)
                guard let number = element.content.suffix(of: ObjectIdentifiers.purposePrefix),
                    let purpose = KeyPurpose(x509: number), !purposes.contains(purpose)
                else { throw .invalidValue(at: element.offset) }
                purposes.append(purpose)
            }
            self = .extendedKeyUsage(purposes)
        case X509Extension.subjectKeyID:
            self = .subjectKeyID(try X509Extension.subjectKeyID(parts))
        case X509Extension.authorityKeyID:
            self = .authorityKeyID(try X509Extension.authorityKeyID(parts))
        default: self = .other([UInt8](parts.whole), isCritical: parts.isCritical)
        }
    }

    package func encode(to writer: inout DERWriter) {
        if case .other(let bytes, _) = self { return writer.raw(bytes.span) }
        let start = writer.open(.sequence)
        let value: Int
        switch self {
        case .basicConstraints(let isCA, let pathLength):
            value = openValue(X509Extension.basicConstraints, isCritical: true, &writer)
            let sequence = writer.open(.sequence)
            if isCA { writer.boolean(true) }
            if let pathLength { writer.integer(pathLength) }
            writer.close(sequence)
        case .keyUsage(let usage):
            value = openValue(X509Extension.keyUsage, isCritical: true, &writer)
            usage.encode(to: &writer)
        case .extendedKeyUsage(let purposes):
            value = openValue(X509Extension.extendedKeyUsage, isCritical: true, &writer)
            let sequence = writer.open(.sequence)
            for purpose in purposes {
                writer.objectIdentifier(ObjectIdentifiers.purposePrefix, purpose.x509)
            }
            writer.close(sequence)
        case .subjectKeyID(let id):
            value = openValue(X509Extension.subjectKeyID, isCritical: false, &writer)
            writer.primitive(.octetString, id.span)
        case .authorityKeyID(let id):
            value = openValue(X509Extension.authorityKeyID, isCritical: false, &writer)
            let sequence = writer.open(.sequence)
            writer.primitive(.context(0, constructed: false), id.span)
            writer.close(sequence)
        case .other: return
        }
        writer.close(value)
        writer.close(start)
    }

    private func openValue(_ number: UInt8, isCritical: Bool, _ writer: inout DERWriter) -> Int {
        writer.objectIdentifier(ObjectIdentifiers.extensionPrefix, number)
        if isCritical { writer.boolean(true) }
        return writer.open(.octetString)
    }
}

extension CertificateExtension.KeyUsage {
    /// A named bit list: trailing zero bits are left out (X.690 §11.2.2).
    package func encode(to writer: inout DERWriter) {
        let bits = 16 - rawValue.leadingZeroBitCount
        let start = writer.open(.bitString)
        writer.octet(UInt8((8 - bits % 8) % 8))
        for index in 0..<((bits + 7) / 8) {
            var reversed: UInt8 = 0
            for bit in 0..<8 where rawValue >> (8 * index + bit) & 1 == 1 {
                reversed |= 0x80 >> bit
            }
            writer.octet(reversed)
        }
        writer.close(start)
    }
}

extension CertificateExtension.KeyPurpose {
    /// The last octet of 1.3.6.1.5.5.7.3.x.
    var x509: UInt8 {
        switch self {
        case .serverAuth, .clientAuth, .codeSigning, .emailProtection: rawValue
        case .timeStamping: 8
        case .ocspSigning: 9
        }
    }

    init?(x509 number: UInt8) {
        switch number {
        case 1...4: self.init(rawValue: number)
        case 8: self = .timeStamping
        case 9: self = .ocspSigning
        default: return nil
        }
    }
}

package import Matter

// What certificates prove, and do not.

extension Explanation {
    package init(_ error: AttestationError) {
        self.init(.notPermitted, error.problem, remedy: Self.lowercased(error.remedy))
    }

    private static func lowercased(_ sentence: String) -> String {
        sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
}

enum CertificateText {
    static func words(_ error: CertificateError) -> String {
        switch error {
        case .tooLong: "a certificate is too long"
        case .malformedTLV(let error): "a certificate is malformed (\(TLVText.words(error)))"
        case .malformedDER(let error): "a certificate is malformed (\(words(error)))"
        case .notRepresentable: "a certificate is not of Matter's form"
        case .invalidPublicKey: "a certificate's key is no key"
        case .invalidSerialNumber: "a certificate's serial number is malformed"
        case .noCertificate: "there is no certificate in it"
        case .duplicateExtension: "a certificate has an extension twice"
        case .invalidRequestSignature: "the request is not signed by its own key"
        case .wrongAuthorityKey: "the stored root key and root certificate do not fit"
        case .notYetValid(let role): "\(words(role)) is not valid yet"
        case .expired(let role): "\(words(role)) has expired"
        case .wrongSubject(let role): "\(words(role)) is for something else"
        case .wrongBasicConstraints(let role): "\(words(role)) has wrong constraints"
        case .wrongKeyUsage(let role), .wrongExtendedKeyUsage(let role):
            "\(words(role)) is for another use"
        case .unknownCriticalExtension(let role):
            "\(words(role)) has an extension that must be understood and is not"
        case .pathTooLong(let role): "\(words(role)) allows fewer certificates below it"
        case .wrongIssuer(let role): "\(words(role)) was issued by another authority"
        case .wrongFabric(let role): "\(words(role)) is of another fabric"
        case .invalidSignature(let role): "\(words(role)) is not signed by its issuer"
        }
    }

    private static func words(_ role: CertificateRole) -> String {
        switch role {
        case .root: "the root certificate"
        case .intermediate: "the intermediate certificate"
        case .node: "the node's certificate"
        }
    }

    private static func words(_ error: DERError) -> String {
        switch error {
        case .truncated(let offset): "it ends too early, at \(offset)"
        case .invalidLength(let offset): "wrong length at \(offset)"
        case .unexpectedTag(let offset): "unexpected element at \(offset)"
        case .invalidValue(let offset): "invalid value at \(offset)"
        case .trailingBytes(let offset): "something follows its end, at \(offset)"
        }
    }
}

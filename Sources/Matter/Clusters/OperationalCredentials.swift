package import Base
package import Crypto

/// A node's certificates and the fabrics it is part of. Core §11.18  Node Operational Credentials
package enum OperationalCredentials: Cluster {
    package static let id = ClusterID(0x003E)
    package static let name: StaticString = "operational-credentials"

    package static let nocs = Attribute<[NOCStruct]>(id, 0x0000, "nocs")
    package static let fabrics = Attribute<[FabricDescriptorStruct]>(id, 0x0001, "fabrics")
    package static let supportedFabrics = Attribute<UInt8>(id, 0x0002, "supported-fabrics")
    package static let commissionedFabrics = Attribute<UInt8>(id, 0x0003, "commissioned-fabrics")
    package static let trustedRootCertificates = Attribute<[Octets]>(
        id, 0x0004, "trusted-root-certificates")
    package static let currentFabricIndex = Attribute<FabricIndex>(
        id, 0x0005, "current-fabric-index")

    package static let attributes = table(
        nocs, fabrics, supportedFabrics, commissionedFabrics, trustedRootCertificates,
        currentFabricIndex)
    package static let commands = table(
        AttestationRequest.self, CertificateChainRequest.self, CSRRequest.self, AddNOC.self,
        UpdateNOC.self, UpdateFabricLabel.self, RemoveFabric.self, AddTrustedRootCertificate.self)
}

extension OperationalCredentials {
    /// Core §11.18.6.1
    package struct AttestationRequest: Command, Equatable {
        package static let cluster = OperationalCredentials.id
        package static let id = CommandID(0x00)
        package static let name: StaticString = "attestation-request"
        package typealias Response = AttestationResponse

        package var attestationNonce = FixedBytes<32>()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "attestationNonce", &attestationNonce)
        }
    }

    /// Core §11.18.6.2
    package struct AttestationResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x01)

        package var attestationElements = Octets()
        package var attestationSignature = FixedBytes<64>()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "attestationElements", &attestationElements)
            try field(1, "attestationSignature", &attestationSignature)
        }
    }

    /// Core §11.18.6.3
    package struct CertificateChainRequest: Command, Equatable {
        package static let cluster = OperationalCredentials.id
        package static let id = CommandID(0x02)
        package static let name: StaticString = "certificate-chain-request"
        package typealias Response = CertificateChainResponse

        package var certificateType = OpenEnum(CertificateChainType.dacCertificate)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "certificateType", &certificateType)
        }
    }

    /// Core §11.18.6.4. DER, at most 600 octets.
    package struct CertificateChainResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x03)

        package var certificate = Octets()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "certificate", &certificate)
        }
    }

    /// Core §11.18.6.5
    package struct CSRRequest: Command, Equatable {
        package static let cluster = OperationalCredentials.id
        package static let id = CommandID(0x04)
        package static let name: StaticString = "csr-request"
        package typealias Response = CSRResponse

        package var csrNonce = FixedBytes<32>()
        package var isForUpdateNOC: Bool?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "CSRNonce", &csrNonce)
            try field(1, "isForUpdateNOC", &isForUpdateNOC)
        }
    }

    /// Core §11.18.6.6
    package struct CSRResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x05)

        package var nocsrElements = Octets()
        package var attestationSignature = FixedBytes<64>()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "NOCSRElements", &nocsrElements)
            try field(1, "attestationSignature", &attestationSignature)
        }
    }

    /// Core §11.18.6.8. Certificates in the Matter encoding; the IPK is the epoch key, 16 octets;
    /// the subject is a node id or a CAT.
    package struct AddNOC: Command, Equatable {
        package static let cluster = OperationalCredentials.id
        package static let id = CommandID(0x06)
        package static let name: StaticString = "add-noc"
        package typealias Response = NOCResponse

        package var nocValue = Octets()
        package var icacValue: Octets?
        package var ipkValue = Secret.empty
        package var caseAdminSubject = NodeID(0)
        package var adminVendorId = VendorID(0)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "NOCValue", &nocValue)
            try field(1, "ICACValue", &icacValue)
            try field(2, "IPKValue", &ipkValue)
            try field(3, "caseAdminSubject", &caseAdminSubject)
            try field(4, "adminVendorId", &adminVendorId)
        }
    }

    /// Core §11.18.6.9
    package struct UpdateNOC: Command, Equatable {
        package static let cluster = OperationalCredentials.id
        package static let id = CommandID(0x07)
        package static let name: StaticString = "update-noc"
        package typealias Response = NOCResponse

        package var nocValue = Octets()
        package var icacValue: Octets?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "NOCValue", &nocValue)
            try field(1, "ICACValue", &icacValue)
        }
    }

    /// Core §11.18.6.10
    package struct NOCResponse: ResponseCommand, Equatable {
        package static let id = CommandID(0x08)

        package var statusCode = OpenEnum(NodeOperationalCertStatus.ok)
        package var fabricIndex: FabricIndex?
        package var debugText: String?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "statusCode", &statusCode)
            try field(1, "fabricIndex", &fabricIndex)
            try field(2, "debugText", &debugText)
        }
    }

    /// Core §11.18.6.11. At most 32 octets.
    package struct UpdateFabricLabel: Command, Equatable {
        package static let cluster = OperationalCredentials.id
        package static let id = CommandID(0x09)
        package static let name: StaticString = "update-fabric-label"
        package static let isRepeatable = true
        package typealias Response = NOCResponse

        package var label = ""

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "label", &label)
        }
    }

    /// Core §11.18.6.12
    package struct RemoveFabric: Command, Equatable {
        package static let cluster = OperationalCredentials.id
        package static let id = CommandID(0x0A)
        package static let name: StaticString = "remove-fabric"
        package static let isRepeatable = true
        package typealias Response = NOCResponse

        package var fabricIndex = FabricIndex(0)

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §11.18.6.13. In the Matter encoding.
    package struct AddTrustedRootCertificate: Command, Equatable {
        package static let cluster = OperationalCredentials.id
        package static let id = CommandID(0x0B)
        package static let name: StaticString = "add-trusted-root-certificate"

        package var rootCACertificate = Octets()

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "rootCACertificate", &rootCACertificate)
        }
    }
}

extension OperationalCredentials {
    /// Core §11.18.4.4
    package struct NOCStruct: TLVStructure, Hashable, Sendable {
        package var noc = Octets()
        package var icac: Nullable<Octets> = .null
        package var vvsc: Octets?
        package var fabricIndex: FabricIndex?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(1, "noc", &noc)
            try field(2, "icac", &icac)
            try field(3, "vvsc", &vvsc)
            try field(254, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §11.18.4.5. The key is uncompressed, 65 octets.
    package struct FabricDescriptorStruct: TLVStructure, Hashable, Sendable {
        package var rootPublicKey = FixedBytes<65>()
        package var vendorID = VendorID(0)
        package var fabricID = FabricID(0)
        package var nodeID = NodeID(0)
        package var label = ""
        package var vidVerificationStatement: Octets?
        package var fabricIndex: FabricIndex?

        package init() {}

        package mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(1, "rootPublicKey", &rootPublicKey)
            try field(2, "vendorID", &vendorID)
            try field(3, "fabricID", &fabricID)
            try field(4, "nodeID", &nodeID)
            try field(5, "label", &label)
            try field(6, "VIDVerificationStatement", &vidVerificationStatement)
            try field(254, "fabricIndex", &fabricIndex)
        }
    }

    /// Core §11.18.4.2
    package enum CertificateChainType: UInt8, NamedNumber {
        case dacCertificate = 1
        case paiCertificate = 2
    }

    /// Core §11.18.4.3
    package enum NodeOperationalCertStatus: UInt8, NamedNumber {
        case ok = 0
        case invalidPublicKey = 1
        case invalidNodeOpID = 2
        case invalidNOC = 3
        case missingCSR = 4
        case tableFull = 5
        case invalidAdminSubject = 6
        case fabricConflict = 9
        case labelConflict = 10
        case invalidFabricIndex = 11
    }
}

internal import Base
internal import Crypto
package import Matter

/// The fabrics of a node: who may join, who is there, who leaves. Core §11.18.
package struct FabricTable: Sendable {
    typealias Status = OperationalCredentials.NodeOperationalCertStatus

    package private(set) var fabrics: [NodeFabric]
    /// Where the search for the next index starts; a new fabric gets none that was just freed.
    private(set) var nextIndex: FabricIndex

    init(fabrics: [NodeFabric] = [], nextIndex: FabricIndex = FabricIndex(1)) {
        self.fabrics = fabrics
        self.nextIndex = nextIndex
    }

    package subscript(index: FabricIndex?) -> NodeFabric? {
        fabrics.first { $0.index == index }
    }

    package var isEmpty: Bool { fabrics.isEmpty }

    /// What AddNOC brings. Core §11.18.6.8.
    struct Candidate {
        let root: [UInt8]
        let noc: [UInt8]
        let icac: [UInt8]?
        let key: P256.PrivateKey
        let epochKey: Secret
        let adminSubject: NodeID
        let vendorID: VendorID
    }

    /// Why a fabric or a certificate is not taken.
    struct Refused: Error, Equatable {
        let status: Status
        init(_ status: Status) { self.status = status }
    }

    /// - Returns: the index of the new fabric.
    mutating func add(
        _ candidate: Candidate, at now: MatterTime
    ) throws(Refused) -> FabricIndex {
        let root = try Self.certificate(candidate.root)
        let identity = try Self.identity(
            noc: candidate.noc, icac: candidate.icac, root: root, key: candidate.key, at: now)
        guard Self.isAdministrator(candidate.adminSubject) else {
            throw Refused(.invalidAdminSubject)
        }
        let isKnown = fabrics.contains {
            $0.fabricID == identity.fabricID && $0.root.publicKey == root.publicKey
        }
        guard !isKnown else { throw Refused(.fabricConflict) }
        guard fabrics.count < Limits.fabrics else { throw Refused(.tableFull) }
        let index = freeIndex()
        fabrics.append(
            try Self.fabric(
                index: index, candidate.vendorID, label: "", root: candidate.root,
                noc: candidate.noc, icac: candidate.icac, candidate.key, candidate.epochKey))
        nextIndex = FabricIndex(index.rawValue % 254 + 1)
        return index
    }

    /// Core §11.18.6.9: a new certificate of the same fabric, with a new key.
    /// - Returns: the fabric as it was.
    mutating func update(
        _ index: FabricIndex, noc: [UInt8], icac: [UInt8]?, key: P256.PrivateKey,
        at now: MatterTime
    ) throws(Refused) -> NodeFabric {
        guard let place = fabrics.firstIndex(where: { $0.index == index }) else {
            throw Refused(.invalidFabricIndex)
        }
        let before = fabrics[place]
        let identity = try Self.identity(
            noc: noc, icac: icac, root: before.root, key: key, at: now)
        guard identity.fabricID == before.fabricID else { throw Refused(.invalidNOC) }
        fabrics[place] = try Self.fabric(
            index: index, before.vendorID, label: before.label, root: before.rootTLV, noc: noc,
            icac: icac, key, before.epochKey)
        return before
    }

    /// Puts a fabric back as it was.
    mutating func restore(_ fabric: NodeFabric) {
        guard let place = fabrics.firstIndex(where: { $0.index == fabric.index }) else { return }
        fabrics[place] = fabric
    }

    /// - Returns: false when there is no such fabric.
    mutating func remove(_ index: FabricIndex) -> Bool {
        let count = fabrics.count
        fabrics.removeAll { $0.index == index }
        return fabrics.count < count
    }

    /// Core §11.18.6.11.
    mutating func label(_ index: FabricIndex, _ label: String) throws(Refused) {
        guard let place = fabrics.firstIndex(where: { $0.index == index }) else {
            throw Refused(.invalidFabricIndex)
        }
        let isTaken =
            !label.isEmpty
            && fabrics.contains {
                $0.index != index && $0.label == label
            }
        guard !isTaken else { throw Refused(.labelConflict) }
        fabrics[place].label = label
    }

    mutating func rekey(_ index: FabricIndex, _ epochKey: Secret) {
        guard let fabric = self[index] else { return }
        restore(fabric.rekeyed(epochKey))
    }

    private func freeIndex() -> FabricIndex {
        var index = nextIndex
        while self[index] != nil { index = FabricIndex(index.rawValue % 254 + 1) }
        return index
    }

    private static func certificate(_ octets: [UInt8]) throws(Refused) -> MatterCertificate {
        do throws(CertificateError) { return try MatterCertificate(tlv: octets.span) } catch {
            throw Refused(.invalidNOC)
        }
    }

    private static func identity(
        noc: [UInt8], icac: [UInt8]?, root: MatterCertificate, key: P256.PrivateKey,
        at now: MatterTime
    ) throws(Refused) -> OperationalIdentity {
        guard noc.count <= Limits.certificate, (icac?.count ?? 0) <= Limits.certificate else {
            throw Refused(.invalidNOC)
        }
        let node = try certificate(noc)
        var intermediate: MatterCertificate?
        if let icac { intermediate = try certificate(icac) }
        let identity: OperationalIdentity
        do throws(CertificateError) {
            identity = try CertificateChain.verify(
                noc: node, icac: intermediate, root: root, at: now)
        } catch { throw Refused(.invalidNOC) }
        guard identity.publicKey == key.publicKey else { throw Refused(.invalidPublicKey) }
        return identity
    }

    private static func fabric(
        index: FabricIndex, _ vendorID: VendorID, label: String, root: [UInt8], noc: [UInt8],
        icac: [UInt8]?, _ key: P256.PrivateKey, _ epochKey: Secret
    ) throws(Refused) -> NodeFabric {
        do throws(CertificateError) {
            return try NodeFabric(
                index: index, vendorID: vendorID, label: label, root: root, noc: noc, icac: icac,
                key: key, epochKey: epochKey)
        } catch { throw Refused(.invalidNOC) }
    }

    /// A node, or a tag with a version. Core §11.18.6.8.4.
    private static func isAdministrator(_ subject: NodeID) -> Bool {
        if subject.isOperational { return true }
        let tag = CASEAuthenticatedTag(UInt32(truncatingIfNeeded: subject.rawValue))
        return tag.subject == subject && tag.isValid
    }
}

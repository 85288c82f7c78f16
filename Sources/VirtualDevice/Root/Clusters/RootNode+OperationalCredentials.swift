internal import Base
internal import Crypto
internal import Matter

/// Core §11.18: attestation, certificates, fabrics.
extension RootNode {
    private typealias Cluster = OperationalCredentials

    mutating func operationalCredentials(
        _ invocation: CommandInvocation, _ session: NodeSession, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        switch invocation.command {
        case Cluster.AttestationRequest.id: return try attest(invocation, session)
        case Cluster.CertificateChainRequest.id: return try certificate(invocation)
        case Cluster.CSRRequest.id: return try request(invocation, session)
        case Cluster.AddTrustedRootCertificate.id: return try addRoot(invocation, at: now)
        case Cluster.AddNOC.id: return try addNOC(invocation, at: now)
        case Cluster.UpdateNOC.id: return try updateNOC(invocation, at: now)
        case Cluster.UpdateFabricLabel.id: return try label(invocation)
        case Cluster.RemoveFabric.id: return try remove(invocation, at: now)
        default: throw RootRefusal(.unsupportedCommand)
        }
    }

    private func attest(
        _ invocation: CommandInvocation, _ session: NodeSession
    ) throws(RootRefusal) -> InvocationAnswer {
        let command = try invocation.decoded(as: Cluster.AttestationRequest.self)
        let signed = attestation.attest(
            command.attestationNonce, challenge: session.attestationChallenge)
        return .response(
            Cluster.AttestationResponse {
                $0.attestationElements = Octets(signed.elements)
                $0.attestationSignature = signed.signature
            })
    }

    private func certificate(_ invocation: CommandInvocation) throws(RootRefusal)
        -> InvocationAnswer
    {
        let command = try invocation.decoded(as: Cluster.CertificateChainRequest.self)
        let certificate =
            switch command.certificateType.known {
            case .dacCertificate: attestation.dac
            case .paiCertificate: attestation.pai
            case nil: throw RootRefusal(.invalidCommand)
            }
        return .response(
            Cluster.CertificateChainResponse { $0.certificate = Octets(certificate) })
    }

    /// The fail-safe of whoever asks. Core §11.18.6: without it nothing is changed.
    private func requireFailSafe(_ accessor: Accessor) throws(RootRefusal) -> FailSafe {
        guard let failSafe, failSafe.fabricIndex == accessor.fabricIndex else {
            throw RootRefusal(.failsafeRequired)
        }
        return failSafe
    }

    /// Core §11.18.6.5.
    private mutating func request(
        _ invocation: CommandInvocation, _ session: NodeSession
    ) throws(RootRefusal) -> InvocationAnswer {
        let command = try invocation.decoded(as: Cluster.CSRRequest.self)
        let failSafe = try requireFailSafe(invocation.accessor)
        let isForUpdateNOC = command.isForUpdateNOC ?? false
        if isForUpdateNOC, invocation.accessor.subject == .pase {
            throw RootRefusal(.invalidCommand)
        }
        guard failSafe.change == nil else { throw RootRefusal(.constraintError) }
        var source = random
        let key = P256.PrivateKey.generate(using: &source)
        self.failSafe?.operationalKey = FailSafe.OperationalKey(
            key: key, isForUpdateNOC: isForUpdateNOC)
        let signed = attestation.request(
            for: key, command.csrNonce, challenge: session.attestationChallenge)
        return .response(
            Cluster.CSRResponse {
                $0.nocsrElements = Octets(signed.elements)
                $0.attestationSignature = signed.signature
            })
    }

    /// Core §11.18.6.13.
    private mutating func addRoot(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        let command = try invocation.decoded(as: Cluster.AddTrustedRootCertificate.self)
        let failSafe = try requireFailSafe(invocation.accessor)
        guard failSafe.root == nil, failSafe.change == nil else {
            throw RootRefusal(.constraintError)
        }
        let octets = command.rootCACertificate.bytes
        guard octets.count <= Limits.certificate,
            let root = try? MatterCertificate(tlv: octets.span),
            (try? CertificateChain.verify(root: root, at: clock.certificateTime(at: now))) != nil
        else { throw RootRefusal(.invalidCommand) }
        self.failSafe?.root = octets
        return .success
    }

    /// Core §11.18.6.8.
    private mutating func addNOC(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        let command = try invocation.decoded(as: Cluster.AddNOC.self)
        let failSafe = try requireFailSafe(invocation.accessor)
        guard failSafe.change == nil else { throw RootRefusal(.constraintError) }
        guard command.ipkValue.count == 16 else { throw RootRefusal(.invalidCommand) }
        guard let root = failSafe.root else { return Self.answer(.invalidNOC) }
        guard let made = failSafe.operationalKey else { return Self.answer(.missingCSR) }
        guard !made.isForUpdateNOC else { throw RootRefusal(.constraintError) }
        let candidate = FabricTable.Candidate(
            root: root, noc: command.nocValue.bytes, icac: command.icacValue?.bytes,
            key: made.key, epochKey: command.ipkValue, adminSubject: command.caseAdminSubject,
            vendorID: command.adminVendorId)
        let index: FabricIndex
        do throws(FabricTable.Refused) {
            index = try fabrics.add(candidate, at: clock.certificateTime(at: now))
        } catch { return Self.answer(error.status) }
        self.failSafe?.change = .added(index)
        self.failSafe?.fabricIndex = index
        let entry = AccessControl.AccessControlEntryStruct {
            $0.privilege = OpenEnum(.administer)
            $0.authMode = OpenEnum(.case)
            $0.subjects = .value([command.caseAdminSubject.rawValue])
            $0.fabricIndex = index
        }
        stored.acl.append(entry)
        add(.event(.accessControlEntryChanged(.added(entry, by: invocation.accessor, index))))
        if invocation.accessor.subject == .pase {
            add(.joined(invocation.accessor.session, index))
        }
        return Self.answer(.ok, index)
    }

    /// Core §11.18.6.9.
    private mutating func updateNOC(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        let command = try invocation.decoded(as: Cluster.UpdateNOC.self)
        let failSafe = try requireFailSafe(invocation.accessor)
        guard failSafe.change == nil, failSafe.root == nil else {
            throw RootRefusal(.constraintError)
        }
        guard let index = invocation.accessor.fabricIndex else {
            throw RootRefusal(.unsupportedAccess)
        }
        guard let made = failSafe.operationalKey else { return Self.answer(.missingCSR) }
        guard made.isForUpdateNOC else { throw RootRefusal(.constraintError) }
        do throws(FabricTable.Refused) {
            let before = try fabrics.update(
                index, noc: command.nocValue.bytes, icac: command.icacValue?.bytes,
                key: made.key, at: clock.certificateTime(at: now))
            self.failSafe?.change = .updated(before)
        } catch { return Self.answer(error.status) }
        // Sessions made with the old identity may go on; new ones need the new one.
        stored.resumptions.removeAll { $0.fabricIndex == index }
        return Self.answer(.ok, index)
    }

    private mutating func label(_ invocation: CommandInvocation) throws(RootRefusal)
        -> InvocationAnswer
    {
        let command = try invocation.decoded(as: Cluster.UpdateFabricLabel.self)
        guard command.label.utf8.count <= Limits.label else { throw RootRefusal(.constraintError) }
        guard let index = invocation.accessor.fabricIndex else {
            throw RootRefusal(.unsupportedAccess)
        }
        do throws(FabricTable.Refused) { try fabrics.label(index, command.label) } catch {
            return Self.answer(error.status)
        }
        return Self.answer(.ok, index)
    }

    /// Core §11.18.6.12.
    private mutating func remove(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        let command = try invocation.decoded(as: Cluster.RemoveFabric.self)
        guard fabrics[command.fabricIndex] != nil else {
            return Self.answer(.invalidFabricIndex)
        }
        if case .added(command.fabricIndex)? = failSafe?.change { failSafe?.change = nil }
        add(.event(.leave(command.fabricIndex)))
        drop(command.fabricIndex)
        if fabrics.isEmpty {
            // As it came from the factory, but that it keeps its networks: nobody could reach
            // a virtual device in a box.
            failSafe = nil
            openWindow(by: nil, for: Limits.announcement, at: now)
        }
        return Self.answer(.ok, command.fabricIndex)
    }

    /// Forgets a fabric and all that belongs to it.
    mutating func drop(_ index: FabricIndex) {
        guard fabrics.remove(index) else { return }
        stored.remove(index)
        window.removed(index)
        add(.removed(index))
        add(.note(.left(index)))
    }

    private static func answer(
        _ status: OperationalCredentials.NodeOperationalCertStatus, _ index: FabricIndex? = nil
    ) -> InvocationAnswer {
        .response(
            OperationalCredentials.NOCResponse {
                $0.statusCode = OpenEnum(status)
                $0.fabricIndex = index
            })
    }
}

internal import Base
internal import Crypto
package import Matter
package import MatterNode

/// A fabric in the device's table.
package struct DeviceFabric: Sendable {
    package let index: FabricIndex
    package let credentials: CASECredentials
    package let nodeID: NodeID
    let root: MatterCertificate
    /// Until CommissioningComplete the end of the fail-safe removes it.
    package internal(set) var isPending = true
    package internal(set) var label = ""
    let name: OperationalName

    init(
        index: FabricIndex, identity: OperationalIdentity, root: MatterCertificate,
        noc: [UInt8], key: P256.PrivateKey, epochKey: Secret
    ) {
        let compressed = FabricKeys.compressedFabricID(
            root: root.publicKey, fabricID: identity.fabricID)
        self.index = index
        self.root = root
        nodeID = identity.nodeID
        credentials = CASECredentials(
            fabricIndex: index, fabricID: identity.fabricID, nodeID: identity.nodeID,
            root: root, noc: noc, privateKey: key,
            ipk: FabricKeys.operationalKey(
                epochKey: epochKey, compressedFabricID: compressed))
        name = OperationalName(compressedFabricID: compressed, nodeID: identity.nodeID)
    }

    var descriptor: OperationalCredentials.FabricDescriptorStruct {
        OperationalCredentials.FabricDescriptorStruct {
            $0.rootPublicKey = root.publicKey.bytes
            $0.fabricID = credentials.fabricID
            $0.nodeID = nodeID
            $0.label = label
            $0.fabricIndex = index
        }
    }
}

/// What is done under the fail-safe and goes with it.
struct DeviceFailSafe {
    let firstArmed: Instant
    var end: Instant
    var timer: TimerID
    var operationalKey: P256.PrivateKey?
    var root: MatterCertificate?
}

/// The commands of commissioning, as a device carries them out.
extension ScriptedDevice {
    func carryOut(
        _ path: CommandPath, _ fields: EncodedElement, _ session: SessionHandle
    ) -> CommandAnswer {
        guard let asking = sessions[session] else { return .status(.failure) }
        do throws(TLVError) {
            switch DeviceRequest.command(path.cluster, path.command) {
            case .invoke(GeneralCommissioning.ArmFailSafe.self):
                return arm(try fields.decoded())
            case .invoke(GeneralCommissioning.SetRegulatoryConfig.self):
                let command: GeneralCommissioning.SetRegulatoryConfig = try fields.decoded()
                put(GeneralCommissioning.regulatoryConfig, command.newRegulatoryConfig)
                return .response(GeneralCommissioning.SetRegulatoryConfigResponse())
            case .invoke(GeneralCommissioning.CommissioningComplete.self):
                return complete(asking)
            case .invoke(TimeSynchronization.SetUTCTime.self): return .status(.success)
            case .invoke(OperationalCredentials.CertificateChainRequest.self):
                return certificate(try fields.decoded())
            case .invoke(OperationalCredentials.AttestationRequest.self):
                return attest(try fields.decoded(), asking)
            case .invoke(OperationalCredentials.CSRRequest.self):
                return request(try fields.decoded(), asking)
            case .invoke(OperationalCredentials.AddTrustedRootCertificate.self):
                return addRoot(try fields.decoded())
            case .invoke(OperationalCredentials.AddNOC.self):
                return addNOC(try fields.decoded())
            case .invoke(OperationalCredentials.UpdateFabricLabel.self):
                return label(try fields.decoded(), asking)
            case .invoke(OperationalCredentials.RemoveFabric.self):
                return remove(try fields.decoded())
            case .invoke(AdministratorCommissioning.OpenCommissioningWindow.self):
                return open(try fields.decoded())
            case .invoke(AdministratorCommissioning.RevokeCommissioning.self): return revoke()
            default: return .status(.unsupportedCommand)
            }
        } catch { return .status(.invalidCommand) }
    }

    /// The response that carries a code, or a status with it.
    func refusal(of path: CommandPath, _ code: UInt8) -> CommandAnswer {
        switch DeviceRequest.command(path.cluster, path.command) {
        case .invoke(GeneralCommissioning.ArmFailSafe.self):
            return .response(
                GeneralCommissioning.ArmFailSafeResponse {
                    $0.errorCode = OpenEnum(rawValue: code)
                })
        case .invoke(GeneralCommissioning.SetRegulatoryConfig.self):
            return .response(
                GeneralCommissioning.SetRegulatoryConfigResponse {
                    $0.errorCode = OpenEnum(rawValue: code)
                })
        case .invoke(GeneralCommissioning.CommissioningComplete.self):
            return .response(
                GeneralCommissioning.CommissioningCompleteResponse {
                    $0.errorCode = OpenEnum(rawValue: code)
                })
        case .invoke(OperationalCredentials.AddNOC.self),
            .invoke(OperationalCredentials.UpdateFabricLabel.self):
            return .response(
                OperationalCredentials.NOCResponse { $0.statusCode = OpenEnum(rawValue: code) })
        default: return .status(.failure, clusterStatus: code)
        }
    }

    // MARK: The fail-safe

    private func arm(_ command: GeneralCommissioning.ArmFailSafe) -> CommandAnswer {
        armings.append(command.expiryLengthSeconds)
        guard command.expiryLengthSeconds > 0 else {
            expire()
            return .response(GeneralCommissioning.ArmFailSafeResponse())
        }
        let end = loop.now + .seconds(Int(command.expiryLengthSeconds))
        let first = failSafe?.firstArmed ?? loop.now
        guard end - first <= .seconds(Int(settings.cumulativeSeconds)) else {
            armings.removeLast()
            excessiveArmings += 1
            return .response(
                GeneralCommissioning.ArmFailSafeResponse {
                    $0.errorCode = OpenEnum(.valueOutsideRange)
                })
        }
        if let failSafe { loop.cancel(failSafe.timer) }
        let timer = loop.schedule(at: end) { [weak self] in
            self?.failSafeExpiries += 1
            self?.expire()
        }
        if failSafe == nil {
            failSafe = DeviceFailSafe(firstArmed: loop.now, end: end, timer: timer)
        } else {
            failSafe?.end = end
            failSafe?.timer = timer
        }
        return .response(GeneralCommissioning.ArmFailSafeResponse())
    }

    /// Core §11.10.7.2.2: everything goes that was done under it.
    private func expire() {
        if let failSafe { loop.cancel(failSafe.timer) }
        failSafe = nil
        for fabric in fabrics where fabric.isPending { drop(fabric.index) }
    }

    private func complete(_ session: DeviceSession) -> CommandAnswer {
        let fabric = fabrics.firstIndex { $0.index == session.fabricIndex }
        var response = GeneralCommissioning.CommissioningCompleteResponse()
        if failSafe == nil {
            response.errorCode = OpenEnum(.noFailSafe)
        } else if let fabric {
            fabrics[fabric].isPending = false
            if let failSafe { loop.cancel(failSafe.timer) }
            failSafe = nil
            closeWindow()
            for (handle, session) in sessions where session.fabricIndex == nil { forget(handle) }
        } else {
            response.errorCode = OpenEnum(.invalidAuthentication)
        }
        return .response(response)
    }

    // MARK: Credentials

    private func certificate(
        _ command: OperationalCredentials.CertificateChainRequest
    ) -> CommandAnswer {
        let attestation = DeviceAttestation.shared
        return .response(
            OperationalCredentials.CertificateChainResponse {
                $0.certificate = Octets(
                    command.certificateType == .paiCertificate ? attestation.pai : attestation.dac)
            })
    }

    private func attest(
        _ command: OperationalCredentials.AttestationRequest, _ session: DeviceSession
    ) -> CommandAnswer {
        let signed = DeviceAttestation.shared.attest(
            command.attestationNonce, challenge: session.attestationChallenge)
        return .response(
            OperationalCredentials.AttestationResponse {
                $0.attestationElements = Octets(signed.elements)
                $0.attestationSignature = signed.signature
            })
    }

    private func request(
        _ command: OperationalCredentials.CSRRequest, _ session: DeviceSession
    ) -> CommandAnswer {
        guard failSafe != nil else { return .status(.failsafeRequired) }
        var random = random
        let key = P256.PrivateKey.generate(using: &random)
        failSafe?.operationalKey = key
        let signed = DeviceAttestation.shared.request(
            for: key, command.csrNonce, challenge: session.attestationChallenge)
        return .response(
            OperationalCredentials.CSRResponse {
                $0.nocsrElements = Octets(signed.elements)
                $0.attestationSignature = signed.signature
            })
    }

    private func addRoot(
        _ command: OperationalCredentials.AddTrustedRootCertificate
    ) -> CommandAnswer {
        guard failSafe != nil else { return .status(.failsafeRequired) }
        let octets = command.rootCACertificate.bytes
        guard let root = try? MatterCertificate(tlv: octets.span) else {
            return .status(.invalidCommand)
        }
        failSafe?.root = root
        return .status(.success)
    }

    private func addNOC(_ command: OperationalCredentials.AddNOC) -> CommandAnswer {
        guard let failSafe else { return .status(.failsafeRequired) }
        guard let key = failSafe.operationalKey, let root = failSafe.root,
            let noc = try? MatterCertificate(tlv: command.nocValue.bytes.span),
            let identity = try? CertificateChain.verify(
                noc: noc, icac: nil, root: root, at: Self.certificateTime),
            identity.publicKey == key.publicKey
        else {
            return .response(
                OperationalCredentials.NOCResponse { $0.statusCode = OpenEnum(.invalidNOC) })
        }
        let fabric = DeviceFabric(
            index: nextFabricIndex, identity: identity, root: root, noc: command.nocValue.bytes,
            key: key, epochKey: command.ipkValue)
        fabrics.append(fabric)
        if settings.announcesIdentity { announce(fabric) }
        return .response(
            OperationalCredentials.NOCResponse {
                $0.fabricIndex = tellsFabricIndex ? fabric.index : nil
            })
    }

    private var nextFabricIndex: FabricIndex {
        FabricIndex((fabrics.map(\.index.rawValue).max() ?? 0) + 1)
    }

    /// Is a member of the fabric from now on, as if it had been commissioned before.
    package func join(_ fabric: Fabric, as nodeID: NodeID) {
        var random = random
        let key = P256.PrivateKey.generate(using: &random)
        let noc = fabric.authority.issueNOC(
            publicKey: key.publicKey, nodeID: nodeID, using: &random)
        var member = DeviceFabric(
            index: nextFabricIndex,
            identity: OperationalIdentity(
                nodeID: nodeID, fabricID: fabric.record.fabricID, cats: [],
                publicKey: key.publicKey),
            root: fabric.authority.root, noc: noc.tlv(), key: key,
            epochKey: fabric.record.epochKey)
        member.isPending = false
        fabrics.append(member)
        if settings.announcesIdentity { announce(member) }
    }

    private func label(
        _ command: OperationalCredentials.UpdateFabricLabel, _ session: DeviceSession
    ) -> CommandAnswer {
        let index = session.fabricIndex
        let isTaken = fabrics.contains { $0.index != index && $0.label == command.label }
        if !isTaken, let ours = fabrics.firstIndex(where: { $0.index == index }) {
            fabrics[ours].label = command.label
        }
        return .response(
            OperationalCredentials.NOCResponse {
                $0.statusCode = OpenEnum(isTaken ? .labelConflict : .ok)
                $0.fabricIndex = index
            })
    }

    private func remove(_ command: OperationalCredentials.RemoveFabric) -> CommandAnswer {
        guard fabrics.contains(where: { $0.index == command.fabricIndex }) else {
            return .response(
                OperationalCredentials.NOCResponse {
                    $0.statusCode = OpenEnum(.invalidFabricIndex)
                })
        }
        drop(command.fabricIndex)
        return .response(
            OperationalCredentials.NOCResponse { $0.fabricIndex = command.fabricIndex })
    }

    private func drop(_ index: FabricIndex) {
        for fabric in fabrics where fabric.index == index {
            answerer.withdraw(operational(fabric))
        }
        fabrics.removeAll { $0.index == index }
        resumptions.removeAll { $0.fabricIndex == index }
    }

    // MARK: Names

    /// Tells that it can be commissioned; again when something in its record has changed.
    package func openWindow() { answerer.publish(commissionable) }

    package func announce(_ fabric: DeviceFabric) { answerer.publish(operational(fabric)) }

    func withdraw(_ fabric: DeviceFabric) { answerer.withdraw(operational(fabric)) }

    private func operational(_ fabric: DeviceFabric) -> MDNSService {
        .operational(fabric.name, host: answerer.host, port: Self.port)
    }

    /// Core §4.3.1.
    var commissionable: MDNSService {
        var text = CommissionableText(
            discriminator: window?.discriminator ?? settings.discriminator,
            commissioningMode: window == nil ? settings.commissioningMode : 2)
        text.vendorID = DeviceAttestation.vendorID
        text.productID = DeviceAttestation.productID
        return .commissionable(
            instance: instance, host: answerer.host, port: Self.port, text)
    }
}

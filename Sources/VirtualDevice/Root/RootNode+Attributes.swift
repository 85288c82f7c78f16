internal import Base
internal import Matter

/// The clusters of endpoint 0 and their values. Device Library §2.1  Root Node.
extension RootNode {
    /// Adds the clusters and the values that never change.
    func declare(in table: inout AttributeTable) {
        declareCommissioning(in: &table)
        declareNetwork(in: &table)
        table.add(AccessControl.self, on: .root, revision: 2, features: 1)
        table.set(AccessControl.subjectsPerAccessControlEntry, UInt16(Limits.subjects))
        table.set(AccessControl.targetsPerAccessControlEntry, UInt16(Limits.targets))
        table.set(
            AccessControl.accessControlEntriesPerFabric, UInt16(Limits.accessControlEntries))
        table.add(
            GroupKeyManagement.self, on: .root, revision: 2,
            commands: GroupKeyManagement.commands.map(\.id),
            responses: [
                GroupKeyManagement.KeySetReadResponse.id,
                GroupKeyManagement.KeySetReadAllIndicesResponse.id,
            ])
        table.set(GroupKeyManagement.groupTable, [])
        table.set(GroupKeyManagement.maxGroupsPerFabric, UInt16(Limits.groups))
        table.set(GroupKeyManagement.maxGroupKeysPerFabric, UInt16(Limits.groupKeySets))
        table.add(
            TimeSynchronization.self, on: .root, revision: 2,
            commands: [TimeSynchronization.SetUTCTime.id])
        declareBasicInformation(in: &table)
        declareDiagnostics(in: &table)
        declareDescriptor(in: &table)
    }

    private func declareCommissioning(in table: inout AttributeTable) {
        typealias General = GeneralCommissioning
        table.add(
            General.self, on: .root, revision: 2,
            commands: [
                General.ArmFailSafe.id, General.SetRegulatoryConfig.id,
                General.CommissioningComplete.id,
            ],
            responses: [
                General.ArmFailSafeResponse.id, General.SetRegulatoryConfigResponse.id,
                General.CommissioningCompleteResponse.id,
            ])
        table.set(
            General.basicCommissioningInfo,
            General.BasicCommissioningInfo {
                $0.failSafeExpiryLengthSeconds = settings.failSafeSeconds
                $0.maxCumulativeFailsafeSeconds = settings.cumulativeFailSafeSeconds
            })
        table.set(General.locationCapability, OpenEnum(.indoorOutdoor))
        table.set(General.supportsConcurrentConnection, settings.isConcurrent)
        typealias Credentials = OperationalCredentials
        table.add(
            Credentials.self, on: .root, revision: 1,
            commands: Credentials.commands.map(\.id),
            responses: [
                Credentials.AttestationResponse.id, Credentials.CertificateChainResponse.id,
                Credentials.CSRResponse.id, Credentials.NOCResponse.id,
            ])
        table.set(Credentials.supportedFabrics, UInt8(Limits.fabrics))
        // Of whoever asks; the server knows who does.
        table.set(Credentials.currentFabricIndex, FabricIndex(0))
        table.add(
            AdministratorCommissioning.self, on: .root, revision: 1,
            features: AdministratorCommissioning.Feature.basic.rawValue,
            commands: AdministratorCommissioning.commands.map(\.id))
    }

    private func declareNetwork(in table: inout AttributeTable) {
        typealias Network = NetworkCommissioning
        var commands: [CommandID] = []
        var responses: [CommandID] = []
        let feature: Network.Feature
        switch settings.network {
        case .wiFi:
            feature = .wiFiNetworkInterface
            commands = [Network.AddOrUpdateWiFiNetwork.id]
        case .thread:
            feature = .threadNetworkInterface
            commands = [Network.AddOrUpdateThreadNetwork.id]
        case .ethernet: feature = .ethernetNetworkInterface
        }
        if settings.network != .ethernet {
            commands += [
                Network.ScanNetworks.id, Network.RemoveNetwork.id, Network.ConnectNetwork.id,
                Network.ReorderNetwork.id,
            ]
            responses = [
                Network.ScanNetworksResponse.id, Network.NetworkConfigResponse.id,
                Network.ConnectNetworkResponse.id,
            ]
        }
        table.add(
            Network.self, on: .root, revision: 2, features: feature.rawValue, commands: commands,
            responses: responses)
        table.set(
            Network.maxNetworks, settings.network == .ethernet ? 1 : UInt8(Limits.networks))
        guard settings.network != .ethernet else { return }
        table.set(Network.scanMaxTimeSeconds, 10)
        table.set(Network.connectMaxTimeSeconds, 30)
        if settings.network == .wiFi {
            table.set(Network.supportedWiFiBands, [OpenEnum(.mhz2400), OpenEnum(.mhz5000)])
        } else {
            table.set(Network.supportedThreadFeatures, [.isRouterCapable, .isFullThreadDevice])
            table.set(Network.threadVersion, 4)
        }
    }

    private func declareBasicInformation(in table: inout AttributeTable) {
        typealias Basic = BasicInformation
        table.add(Basic.self, on: .root, revision: 4)
        table.set(Basic.dataModelRevision, Specification.dataModelRevision)
        table.set(Basic.vendorName, settings.vendorName)
        table.set(Basic.vendorID, settings.vendorID)
        table.set(Basic.productName, settings.productName)
        table.set(Basic.productID, settings.productID)
        table.set(Basic.hardwareVersion, 1)
        table.set(Basic.hardwareVersionString, "1")
        table.set(Basic.softwareVersion, Self.softwareVersion)
        table.set(Basic.softwareVersionString, "1.0")
        table.set(Basic.serialNumber, settings.serialNumber)
        table.set(Basic.uniqueID, stored.uniqueID)
        table.set(
            Basic.capabilityMinima,
            Basic.CapabilityMinimaStruct {
                $0.caseSessionsPerFabric = 3
                $0.subscriptionsPerFabric = UInt16(settings.interaction.subscriptionsPerFabric)
            })
        table.set(Basic.specificationVersion, Specification.version)
        table.set(Basic.maxPathsPerInvoke, UInt16(settings.interaction.pathsPerInvoke))
        table.set(Basic.configurationVersion, 1)
    }

    private func declareDiagnostics(in table: inout AttributeTable) {
        typealias Diagnostics = GeneralDiagnostics
        table.add(
            Diagnostics.self, on: .root, revision: 2, commands: [Diagnostics.TimeSnapshot.id],
            responses: [Diagnostics.TimeSnapshotResponse.id])
        let type: Diagnostics.InterfaceType =
            switch settings.network {
            case .wiFi: .wiFi
            case .thread: .thread
            case .ethernet: .ethernet
            }
        table.set(
            Diagnostics.networkInterfaces,
            [
                Diagnostics.NetworkInterface {
                    $0.name = "virtual"
                    $0.isOperational = true
                    $0.hardwareAddress = Octets([2, 0, 0, 0, 0, 1])
                    $0.type = OpenEnum(type)
                }
            ])
        table.set(Diagnostics.rebootCount, stored.rebootCount)
        table.set(Diagnostics.bootReason, OpenEnum(.powerOnReboot))
        table.set(Diagnostics.testEventTriggersEnabled, false)
    }

    private func declareDescriptor(in table: inout AttributeTable) {
        table.add(Descriptor.self, on: .root, revision: 2)
        table.set(
            Descriptor.deviceTypeList,
            [
                Descriptor.DeviceTypeStruct {
                    $0.deviceType = DeviceTypeID(0x0016)
                    $0.revision = 3
                }
            ])
        table.set(
            Descriptor.serverList,
            [
                Descriptor.id, AccessControl.id, BasicInformation.id, GeneralCommissioning.id,
                NetworkCommissioning.id, GeneralDiagnostics.id, TimeSynchronization.id,
                AdministratorCommissioning.id, OperationalCredentials.id, GroupKeyManagement.id,
            ].sorted())
        table.set(Descriptor.clientList, [])
        table.set(Descriptor.partsList, parts)
    }

    /// Brings what changes into the table.
    func publish(to table: inout AttributeTable, at now: Instant) {
        typealias General = GeneralCommissioning
        table.set(General.breadcrumb, breadcrumb)
        table.set(General.regulatoryConfig, stored.regulatoryConfig)
        typealias Credentials = OperationalCredentials
        table.set(Credentials.nocs, fabrics.fabrics.map(\.certificates))
        table.set(Credentials.fabrics, fabrics.fabrics.map(\.descriptor))
        table.set(Credentials.commissionedFabrics, UInt8(fabrics.fabrics.count))
        table.set(Credentials.trustedRootCertificates, trustedRoots)
        typealias Administrator = AdministratorCommissioning
        let administrator = window.opening?.administrator
        table.set(Administrator.windowStatus, OpenEnum(window.status))
        table.set(Administrator.adminFabricIndex, Nullable(administrator?.fabricIndex))
        table.set(Administrator.adminVendorID, Nullable(administrator?.vendorID))
        table.set(AccessControl.acl, stored.acl)
        table.set(AccessControl.extension, stored.extensions)
        table.set(GroupKeyManagement.groupKeyMap, stored.groupKeyMap)
        table.set(BasicInformation.nodeLabel, stored.nodeLabel)
        table.set(BasicInformation.location, stored.location)
        publishNetwork(to: &table)
        let seconds = UInt64(max(0, (now - started).nanoseconds) / 1_000_000_000)
        table.set(GeneralDiagnostics.upTime, seconds, isReported: false)
        table.set(
            TimeSynchronization.utcTime, Nullable(clock.microseconds(at: now)), isReported: false)
        table.set(TimeSynchronization.granularity, clock.granularity)
    }

    private func publishNetwork(to table: inout AttributeTable) {
        typealias Network = NetworkCommissioning
        table.set(Network.networks, networks.infos)
        table.set(Network.interfaceEnabled, isInterfaceEnabled)
        let status = lastNetworking.status.map { OpenEnum($0) }
        table.set(Network.lastNetworkingStatus, Nullable(status))
        table.set(Network.lastNetworkID, Nullable(lastNetworking.networkID))
        table.set(Network.lastConnectErrorValue, Nullable(lastNetworking.errorValue))
    }

    private var trustedRoots: [Octets] {
        var roots: [Octets] = []
        for fabric in fabrics.fabrics where !roots.contains(Octets(fabric.rootTLV)) {
            roots.append(Octets(fabric.rootTLV))
        }
        if let root = failSafe?.root, !roots.contains(Octets(root)) { roots.append(Octets(root)) }
        return roots
    }

    static let softwareVersion: UInt32 = 1
}

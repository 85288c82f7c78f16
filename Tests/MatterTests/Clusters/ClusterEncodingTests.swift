import Base
import Crypto
import Matter
import TestVectors
import Testing

/// Against `chip.clusters.Objects`; the vector file names the version.
@Suite("Cluster encodings")
struct ClusterEncodingTests {
    private func check<Value: TLVCodable & Equatable>(_ value: Value, _ name: String) throws {
        let expected = InteractionVectors.cluster(name)
        let written = try value.encoded()
        #expect(hex(written) == hex(expected), "\(name)")
        let read = try Value(octets: expected)
        #expect(read == value, "\(name)")
        for count in 0..<expected.count {
            #expect(throws: TLVError.self) { try Value(octets: Array(expected.prefix(count))) }
        }
    }

    @Test("Core §11.10 General Commissioning")
    func generalCommissioning() throws {
        typealias Cluster = GeneralCommissioning
        try check(
            Cluster.ArmFailSafe {
                $0.expiryLengthSeconds = 60
                $0.breadcrumb = 1
            }, "ArmFailSafe")
        try check(
            Cluster.ArmFailSafeResponse {
                $0.errorCode = OpenEnum(.busyWithOtherAdmin)
                $0.debugText = "busy"
            }, "ArmFailSafeResponse")
        try check(
            Cluster.SetRegulatoryConfig {
                $0.newRegulatoryConfig = OpenEnum(.indoorOutdoor)
                $0.countryCode = "XX"
                $0.breadcrumb = 300
            }, "SetRegulatoryConfig")
        try check(Cluster.CommissioningComplete(), "CommissioningComplete")
    }

    @Test("Core §11.9 Network Commissioning")
    func networkCommissioning() throws {
        typealias Cluster = NetworkCommissioning
        let home = Octets(Array("home".utf8))
        let text = Array("example-only".utf8)
        let passphrase = Secret(text.span)
        try check(
            Cluster.ScanNetworks {
                $0.ssid = .null
                $0.breadcrumb = 5
            }, "ScanNetworksNull")
        try check(Cluster.ScanNetworks { $0.ssid = .value(home) }, "ScanNetworks")
        try check(
            Cluster.ScanNetworksResponse {
                $0.wiFiScanResults = [
                    Cluster.WiFiInterfaceScanResultStruct {
                        $0.security = .wpa2Personal
                        $0.ssid = home
                        $0.bssid = Octets([1, 2, 3, 4, 5, 6])
                        $0.channel = 11
                        $0.rssi = -60
                    }
                ]
            }, "ScanNetworksResponse")
        try check(
            Cluster.AddOrUpdateWiFiNetwork {
                $0.ssid = home
                $0.credentials = passphrase
                $0.breadcrumb = 7
            }, "AddOrUpdateWiFiNetwork")
        try check(
            Cluster.ConnectNetworkResponse {
                $0.networkingStatus = OpenEnum(.authFailure)
                $0.debugText = "auth"
                $0.errorValue = .value(-3)
            }, "ConnectNetworkResponse")
        try check(Cluster.ConnectNetworkResponse(), "ConnectNetworkResponseNull")
    }

    @Test("Core §11.18 Node Operational Credentials")
    func operationalCredentials() throws {
        typealias Cluster = OperationalCredentials
        let octets = (0..<16).map(UInt8.init)
        let key = Secret(octets.span)
        try check(
            Cluster.AddNOC {
                $0.nocValue = Octets([0x15, 0x18])
                $0.ipkValue = key
                $0.caseAdminSubject = NodeID(0x1122_3344_5566_7788)
                $0.adminVendorId = VendorID(0xFFF1)
            }, "AddNOC")
        try check(Cluster.NOCResponse { $0.fabricIndex = FabricIndex(1) }, "NOCResponse")
        let point = [UInt8](repeating: 4, count: 65)
        let root = FixedBytes<65>(copying: point.span)
        try check(
            [
                Cluster.FabricDescriptorStruct {
                    $0.rootPublicKey = root
                    $0.vendorID = VendorID(0xFFF1)
                    $0.fabricID = FabricID(1)
                    $0.nodeID = NodeID(2)
                    $0.label = "home"
                    $0.fabricIndex = FabricIndex(1)
                }
            ], "Fabrics")
    }

    @Test("Core §11.17, §11.19: time and windows")
    func administration() throws {
        let octets = [UInt8](repeating: 0, count: 97)
        let verifier = Secret(octets.span)
        try check(
            AdministratorCommissioning.OpenCommissioningWindow {
                $0.commissioningTimeout = 180
                $0.pakePasscodeVerifier = verifier
                $0.discriminator = 3_840
                $0.iterations = 1_000
                $0.salt = Octets([UInt8](repeating: 0, count: 16))
            }, "OpenCommissioningWindow")
        try check(
            TimeSynchronization.SetUTCTime {
                $0.utcTime = 800_000_000_000_000
                $0.granularity = OpenEnum(.secondsGranularity)
                $0.timeSource = OpenEnum(.admin)
            }, "SetUTCTime")
        try check(
            TimeSynchronization.SetTimeZone {
                $0.timeZone = [
                    TimeSynchronization.TimeZoneStruct {
                        $0.offset = -3_600
                        $0.name = "x"
                    }
                ]
            }, "SetTimeZone")
    }

    @Test("Core §9.5, §9.10: descriptors and access control entries")
    func systemModel() throws {
        try check(
            [
                Descriptor.DeviceTypeStruct {
                    $0.deviceType = DeviceTypeID(0x16)
                    $0.revision = 3
                }
            ], "DeviceTypeList")
        try check(
            AccessControl.AccessControlEntryStruct {
                $0.privilege = OpenEnum(.administer)
                $0.authMode = OpenEnum(.case)
                $0.subjects = .value([1, 0xFFFF_FFFD_0001_0001])
                $0.fabricIndex = FabricIndex(1)
            }, "ACE")
        try check(
            AccessControl.AccessControlEntryStruct {
                $0.privilege = OpenEnum(.operate)
                $0.authMode = OpenEnum(.case)
                $0.targets = .value([
                    AccessControl.AccessControlTargetStruct { $0.cluster = .value(OnOff.id) }
                ])
                $0.fabricIndex = FabricIndex(2)
            }, "ACE2")
    }

    @Test("Application Clusters §1.5, §2.3: lights and temperatures")
    func application() throws {
        try check(
            OnOff.OnWithTimedOff {
                $0.onOffControl = .acceptOnlyWhenOn
                $0.onTime = 300
            }, "OnWithTimedOff")
        try check(Nullable<Int16>.value(2_150), "MeasuredValue")
        try check(Nullable<Int16>.null, "MeasuredNull")
        try check(Nullable<OpenEnum<OnOff.StartUpOnOff>>.value(OpenEnum(.on)), "StartUpOnOff")
    }

    @Test("Application Clusters §1.6, §3.2, §4.3, §4.4: levels, colours, heating, fans")
    func actuators() throws {
        try check(
            LevelControl.MoveToLevelWithOnOff {
                $0.level = 127
                $0.transitionTime = .value(10)
                $0.optionsMask = 1
                $0.optionsOverride = 1
            }, "MoveToLevelWithOnOff")
        try check(LevelControl.MoveToLevel { $0.level = 254 }, "MoveToLevelNull")
        try check(
            ColorControl.MoveToColorTemperature { $0.colorTemperatureMireds = 370 },
            "MoveToColorTemperature")
        try check(
            Thermostat.SetpointRaiseLower {
                $0.mode = OpenEnum(.heat)
                $0.amount = -5
            }, "SetpointRaiseLower")
        try check(Thermostat.SetActivePresetRequest(), "SetActivePresetRequest")
        try check(
            FanControl.Step {
                $0.direction = OpenEnum(.decrease)
                $0.wrap = true
            }, "FanStep")
        try check(OpenEnum(FanControl.FanMode.auto), "FanMode")
    }

    @Test("Core §11.7, §11.12, Application Clusters §2.12: what a node tells of itself")
    func diagnostics() throws {
        try check([OpenEnum(PowerSource.BatFault.underTemp)], "ActiveBatFaults")
        try check(
            GeneralDiagnostics.TimeSnapshotResponse { $0.systemTimeMs = 86_400_000 },
            "TimeSnapshotResponse")
        try check(
            [
                GeneralDiagnostics.NetworkInterface {
                    $0.name = "wlan0"
                    $0.isOperational = true
                    $0.hardwareAddress = Octets([0, 1, 2, 3, 4, 5])
                    $0.ipv4Addresses = [Octets([192, 0, 2, 1])]
                    $0.type = OpenEnum(.wiFi)
                }
            ], "NetworkInterfaces")
        try check(
            Nullable.value(
                ElectricalEnergyMeasurement.EnergyMeasurementStruct {
                    $0.energy = 1_234_567
                    $0.endTimestamp = 800_000_000
                }), "CumulativeEnergyImported")
    }
}

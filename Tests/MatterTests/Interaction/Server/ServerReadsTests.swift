import Base
import Testing

@testable import Matter

@Suite("InteractionServer: reads")
struct ServerReadsTests {
    private let light = ServerBench.light

    @Test("§8.4.3 wildcards stand for what is there, by endpoint, cluster and attribute")
    func wildcards() throws {
        let bench = ServerBench()
        let all = try bench.read([AttributePath()]).reports.all
        let ids = all.map { [UInt32($0.path.endpoint.rawValue), $0.path.cluster.rawValue] }
        #expect(ids == ids.sorted { $0.lexicographicallyPrecedes($1) })
        let paths = all.map(\.path)
        #expect(Set(paths).count == paths.count)
        #expect(
            Set(paths.map(\.cluster))
                == [
                    Descriptor.id, AccessControl.id, BasicInformation.id,
                    AdministratorCommissioning.id, GeneralCommissioning.id,
                    OperationalCredentials.id, OnOff.id, Identify.id,
                ])
        let revisions = AttributePath(attribute: OnOff.clusterRevision.id)
        #expect(try bench.read([revisions]).reports.all.count == 9)
        let lamp = try bench.read([AttributePath(endpoint: light, cluster: OnOff.id)])
        #expect(
            lamp.reports.all.map(\.path.attribute.rawValue)
                == [0x0000, 0x4001, 0x4003, 0xFFF8, 0xFFF9, 0xFFFB, 0xFFFC, 0xFFFD])
        let listed = try lamp.reports.value(OnOff.attributeList, light)
        #expect(listed == lamp.reports.all.map(\.path.attribute))
        let accepted = try lamp.reports.value(OnOff.acceptedCommandList, light)
        #expect(accepted == [CommandID(0), CommandID(1), CommandID(2)])
        #expect(try lamp.reports.value(OnOff.featureMap, light) == 1)
        #expect(try bench.read([AttributePath(cluster: DoorLock.id)]).reports.all.isEmpty)
    }

    @Test("§8.4.3.2 a path without wildcards that gives nothing says why")
    func statuses() throws {
        let bench = ServerBench()
        func status(
            _ endpoint: UInt16, _ cluster: ClusterID, _ attribute: UInt32,
            from accessor: Accessor = .administrator
        ) throws -> InteractionStatus? {
            try bench.status(
                of: AttributePath(
                    endpoint: EndpointID(endpoint), cluster: cluster,
                    attribute: AttributeID(attribute)),
                from: accessor)
        }
        #expect(try status(1, OnOff.id, 0) == nil)
        #expect(try status(9, OnOff.id, 0) == .unsupportedEndpoint)
        #expect(try status(0, OnOff.id, 0) == .unsupportedCluster)
        #expect(try status(1, OnOff.id, 0x4002) == .unsupportedAttribute)
        #expect(try status(9, OnOff.id, 0, from: .stranger) == .unsupportedAccess)
        #expect(try status(0, OnOff.id, 0, from: .anOperator) == .unsupportedAccess)
        #expect(try status(1, OnOff.id, 0x4002, from: .anOperator) == .unsupportedAttribute)
        #expect(try status(1, OnOff.id, 0, from: .viewer) == nil)
        #expect(try status(0, BasicInformation.id, 1, from: .viewer) == .unsupportedAccess)
    }

    @Test("§9.10.6 access control lists are for administrators")
    func administeredAttributes() throws {
        let bench = ServerBench()
        bench.server.access.entries.append(ServerBench.entry(.manage, 1, subjects: [10]))
        let acl = AttributePath(AccessControl.acl, endpoint: .root)
        let nocs = AttributePath(OperationalCredentials.nocs, endpoint: .root)
        #expect(try bench.status(of: acl, from: .stranger) == .unsupportedAccess)
        #expect(try bench.status(of: nocs, from: .stranger) == .unsupportedAccess)
        let seen = try bench.read([AttributePath(endpoint: .root)], from: .stranger).reports
        #expect(seen.report(AccessControl.acl.path(.root)) == nil)
        #expect(seen.report(AccessControl.subjectsPerAccessControlEntry.path(.root)) != nil)
        let light = try bench.read([AttributePath()], from: .anOperator).reports
        #expect(Set(light.all.map(\.path.endpoint)) == [self.light])
        #expect(try bench.read([AttributePath()], from: .viewer).reports == light)
    }

    @Test("§7.5.3 a fabric sees its items, and of others' no sensitive field")
    func fabrics() throws {
        let bench = ServerBench()
        let own = try #require(try bench.read(AccessControl.acl))
        #expect(own == ServerBench.accessEntries.filter { $0.fabricIndex == FabricIndex(1) })
        let other = try #require(try bench.read(AccessControl.acl, from: .otherAdministrator))
        #expect(other == ServerBench.accessEntries.filter { $0.fabricIndex == FabricIndex(2) })
        let path = OperationalCredentials.nocs.path(.root)
        let all = try bench.read([AttributePath(path)], isFabricFiltered: false).reports
        let nocs = try #require(try all.data(path)).items
        #expect(nocs.count == 2)
        #expect(nocs[0].octets.count > 550)
        #expect(nocs[1].octets == [0x15, 0x24, 254, 2, 0x18])
        let fabrics = OperationalCredentials.fabrics
        #expect(try bench.read(fabrics)?.map(\.label) == ["fabric 1"])
        #expect(
            try bench.read(fabrics, isFabricFiltered: false)?.map(\.label)
                == ["fabric 1", "fabric 2"])
        #expect(try bench.read(fabrics, from: .commissioner) == [])
        let current = OperationalCredentials.currentFabricIndex
        #expect(try bench.read(current) == FabricIndex(1))
        #expect(try bench.read(current, from: .otherAdministrator) == FabricIndex(2))
        #expect(try bench.read(current, from: .commissioner) == FabricIndex(0))
    }

    @Test("§8.4.3.2 clusters whose data the reader has are left out until they change")
    func dataVersions() throws {
        let bench = ServerBench()
        let path = AttributePath(endpoint: light)
        let first = try bench.read([path]).reports
        let version = try #require(first.report(OnOff.onOff.path(light))?.dataVersion)
        #expect(version == bench.server.attributes.dataVersion(of: OnOff.id, on: light))
        let known = DataVersionFilterIB {
            $0.path = ClusterPath {
                $0.endpoint = light
                $0.cluster = OnOff.id
            }
            $0.dataVersion = version
        }
        let second = try bench.read([path], known: [known]).reports
        #expect(second.all == first.all.filter { $0.path.cluster != OnOff.id })
        bench.server.attributes.set(OnOff.onOff, false, on: light)
        #expect(try bench.read([path], known: [known]).reports == second)
        bench.server.attributes.set(OnOff.onOff, true, on: light)
        let third = try bench.read([path], known: [known]).reports
        #expect(third.all.count == first.all.count)
        #expect(third.report(OnOff.onOff.path(light))?.dataVersion == version &+ 1)
        bench.server.attributes.set(OnOff.onTime, 9, on: light, isReported: false)
        #expect(bench.server.attributes.dataVersion(of: OnOff.id, on: light) == version &+ 1)
    }

    @Test("every size of message says the same, whatever it has to split")
    func chunks() throws {
        let whole = try ServerBench().read([AttributePath()]).reports.all
        var counts: Set<Int> = []
        // Each of the small ones, where things are split, and some of the others.
        let sizes =
            Array(Limits.smallestServerMessage...300)
            + Array(stride(from: 301, through: Limits.interactionPayload, by: 23))
        for octets in sizes {
            let bench = ServerBench(messageOctets: octets)
            let reports = try bench.read([AttributePath()]).reports
            for report in whole {
                switch reports.report(report.path)?.value {
                case .status(let status, _):
                    // One item of a list cannot be split.
                    #expect(status == .resourceExhausted && octets < 700)
                case let value: #expect(value == report.value)
                }
            }
            counts.insert(reports.all.count)
        }
        #expect(counts.contains(whole.count))
    }

    @Test("a list that no message holds arrives item by item")
    func longList() throws {
        let bench = ServerBench()
        let parts = (1...700).map { EndpointID($0) }
        bench.server.attributes.set(Descriptor.partsList, parts)
        #expect(try bench.read(Descriptor.partsList) == parts)
        let between = [
            AttributePath(Descriptor.deviceTypeList, endpoint: .root),
            AttributePath(Descriptor.partsList, endpoint: .root),
            AttributePath(OnOff.onOff, endpoint: light),
        ]
        let reports = try bench.read(between).reports
        #expect(reports.all.count == 3)
        #expect(try reports.value(Descriptor.partsList, .root) == parts)
        #expect(try reports.value(OnOff.onOff, light) == false)
    }

    @Test("a list is said as it was when its beginning was")
    func changeInBetween() throws {
        let bench = ServerBench(messageOctets: 100)
        let parts = (1...60).map { EndpointID($0) }
        bench.server.attributes.set(Descriptor.partsList, parts)
        let path = Descriptor.partsList.path(.root)
        var client = ReadClient(paths: [AttributePath(path)])
        let exchange = bench.open()
        var answers = bench.send(client.request, on: exchange, isNew: true)
        while let answer = answers.first {
            bench.server.attributes.set(Descriptor.partsList, [])
            switch try client.receive(answer.opcode, octets: answer.octets) {
            case .acknowledge(let message): answers = bench.send(message, on: exchange)
            case .done: answers = []
            }
        }
        #expect(try client.reports.value(Descriptor.partsList, .root) == parts)
    }

    @Test("§8.2.1.6 of all clusters only global attributes can be asked, and no items of lists")
    func invalidPaths() throws {
        let bench = ServerBench()
        func refusal(_ path: AttributePath) throws -> InteractionStatus {
            try bench.refusal(
                .readRequest, try ReadRequest { $0.attributeRequests = [path] }.encoded())
        }
        #expect(try refusal(AttributePath(attribute: OnOff.onOff.id)) == .invalidAction)
        var item = AttributePath(Descriptor.partsList, endpoint: .root)
        item.listIndex = .value(0)
        #expect(try refusal(item) == .invalidAction)
        #expect(try bench.refusal(.readRequest, ReadRequest().encoded()) == .invalidAction)
        let many = ReadRequest {
            $0.attributeRequests = Array(
                repeating: AttributePath(endpoint: .root), count: Limits.pathsPerRead + 1)
        }
        #expect(try bench.refusal(.readRequest, many.encoded()) == .pathsExhausted)
        let filters = ReadRequest {
            $0.attributeRequests = [AttributePath()]
            $0.dataVersionFilters = Array(
                repeating: DataVersionFilterIB(), count: Limits.dataVersionFilters + 1)
        }
        #expect(
            try bench.refusal(.readRequest, filters.encoded()) == .resourceExhausted)
    }

    @Test("what the CHIP controller asks is understood")
    func vectors() throws {
        let bench = ServerBench()
        func answer(_ opcode: InteractionOpcode, _ name: String) throws -> InteractionMessage {
            let octets = InteractionVectors.message(name)
            let answers = bench.send(opcode, octets, on: bench.open(), isNew: true)
            return try #require(answers.first)
        }
        let commissioning = try answer(.readRequest, "commissioningRead")
        let reports = try #require(
            try ReportData(octets: commissioning.octets).attributeReports)
        #expect(reports.count == 7 && reports.count { $0.attributeData != nil } == 1)
        #expect(
            reports.compactMap { $0.attributeStatus?.status.status }
                .allSatisfy { $0 == .unsupportedAttribute })
        #expect(try answer(.timedRequest, "timed") == .success)
        let acl = try answer(.writeRequest, "writeACL")
        #expect(
            try WriteResponse(octets: acl.octets).writeResponses.map(\.status.status)
                == [.success])
        for name in ["armFailSafe", "on", "toggle"] {
            let response = try answer(.invokeRequest, name)
            #expect(try InvokeResponse(octets: response.octets).invokeResponses.count == 1)
        }
        #expect(bench.invocations.map(\.command) == [OnOff.On.id, OnOff.Toggle.id])
    }

    @Test("a reader that stops in the middle, or says nothing, is forgotten")
    func abandoned() throws {
        let bench = ServerBench(messageOctets: 100)
        let client = ReadClient(paths: [AttributePath()])
        let refused = bench.open()
        bench.send(client.request, on: refused, isNew: true)
        let failure = try StatusResponse { $0.status = .failure }.encoded()
        #expect(bench.send(.statusResponse, failure, on: refused).isEmpty)
        #expect(bench.over.contains(refused))
        let silent = bench.open()
        bench.send(client.request, on: silent, isNew: true)
        #expect(bench.server.nextDeadline == bench.now + Limits.serverPatience)
        bench.advance(by: Limits.serverPatience)
        #expect(bench.over.contains(silent) && bench.server.nextDeadline == nil)
        let lost = bench.open()
        bench.send(client.request, on: lost, isNew: true)
        bench.server.lost(lost)
        #expect(bench.server.nextDeadline == nil)
        let ended = bench.open()
        bench.send(client.request, on: ended, isNew: true)
        bench.server.ended(Accessor.administrator.session)
        #expect(bench.server.nextDeadline == nil)
    }

    @Test("a server that is busy with too many says so")
    func busy() throws {
        let bench = ServerBench(messageOctets: 100)
        let client = ReadClient(paths: [AttributePath()])
        for _ in 0..<Limits.serverExchanges {
            let answers = bench.send(client.request, on: bench.open(), isNew: true)
            #expect(answers.first?.opcode == .reportData)
        }
        #expect(try bench.refusal(.readRequest, client.request.octets) == .busy)
    }
}

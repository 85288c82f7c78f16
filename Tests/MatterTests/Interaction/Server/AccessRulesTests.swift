import Base
import Testing

@testable import Matter

@Suite("AccessRules")
struct AccessRulesTests {
    private func allows(
        _ privilege: AccessControl.Privilege, _ accessor: Accessor,
        _ entries: [AccessControl.AccessControlEntryStruct] = ServerBench.accessEntries,
        endpoint: EndpointID = ServerBench.light, types: [UInt32] = []
    ) -> Bool {
        AccessRules(entries: entries).allows(
            privilege, accessor, endpoint: endpoint, cluster: OnOff.id,
            deviceTypes: types.map { DeviceTypeID($0) })
    }

    @Test("§6.6.2.2 each privilege includes those below it, and proxy view stands apart")
    func privileges() {
        let order: [AccessControl.Privilege] = [.view, .operate, .manage, .administer]
        for (granted, privilege) in order.enumerated() {
            let entries = [ServerBench.entry(privilege, 1, subjects: [112_233])]
            for (wanted, other) in order.enumerated() {
                #expect(allows(other, .administrator, entries) == (wanted <= granted))
            }
            #expect(
                allows(.proxyView, .administrator, entries) == (privilege == .administer))
        }
        let proxy = [ServerBench.entry(.proxyView, 1, subjects: [112_233])]
        #expect(allows(.view, .administrator, proxy) && allows(.proxyView, .administrator, proxy))
        #expect(!allows(.operate, .administrator, proxy))
        var unknown = proxy
        unknown[0].privilege = OpenEnum(rawValue: 9)
        #expect(!allows(.view, .administrator, unknown))
    }

    @Test("§6.6.2.1.2 a tag grants to its version and later ones, of its identifier alone")
    func tags() {
        let old = CASEAuthenticatedTag(0xABCD_0001)
        let other = CASEAuthenticatedTag(0xABCE_0009)
        for (cats, isAllowed) in [([old], false), ([other], false), ([other, old], false)] {
            let node = Accessor(
                subject: .node(NodeID(8), cats: cats), fabricIndex: FabricIndex(1),
                session: Accessor.anOperator.session)
            #expect(allows(.operate, node) == isAllowed)
        }
        #expect(allows(.operate, .anOperator))
        #expect(!allows(.manage, .anOperator) && !allows(.view, .anOperator, endpoint: .root))
    }

    @Test("an entry is for its fabric, its subjects and its targets")
    func scope() {
        #expect(allows(.view, .viewer, types: [0x0016, 0x0100]))
        #expect(!allows(.view, .viewer, types: [0x0101]))
        #expect(!allows(.view, .stranger, types: [0x0100]))
        let everyone = [ServerBench.entry(.view, 1, subjects: [])]
        #expect(allows(.view, .stranger, everyone))
        #expect(!allows(.view, .otherAdministrator, everyone))
        var group = everyone
        group[0].authMode = OpenEnum(.group)
        #expect(!allows(.view, .stranger, group))
        var nowhere = everyone
        nowhere[0].fabricIndex = nil
        #expect(!allows(.view, .stranger, nowhere))
    }

    @Test("§6.6.2.9 a commissioner administers, whatever the entries say")
    func commissioner() {
        #expect(allows(.administer, .commissioner, []))
    }
}

import Base
import Crypto
import Matter
import Testing

@testable import VirtualDevice

@Suite("NetworkTable")
struct NetworkTableTests {
    private func network(_ name: String) -> NetworkTable.Network {
        NetworkTable.Network {
            $0.id = id(name)
            $0.credentials = Secret([UInt8](name.utf8).span)
        }
    }

    private func id(_ name: String) -> Octets { Octets([UInt8](name.utf8)) }

    @Test("§11.9.7.3 a network is added at the end, and updated where it is")
    func addOrUpdate() {
        var table = NetworkTable()
        #expect(table.addOrUpdate(network("a")) == .init(index: 0))
        #expect(table.addOrUpdate(network("b")) == .init(index: 1))
        #expect(table.addOrUpdate(network("a")) == .init(index: 0))
        #expect(table.infos.map(\.networkID) == [id("a"), id("b")])
    }

    @Test("§11.9.7.3 a full table says so, and still takes an update")
    func full() {
        var table = NetworkTable()
        for name in ["a", "b", "c", "d"] { _ = table.addOrUpdate(network(name)) }
        #expect(table.addOrUpdate(network("e")) == .init(status: .boundsExceeded))
        #expect(table.addOrUpdate(network("d")) == .init(index: 3))
    }

    @Test("§11.9.7.6 a network that is removed is left too")
    func remove() {
        var table = NetworkTable([network("a"), network("b")], connected: id("a"))
        #expect(table.remove(id("x")) == .init(status: .networkIDNotFound))
        #expect(table.remove(id("a")) == .init(index: 0))
        #expect(table.connected == nil)
    }

    @Test("§11.9.7.10 networks change their order within the table")
    func reorder() {
        var table = NetworkTable([network("a"), network("b"), network("c")])
        #expect(table.reorder(id("c"), to: 0) == .init(index: 0))
        #expect(table.infos.map(\.networkID) == [id("c"), id("a"), id("b")])
        #expect(table.reorder(id("a"), to: 3) == .init(status: .outOfRange))
        #expect(table.reorder(id("x"), to: 0) == .init(status: .networkIDNotFound))
    }
}

@Suite("Surroundings")
struct SurroundingsTests {
    private func name(_ text: String) -> Octets { Octets([UInt8](text.utf8)) }

    @Test("§11.9.7.1 a scan finds what shows itself, the strongest first; a name finds the rest")
    func scan() {
        let surroundings = Surroundings()
        let all = surroundings.scan(nil)
        #expect(all.first?.ssid == name("virtual-home"))
        #expect(all.map(\.rssi) == all.map(\.rssi).sorted(by: >))
        #expect(!all.contains { $0.ssid == name("hidden") })
        #expect(surroundings.scan(name("hidden")).count == 1)
        #expect(all.contains { $0.wiFiBand == .mhz5000 })
    }

    @Test(
        "a network fails as its name says",
        arguments: [
            ("wrong-password", NetworkCommissioning.NetworkingStatus.authFailure),
            ("not-found", .networkNotFound), ("regulatory", .regulatoryError),
            ("unsupported-security", .unsupportedSecurity), ("slow", .success),
            ("virtual-guests", .success), ("somebody's own", .success),
        ])
    func connect(ssid: String, status: NetworkCommissioning.NetworkingStatus) {
        let outcome = Surroundings().connect(name(ssid), Secret(Span()))
        #expect(outcome.status == status)
        #expect(ssid != "slow" || outcome.after == .seconds(20))
    }

    @Test("a passphrase that is known must be the one")
    func passphrase() {
        var point = Surroundings.AccessPoint("locked")
        point.passphrase = Secret([1, 2, 3].span)
        var surroundings = Surroundings([point])
        surroundings.acceptsUnknown = false
        #expect(surroundings.connect(name("locked"), Secret([1, 2].span)).status == .authFailure)
        #expect(surroundings.connect(name("locked"), Secret([1, 2, 3].span)).status == .success)
        #expect(
            surroundings.connect(name("other"), Secret(Span())).status == .networkNotFound)
    }
}

@Suite("ThreadDataset")
struct ThreadDatasetTests {
    @Test("the extended PAN id is found among the entries, and a cut dataset has none")
    func extendedPANID() {
        let dataset: [UInt8] = [0, 3, 0, 0, 15, 2, 8, 1, 2, 3, 4, 5, 6, 7, 8]
        #expect(
            ThreadDataset.extendedPANID(Secret(dataset.span)) == Octets([1, 2, 3, 4, 5, 6, 7, 8]))
        for count in 0..<dataset.count {
            let cut = Array(dataset.prefix(count))
            #expect(ThreadDataset.extendedPANID(Secret(cut.span)) == nil)
        }
    }
}

import Base
import Foundation
import Testing

@testable import LinuxIO

@Suite("Interfaces")
struct InterfacesTests {
    private static func interface(
        _ name: String, _ addresses: [String],
        flags: NetworkInterface.Flags = [.up, .running, .multicast]
    ) -> NetworkInterface {
        NetworkInterface(
            name: name, index: UInt32(name.utf8.last ?? 0), flags: flags,
            addresses: addresses.compactMap { IPAddress($0) })
    }

    @Test("loopback is listed with its addresses")
    func loopback() throws {
        let all = try Interfaces.all()
        let lo = try #require(all.first { $0.name == "lo" })
        #expect(lo.flags.contains(.loopback))
        #expect(lo.addresses.contains { $0.description == "127.0.0.1" })
        #expect(!lo.isUsable)
        #expect(lo.isUp)
        #expect(try Interfaces.choose(["lo"], from: all) == [lo])
    }

    @Test("without a name, usable interfaces with a link-local address are chosen")
    func defaultChoice() throws {
        let all = [
            Self.interface("lo0", ["127.0.0.1"], flags: [.up, .running, .loopback]),
            Self.interface("eth0", ["192.0.2.1", "fe80::1%48"]),
            Self.interface("eth1", ["192.0.2.2"]),
            Self.interface("eth2", ["fe80::2"], flags: [.up, .multicast]),
            Self.interface("eth3", []),
        ]
        #expect(try Interfaces.choose([], from: all).map(\.name) == ["eth0"])
        #expect(try Interfaces.choose([], from: [all[0], all[2]]).map(\.name) == ["eth1"])
        #expect(all[1].linkLocal?.description == "fe80::1%48")
    }

    @Test("an unknown name lists what there is, and a dead one says so")
    func errors() throws {
        let all = [
            Self.interface("eth0", ["fe80::1"]),
            Self.interface("eth1", ["fe80::2"], flags: [.up]),
        ]
        let unknown = InterfaceError.unknown(name: "eht0", available: ["eth0", "eth1"])
        #expect(throws: unknown) { try Interfaces.choose(["eht0"], from: all) }
        #expect(
            unknown.description == "no network interface \"eht0\"; there are: eth0, eth1")
        #expect(throws: InterfaceError.down(name: "eth1")) {
            try Interfaces.choose(["eth1"], from: all)
        }
        #expect(throws: InterfaceError.noneUsable(available: ["eth1"])) {
            try Interfaces.choose([], from: [all[1]])
        }
        #expect(try Interfaces.choose(["eth0", "eth0"], from: all).count == 1)
    }

    @Test("the kernel's settings are read from where they are")
    func facts() throws {
        let root = TemporaryFolder()
        let folder = root.path + "/net/ipv6/conf/eth0"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        func set(_ name: String, _ value: String) throws {
            try value.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
        }
        try set("disable_ipv6", "0\n")
        try set("forwarding", "1\n")
        try set("accept_ra", "1\n")
        try set("accept_ra_rt_info_max_plen", "64\n")
        var facts = InterfaceFacts(interface: "eth0", root: root.path)
        #expect(!facts.isIPv6Disabled && facts.isForwarding)
        #expect(facts.routePrefixMaximum == 64)
        #expect(!facts.learnsThreadRoutes)
        try set("accept_ra", "2\n")
        facts = InterfaceFacts(interface: "eth0", root: root.path)
        #expect(facts.learnsThreadRoutes)
        try set("accept_ra_rt_info_max_plen", "0\n")
        #expect(!InterfaceFacts(interface: "eth0", root: root.path).learnsThreadRoutes)
        let absent = InterfaceFacts(interface: "eth9", root: root.path)
        #expect(absent.isIPv6Disabled && absent.routePrefixMaximum == nil)
    }
}

/// A folder that goes with the test.
final class TemporaryFolder {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "linuxio-" + UUID().uuidString
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

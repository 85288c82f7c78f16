package import Base
internal import Glibc

/// A network interface as it is at one moment.
package struct NetworkInterface: Equatable, Sendable {
    package let name: String
    package let index: UInt32
    package let flags: Flags
    /// IPv6 and IPv4 addresses; link-local ones carry the interface as their scope.
    package var addresses: [IPAddress]

    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let up = Flags(rawValue: UInt32(IFF_UP))
        /// The carrier is there.
        package static let running = Flags(rawValue: UInt32(IFF_RUNNING))
        package static let loopback = Flags(rawValue: UInt32(IFF_LOOPBACK))
        package static let multicast = Flags(rawValue: UInt32(IFF_MULTICAST))
    }

    /// The address that devices on this link are reached from, when it has one.
    package var linkLocal: IPAddress? { addresses.first { $0.isLinkLocalIPv6 } }

    /// Up, with carrier. Loopback counts here: who names it wants it.
    package var isUp: Bool { flags.isSuperset(of: [.up, .running]) }

    /// Fit to be chosen when nobody named an interface.
    package var isUsable: Bool {
        isUp && flags.contains(.multicast) && !flags.contains(.loopback) && !addresses.isEmpty
    }
}

/// Why no interface, or not the wanted one, can be used.
package enum InterfaceError: Error, Equatable {
    case unknown(name: String, available: [String])
    /// It exists but is down or has no carrier.
    case down(name: String)
    /// None was named, and none is up with multicast and an address.
    case noneUsable(available: [String])
    case tooMany(limit: Int)
    case system(Errno)
}

extension InterfaceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let name, let available):
            "no network interface \"\(name)\"; there are: \(InterfaceError.list(available))"
        case .down(let name):
            "network interface \(name) is down or has no carrier: check its cable or radio"
        case .noneUsable(let available):
            "no network interface is up with an address; there are: "
                + InterfaceError.list(available)
        case .tooMany(let limit):
            "more than \(limit) network interfaces: name those to use with --interface"
        case .system(let error):
            "the network interfaces cannot be listed: \(error)"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}

package enum Interfaces {
    /// All interfaces of the machine in the kernel's order.
    package static func all() throws(InterfaceError) -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        do throws(Errno) {
            try Syscall.call { unsafe getifaddrs(&first) }
        } catch {
            throw .system(error)
        }
        defer { unsafe freeifaddrs(first) }
        var interfaces: [NetworkInterface] = []
        var next = unsafe first
        while let entry = unsafe next {
            unsafe add(entry.pointee, to: &interfaces)
            unsafe next = unsafe entry.pointee.ifa_next
        }
        return interfaces
    }

    /// The interfaces to use: those named, in that order, or else all usable ones. Where some
    /// have a link-local IPv6 address, those without are left out: Matter lives on it.
    package static func choose(
        _ names: [String], from all: [NetworkInterface]
    ) throws(InterfaceError) -> [NetworkInterface] {
        var chosen: [NetworkInterface] = []
        for name in names {
            guard let interface = all.first(where: { $0.name == name }) else {
                throw .unknown(name: name, available: all.map(\.name))
            }
            guard interface.isUp else { throw .down(name: name) }
            if !chosen.contains(interface) { chosen.append(interface) }
        }
        if names.isEmpty {
            let usable = all.filter(\.isUsable)
            let linkLocal = usable.filter { $0.linkLocal != nil }
            chosen = linkLocal.isEmpty ? usable : linkLocal
        }
        guard !chosen.isEmpty else { throw .noneUsable(available: all.map(\.name)) }
        guard chosen.count <= Limits.multicastInterfaces else {
            throw .tooMany(limit: Limits.multicastInterfaces)
        }
        return chosen
    }

    /// The kernel gives an entry for each address, and one more for each device.
    private static func add(_ entry: ifaddrs, to interfaces: inout [NetworkInterface]) {
        let name = unsafe String(cString: entry.ifa_name)
        let index = unsafe if_nametoindex(name)
        // It may have gone since the list was made.
        guard index != 0 else { return }
        var place = interfaces.firstIndex { $0.index == index }
        if place == nil {
            place = interfaces.count
            let flags = NetworkInterface.Flags(rawValue: unsafe entry.ifa_flags)
            interfaces.append(
                NetworkInterface(name: name, index: index, flags: flags, addresses: []))
        }
        if let place, let address = unsafe address(of: entry, interface: index) {
            interfaces[place].addresses.append(address)
        }
    }

    private static func address(of entry: ifaddrs, interface: UInt32) -> IPAddress? {
        guard let address = unsafe entry.ifa_addr else { return nil }
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET6:
            let socketAddress = unsafe UnsafeRawPointer(address).loadUnaligned(
                as: sockaddr_in6.self)
            var octets = FixedBytes<16>()
            unsafe withUnsafeBytes(of: socketAddress.sin6_addr) { source in
                for index in 0..<16 { unsafe octets[index] = source[index] }
            }
            return IPAddress(octets, scope: interface)
        case AF_INET:
            let socketAddress = unsafe UnsafeRawPointer(address).loadUnaligned(
                as: sockaddr_in.self)
            var octets = FixedBytes<4>()
            unsafe withUnsafeBytes(of: socketAddress.sin_addr) { source in
                for index in 0..<4 { unsafe octets[index] = source[index] }
            }
            return IPAddress(ipv4: octets)
        default: return nil
        }
    }
}

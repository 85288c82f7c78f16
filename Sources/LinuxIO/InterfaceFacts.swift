/// What the kernel is set to do on one interface, as far as Matter depends on it.
package struct InterfaceFacts: Equatable, Sendable {
    /// IPv6 is switched off here or in the whole kernel.
    package var isIPv6Disabled: Bool
    /// The interface forwards, so that the kernel ignores router advertisements unless
    /// `acceptsAdvertisements` is 2.
    package var isForwarding: Bool
    /// accept_ra: 0 never, 1 unless forwarding, 2 always.
    package var acceptsAdvertisements: Int
    /// accept_ra_rt_info_max_plen: the longest prefix for which the kernel takes a route from
    /// an advertisement; 0 is none. Nil where the kernel cannot take any. Routes to Thread
    /// networks are 64 long.
    package var routePrefixMaximum: Int?

    /// - Parameter root: where the kernel's settings are, /proc/sys but in tests.
    package init(interface: String, root: String = "/proc/sys") {
        let folder = "\(root)/net/ipv6/conf/\(interface)"
        func setting(_ name: String) -> Int? {
            KernelFile.text("\(folder)/\(name)").flatMap { Int($0) }
        }
        // Without IPv6 in the kernel there is no such folder.
        isIPv6Disabled = setting("disable_ipv6") != 0
        isForwarding = setting("forwarding") ?? 0 != 0
        acceptsAdvertisements = setting("accept_ra") ?? 0
        routePrefixMaximum = setting("accept_ra_rt_info_max_plen")
    }

    /// Whether the kernel itself learns the routes to Thread networks.
    package var learnsThreadRoutes: Bool {
        let acceptsAny = isForwarding ? acceptsAdvertisements == 2 : acceptsAdvertisements > 0
        return acceptsAny && (routePrefixMaximum ?? 0) >= 64
    }
}

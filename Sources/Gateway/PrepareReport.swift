/// What must hold before a device can be commissioned, checked one by one.
package struct PrepareReport: Equatable, Sendable {
    package var checks: [Check] = []

    package struct Check: Equatable, Sendable {
        package let name: String
        package let outcome: Outcome

        package init(_ name: String, _ outcome: Outcome) {
            self.name = name
            self.outcome = outcome
        }
    }

    package enum Outcome: Equatable, Sendable {
        case ok(String)
        /// Commissioning may work all the same.
        case warning(String, remedy: String)
        /// Commissioning cannot work.
        case error(String, remedy: String)
    }

    package var errors: [Check] {
        checks.filter { if case .error = $0.outcome { true } else { false } }
    }

    package var isReady: Bool { errors.isEmpty }
}

/// What the system says of itself, for `prepare`.
package struct SystemFacts: Sendable {
    package var interfaces: [InterfaceFact] = []
    /// The plain wording of why multicast DNS cannot be used, if so.
    package var multicastProblem: String?
    package var isClockPlausible = true

    package init() {}

    package struct InterfaceFact: Equatable, Sendable {
        package let name: String
        package let hasLinkLocalIPv6: Bool
        package let isIPv6Disabled: Bool
        package let isForwarding: Bool
        /// Routes to Thread networks are learnt from router advertisements.
        package let learnsThreadRoutes: Bool

        package init(
            name: String, hasLinkLocalIPv6: Bool, isIPv6Disabled: Bool, isForwarding: Bool,
            learnsThreadRoutes: Bool
        ) {
            self.name = name
            self.hasLinkLocalIPv6 = hasLinkLocalIPv6
            self.isIPv6Disabled = isIPv6Disabled
            self.isForwarding = isForwarding
            self.learnsThreadRoutes = learnsThreadRoutes
        }
    }
}

extension PrepareReport {
    mutating func check(_ facts: SystemFacts) {
        if facts.interfaces.isEmpty {
            checks.append(
                Check(
                    "network",
                    .error(
                        "no usable network interface",
                        remedy: "connect the board to the network, or name one with --interface")))
        }
        for interface in facts.interfaces { check(interface) }
        if let problem = facts.multicastProblem {
            checks.append(
                Check(
                    "multicast DNS",
                    .error(problem, remedy: "see which program holds UDP port 5353 for itself")))
        } else {
            checks.append(Check("multicast DNS", .ok("ready")))
        }
        checks.append(
            Check(
                "clock",
                facts.isClockPlausible
                    ? .ok("plausible")
                    : .warning(
                        "the clock is wrong",
                        remedy: "set it, or let the network set it; certificates are checked "
                            + "against the date of this program until then")))
    }

    private mutating func check(_ interface: SystemFacts.InterfaceFact) {
        let name = "network \(interface.name)"
        if interface.isIPv6Disabled {
            checks.append(
                Check(
                    name,
                    .error(
                        "IPv6 is turned off, and Matter needs it",
                        remedy: "sysctl net.ipv6.conf.\(interface.name).disable_ipv6=0")))
        } else if !interface.hasLinkLocalIPv6 {
            checks.append(
                Check(
                    name,
                    .error(
                        "it has no link-local IPv6 address",
                        remedy: "take the interface down and up again, and see its configuration")))
        } else {
            checks.append(Check(name, .ok("has a link-local IPv6 address")))
        }
        if interface.isForwarding {
            checks.append(
                Check(
                    name,
                    .warning(
                        "it forwards IPv6, so the kernel ignores router advertisements",
                        remedy: "sysctl net.ipv6.conf.\(interface.name).accept_ra=2")))
        } else if !interface.learnsThreadRoutes {
            checks.append(
                Check(
                    name,
                    .warning(
                        "routes to Thread networks are not learnt",
                        remedy: "sysctl net.ipv6.conf.\(interface.name)"
                            + ".accept_ra_rt_info_max_plen=64")))
        }
    }
}

/// The networks that devices are given, as they are kept.
package struct NetworksRecord: Equatable, Sendable {
    package var networks = DeviceNetworks()
    /// Seconds since 1970 at which each was set; 0 when the clock was not plausible.
    package var wiFiSince: Int64 = 0
    package var threadSince: Int64 = 0

    package init() {}
}

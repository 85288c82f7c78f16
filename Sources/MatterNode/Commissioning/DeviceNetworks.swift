package import Matter

/// The networks that a device without one may be given.
package struct DeviceNetworks: Equatable, Sendable {
    package var wiFi: WiFiNetworkCredentials?
    package var thread: OperationalDataset?

    package init(wiFi: WiFiNetworkCredentials? = nil, thread: OperationalDataset? = nil) {
        self.wiFi = wiFi
        self.thread = thread
    }

    package var isEmpty: Bool { wiFi == nil && thread == nil }
}

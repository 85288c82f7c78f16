/// Where a device keeps what must outlast its power.
package protocol DeviceState: AnyObject, Sendable {
    /// What was saved last; nil for a device that is new.
    func load() -> [UInt8]?
    /// Replaces what was saved before, as a whole.
    func save(_ bytes: [UInt8])
}

/// Kept as long as the process lives.
package final class MemoryDeviceState: DeviceState, @unchecked Sendable {
    package private(set) var bytes: [UInt8]?
    /// How often something was saved.
    package private(set) var saves = 0

    package init(_ bytes: [UInt8]? = nil) { self.bytes = bytes }

    package func load() -> [UInt8]? { bytes }

    package func save(_ bytes: [UInt8]) {
        self.bytes = bytes
        saves += 1
    }
}

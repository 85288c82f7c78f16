internal import MatterNode

extension PrepareReport {
    /// What devices need that have no network yet; without it those on the network are added all
    /// the same.
    mutating func check(_ bluetooth: Bluetooth?, _ networks: DeviceNetworks) async {
        await checkRadio(bluetooth, isNeeded: false)
        let kinds = [
            networks.wiFi == nil ? nil : "Wi-Fi", networks.thread == nil ? nil : "Thread",
        ].compactMap(\.self)
        checks.append(
            Check(
                "networks for devices",
                kinds.isEmpty
                    ? .warning(
                        "none is set, so that only devices on the network can be added",
                        remedy: "wifi set, thread set, or scan a Wi-Fi label")
                    : .ok(kinds.joined(separator: ", "))))
    }

    /// - Parameter isNeeded: the device can be reached in no other way.
    mutating func checkRadio(_ bluetooth: Bluetooth?, isNeeded: Bool) async {
        let name = "Bluetooth"
        var problem: BluetoothError? = .noAdapter
        if let bluetooth { problem = await bluetooth.check() }
        guard let error = problem else {
            checks.append(Check(name, .ok("ready")))
            return
        }
        let explanation = Explanation(error)
        checks.append(
            Check(
                name,
                isNeeded
                    ? .error(explanation.cause, remedy: explanation.remedy)
                    : .warning(explanation.cause, remedy: explanation.remedy)))
    }
}

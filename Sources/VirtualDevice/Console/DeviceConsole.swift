internal import Matter

/// Carries out the lines of the console at a device.
package final class DeviceConsole {
    private let device: VirtualDevice
    private let link: LossyLink

    package init(_ device: VirtualDevice, link: LossyLink) {
        self.device = device
        self.link = link
    }

    package struct Reply: Equatable {
        /// Whole lines, or nothing.
        package var text = ""
        package var isEnd = false
    }

    package func take(_ line: String) -> Reply {
        do throws(DeviceCommandError) {
            guard let command = try DeviceCommand.parse(line) else { return Reply() }
            return perform(command)
        } catch { return Reply(text: "\(error.text)\n") }
    }

    private func perform(_ command: DeviceCommand) -> Reply {
        switch command {
        case .help: return Reply(text: DeviceCommand.helpText)
        case .status: return Reply(text: status)
        case .quit: return Reply(isEnd: true)
        case .drop(let percent):
            link.lostPercent = percent
            return Reply(text: percent == 0 ? "nothing is lost\n" : "\(percent)% is lost\n")
        case .plug:
            if device.isOn { return Reply(text: "it has power already\n") }
            device.start()
            return Reply()
        case .reboot:
            device.reboot()
            return Reply()
        default: break
        }
        guard device.isOn else { return Reply(text: "it has no power; plug gives it back\n") }
        return performWithPower(command)
    }

    private func performWithPower(_ command: DeviceCommand) -> Reply {
        do throws(SettingError) {
            switch command {
            case .set(let word, let value, let endpoint):
                try device.set(word, value, on: endpoint)
            case .press(let endpoint): try device.press(on: endpoint)
            case .unplug:
                device.stop()
                return Reply(text: "it has no power\n")
            case .window(let isOpen):
                if isOpen { device.openWindow() } else { device.closeWindow() }
            case .factoryReset: device.factoryReset()
            default: break
            }
            return Reply()
        } catch { return Reply(text: "\(error.text)\n") }
    }

    private var status: String {
        guard device.isOn else { return "no power\n" }
        var lines = [
            "commissioning window \(device.isWindowOpen ? "open" : "closed")",
            "fabrics \(device.fabrics.count), sessions \(device.sessionCount), "
                + "subscriptions \(device.subscriptionCount)",
        ]
        if let left = device.failSafeLeft { lines.append("fail-safe \(left.components.seconds) s") }
        if link.lostPercent > 0 { lines.append("\(link.lostPercent)% of all messages is lost") }
        for (place, type) in device.settings.types.enumerated() {
            let endpoint = EndpointID(UInt16(place + 1))
            lines.append("\(endpoint.rawValue): \(type.rawValue)\(device.state(of: endpoint))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension VirtualDevice {
    /// The values that people look for, each after a comma.
    fileprivate func state(of endpoint: EndpointID) -> String {
        var text = ""
        func add<Value>(_ attribute: Attribute<Value>, _ shown: (Value) -> String) {
            if let value = self.attribute(attribute, on: endpoint) { text += ", \(shown(value))" }
        }
        func number<Value: BinaryInteger>(
            _ attribute: Attribute<Nullable<Value>>, _ name: String
        ) {
            add(attribute) { value in
                let shown = value.value.map { number in
                    attribute.quantity?.text(Int64(number)) ?? "\(number)"
                }
                return "\(name)\(shown ?? "no value")"
            }
        }
        add(OnOff.onOff) { $0 ? "on" : "off" }
        number(LevelControl.currentLevel, "level ")
        add(ColorControl.colorTemperatureMireds) { "\(1_000_000 / max(1, Int($0))) K" }
        number(TemperatureMeasurement.measuredValue, "")
        number(RelativeHumidityMeasurement.measuredValue, "")
        add(BooleanState.stateValue) { $0 ? "closed" : "open" }
        add(OccupancySensing.occupancy) { $0 & 1 == 1 ? "occupied" : "nobody there" }
        number(Thermostat.localTemperature, "")
        number(Thermostat.outdoorTemperature, "outdoors ")
        add(Thermostat.systemMode) { "mode \($0.name)" }
        add(Thermostat.occupiedHeatingSetpoint) { "heat \(Quantity.temperature.text(Int64($0)))" }
        add(Thermostat.occupiedCoolingSetpoint) { "cool \(Quantity.temperature.text(Int64($0)))" }
        add(Thermostat.thermostatRunningMode) { "doing \($0.name)" }
        add(FanControl.fanMode) { $0.name }
        add(FanControl.percentCurrent) { "\($0) %" }
        number(ElectricalPowerMeasurement.activePower, "")
        return text
    }
}

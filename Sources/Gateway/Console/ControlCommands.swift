internal import Base
internal import Matter
internal import MatterNode

/// Commands that set what a device does, and say what it does.
extension CommandRunner {
    /// What a command is for: a device, its endpoint with the cluster, and what it says of it.
    private struct Target {
        let record: NodeRecord
        let endpoint: EndpointID
        let gateway: Gateway
        let reports: [AttributeReport]

        var name: String { DeviceOutput.callName(record) }
    }

    /// Finds the endpoint and asks it for all of the cluster.
    private func target(
        _ selector: NodeSelector, _ cluster: ClusterID
    ) async throws(Explanation) -> Target {
        let (record, endpoint) = try endpoint(selector, cluster)
        let gateway = try await surroundings.gateway()
        let path = AttributePath(endpoint: endpoint, cluster: cluster)
        let reports: [AttributeReport]
        do throws(GatewayError) { reports = try await gateway.read([path], of: record) } catch {
            throw Explanation(error, of: record)
        }
        guard reports.contains(where: \.hasData) else {
            throw Explanation(EndpointError.none(cluster)).at(DeviceOutput.callName(record))
        }
        return Target(record: record, endpoint: endpoint, gateway: gateway, reports: reports)
    }

    private func write<Value>(
        _ attribute: Attribute<Value>, _ value: Value, _ target: Target
    ) async throws(Explanation) {
        let element: EncodedElement
        do throws(TLVError) { element = try EncodedElement(value) } catch {
            preconditionFailure("a number fits a message")
        }
        do throws(GatewayError) {
            try await target.gateway.write(
                element, to: attribute.path(target.endpoint), of: target.record)
        } catch { throw Explanation(error, of: target.record) }
    }

    func level(
        _ selector: NodeSelector, _ percent: Int, over seconds: Int?
    ) async throws(Explanation) -> Output {
        let target = try await target(selector, LevelControl.id)
        let range = LevelRange(target.reports, on: target.endpoint)
        var command = LevelControl.MoveToLevelWithOnOff()
        command.level = range.level(percent: percent)
        if let seconds { command.transitionTime = .value(UInt16(seconds * 10)) }
        try await invoke(command, on: target.endpoint, of: target.record)
        let reached = range.percent(level: command.level)
        let state = reached == 0 ? "off" : "at \(reached) %"
        let time = seconds.map { $0 > 0 ? " in \($0) s" : "" } ?? ""
        let note = reached == percent ? "" : ", which is as near as it can"
        return ControlOutput.done(
            target.record, target.endpoint, state + time + note,
            [
                ("percent", .integer(Int64(reached))), ("level", .integer(Int64(command.level))),
            ])
    }

    func thermostat(
        _ selector: NodeSelector, _ order: ThermostatOrder
    ) async throws(Explanation) -> Output {
        let target = try await target(selector, Thermostat.id)
        var state = ThermostatState(target.reports, on: target.endpoint)
        switch order {
        case .show: return ControlOutput.state(state, of: target.record, target.endpoint)
        case .mode(let mode):
            do throws(ControlError) { try state.check(mode) } catch {
                throw Explanation(error).at(target.name)
            }
            let value = OpenEnum(mode)
            try await write(Thermostat.systemMode, value, target)
            state.mode = value
            return ControlOutput.set(state, of: target.record, target.endpoint, value.name)
        case .setpoint(let side, let tenths):
            let hundredths = tenths * 10
            do throws(ControlError) { try state.check(hundredths, side) } catch {
                throw Explanation(error).at(target.name)
            }
            let value = Int16(hundredths)
            let text = TemperatureText.tenths(value)
            if side == .heat {
                try await write(Thermostat.occupiedHeatingSetpoint, value, target)
                state.heatingSetpoint = value
                return ControlOutput.set(
                    state, of: target.record, target.endpoint, "heats to \(text)", side)
            }
            try await write(Thermostat.occupiedCoolingSetpoint, value, target)
            state.coolingSetpoint = value
            return ControlOutput.set(
                state, of: target.record, target.endpoint, "cools to \(text)", side)
        }
    }

    func fan(_ selector: NodeSelector, _ order: FanOrder) async throws(Explanation) -> Output {
        let target = try await target(selector, FanControl.id)
        var state = FanState(target.reports, on: target.endpoint)
        switch order {
        case .show: return ControlOutput.state(state, of: target.record, target.endpoint)
        case .mode(let mode):
            do throws(ControlError) { try state.check(mode) } catch {
                throw Explanation(error).at(target.name)
            }
            let value = OpenEnum(mode)
            try await write(FanControl.fanMode, value, target)
            state.mode = value
            return ControlOutput.set(state, of: target.record, target.endpoint, value.name)
        case .percent(let percent):
            try await write(FanControl.percentSetting, .value(UInt8(percent)), target)
            state.percentSetting = UInt8(percent)
            return ControlOutput.set(state, of: target.record, target.endpoint, "at \(percent) %")
        }
    }
}

extension AttributeReport {
    fileprivate var hasData: Bool { if case .data = value { true } else { false } }
}

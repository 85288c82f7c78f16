internal import Base
internal import Matter
internal import MatterNode
internal import Simulation
internal import VirtualDevice

// What happens to the gateway, its network, its broker and its devices.

extension Month {
    func happen(_ event: MonthPlan.Event) {
        switch event {
        case .press: break
        default: world.note("\(world.sim.now.text): \(event)")
        }
        switch event {
        case .brokerGone(let time, let isSilent):
            broker.falter()
            later(Self.timeToFall) { [unowned self] in
                brokersGone += 1
                broker.goDown(isSilent: isSilent)
            }
            later(time + Self.timeToFall) { [unowned self] in
                brokersGone -= 1
                if brokersGone == 0 { broker.comeUp() }
            }
        case .networkGone(let time): cutOff(for: time)
        case .powerCut(let off, let clockAfter): cutPower(for: off, clockAfter)
        case .crash:
            guard isUp else { return }
            kill()
            later(Self.timeToRestart) { [unowned self] in startLife(cut: cutAt) }
        case .restart: restart()
        case .deviceOff(let index, let time): turnOff(index, for: time)
        case .deviceMoves(let index):
            // It answers at the new address alone, and says so.
            disturb(index)
            moves += 1
            let address = UInt16(0x400 + index * 8 + moves % 8)
            world.move(index, to: .simulated(address))
        case .clockJump(let seconds, let time):
            setClock(world.clockOffset + seconds)
            later(time) { [unowned self] in setClock(Self.clock) }
        case .noise(let time): disturbNetwork(for: time)
        case .press(let index):
            do throws(SettingError) { try world.devices[index].device.press() } catch {
                preconditionFailure("lamps and plugs have buttons")
            }
        }
    }

    func later(_ time: Duration, _ body: @escaping () -> Void) {
        _ = world.sim.loop.schedule(at: world.sim.now + time, body)
    }

    func setClock(_ offset: Int64) {
        world.clockOffset = offset
        guard world.plausibleSeconds != nil else { return }
        broker.change { $0.clockWasSet(to: offset * 1000) }
    }

    /// Of a broker that ends, from its last acknowledgement on.
    private static let timeToFall = Duration.seconds(7)

    // MARK: The gateway

    private func kill() {
        cutAt = world.sim.now
        isUp = false
        life.kill()
        broker.clientGone()
        for place in gaps.places.indices { gaps.begin(place, at: world.sim.now) }
    }

    private func cutPower(for time: Duration, _ clockAfter: Duration?) {
        guard isUp else { return }
        kill()
        later(time) { [unowned self] in
            boot += 1
            mayLackDate = clockAfter != nil
            if let clockAfter {
                setClock(100 - world.sim.now.nanoseconds / 1_000_000_000)
                later(clockAfter) { [unowned self] in setClock(Self.clock) }
            } else {
                setClock(Self.clock)
            }
            startLife(cut: cutAt)
        }
    }

    private func restart() {
        guard isUp else { return }
        isUp = false
        for place in gaps.places.indices { gaps.begin(place, at: world.sim.now) }
        life.close { [unowned self] in
            broker.clientGone()
            startLife(cut: nil)
        }
    }

    private func cutOff(for time: Duration) {
        networksGone += 1
        world.network.partitioned.insert(World.gatewayAddress)
        for place in gaps.places.indices { leave(place) }
        later(time) { [unowned self] in
            networksGone -= 1
            if networksGone == 0 { world.network.partitioned.remove(World.gatewayAddress) }
            for place in gaps.places.indices { comeBack(place) }
        }
    }

    private func disturbNetwork(for time: Duration) {
        noises += 1
        var faults = FaultProfile(
            drop: 0.15, duplicate: 0.1, delay: .milliseconds(1)...(.milliseconds(200)))
        faults.reorder = 0.1
        faults.burst = 0.01
        world.network.faults = faults
        for place in gaps.places.indices { gaps.begin(place, at: world.sim.now) }
        later(time) { [unowned self] in
            noises -= 1
            if noises == 0 { world.network.faults = FaultProfile() }
            for place in gaps.places.indices { gaps.end(place, at: world.sim.now) }
        }
    }

    // MARK: Devices

    private func turnOff(_ index: Int, for time: Duration) {
        guard !isOff[index] else { return }
        isOff[index] = true
        leave(index)
        let isSleeper = index == world.devices.count
        if isSleeper { sleeper.device.vanish() } else { world.devices[index].device.stop() }
        later(time) { [unowned self] in
            if isSleeper { sleeper.device.appear() } else { world.devices[index].device.start() }
            isOff[index] = false
            comeBack(index)
        }
    }

    func set(_ device: VirtualDevice, _ value: SettableValue) {
        do throws(SettingError) { try device.set(.temperature, value) } catch {
            preconditionFailure("a thermometer has a temperature")
        }
    }

    /// An outage without a length.
    private func disturb(_ place: Int) {
        gaps.begin(place, at: world.sim.now)
        gaps.end(place, at: world.sim.now)
    }

    private func leave(_ place: Int) {
        gaps.begin(place, at: world.sim.now)
        if reasons[place] == 0 { awaySince[place] = world.sim.now }
        reasons[place] += 1
    }

    private func comeBack(_ place: Int) {
        gaps.end(place, at: world.sim.now)
        reasons[place] -= 1
        if reasons[place] == 0 { checkWasTold(place) }
    }
}

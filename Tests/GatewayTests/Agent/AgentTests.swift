import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

/// A building with a board on its wall and a scanner beside it.
struct Site {
    let building: Building
    let board: ScriptedBoard
    let scanner = ScriptedSource()
    let agent: Agent
    private let input: LineInput

    init(
        _ settings: ButtonWindow.Settings = ButtonWindow.Settings(), in building: Building? = nil
    ) throws {
        self.building = try building ?? Building()
        board = ScriptedBoard(on: self.building.sim.loop)
        agent = self.building.startAgent(on: board, settings)
        input = LineInput(ofPayloads: scanner, for: agent)
        input.start()
    }

    func press(for duration: Duration = .milliseconds(200)) {
        board.press(for: duration)
        building.sim.run(for: duration + .milliseconds(100))
    }

    func scan(_ lines: String..., within time: Duration = .seconds(5)) {
        for line in lines { scanner.send(line + "\r") }
        building.sim.run(for: time)
    }

    /// What is told to people, since it was asked last.
    func told() -> [String] {
        let outputs = building.events.compactMap { AgentOutput.event($0) }
        building.events = []
        return outputs.flatMap { $0.lines + $0.notices }
    }

    var status: AgentStatus {
        get throws {
            let agent = agent
            let result = building.sim.run { () async throws(Never) -> AgentStatus in
                await agent.status
            }
            return try #require(result?.get())
        }
    }

    /// Of a device with the scripted device's passcode.
    static let code = "3497-011-2332"
    /// Beside it, for a device of its own.
    static func code(discriminator: UInt16, passcode: UInt32 = 20_202_021) -> String {
        let payload = SetupPayload(
            vendorID: nil, productID: nil, flow: .standard, discoveryCapabilities: .onNetwork,
            discriminator: .long(discriminator), passcode: .passcode(passcode))
        guard let text = payload.qrText() else { return "" }
        return String(decoding: [UInt8](text.span), as: UTF8.self)
    }
}

@Suite("Agent")
struct AgentTests {
    @Test("from the button to a commissioned device by a scanner's octets alone")
    func whole() throws {
        let site = try Site()
        let device = site.building.newDevice(1)
        site.press()
        site.scan("ROOM:Hall", "NAME:Lamp", Site.code, within: .seconds(2))
        let node = try #require(site.building.records.storedNodes.first)
        #expect(node.name == "Lamp" && node.room == "Hall")
        #expect(device.fabrics.map(\.nodeID) == [node.nodeID])
        #expect(site.building.records.storedRuns.isEmpty)
        let told = site.told()
        #expect(
            told.prefix(3) == [
                "window open for 180 s: scan or type setup codes",
                "the devices that follow are in \"Hall\"",
                "the devices that follow are called \"Lamp\"",
            ])
        #expect(told[3] == "code accepted")
        #expect(told[4].hasPrefix("added in ") && told[4].hasSuffix(" (Lamp, Hall)"))
        #expect(told[5...] == ["Lamp: 1/on-off/on-off false"])
        // Solid for three seconds.
        #expect(site.board.shown.last?.isOn == true)
        let count = site.board.shown.count
        site.building.sim.run(for: .milliseconds(900))
        #expect(site.board.shown.count == count)
        site.building.sim.run(for: .milliseconds(700))
        #expect(site.board.shown.last?.isOn == false)
    }

    @Test("while the window is closed nothing is taken, and the remedy is told")
    func closed() throws {
        let site = try Site()
        let device = site.building.newDevice(1)
        site.scan(Site.code, "ROOM:Hall", "MT:BROKEN")
        #expect(
            site.told()
                == Array(
                    repeating: "window closed: press the button, or type window open, and scan it"
                        + " again", count: 3))
        #expect(device.isUntouched && site.building.records.storedNodes.isEmpty)
        site.press()
        site.scan(Site.code)
        #expect(site.building.records.storedNodes.map(\.room) == [""])
    }

    @Test(
        "a scanner's words do nothing but a refusal",
        arguments: ["factory-reset", "window open", "remove lamp --force --yes", "cancel", "run"])
    func words(line: String) throws {
        let site = try Site()
        _ = try site.building.device(9, name: "Lamp")
        site.press()
        _ = site.told()
        let start = site.building.sim.now
        let calls = site.building.records.calls.count
        site.scan(line)
        #expect(site.told().count == 1)
        #expect(site.building.records.calls.count == calls)
        #expect(site.building.records.storedNodes.count == 1)
        // Code 1: one flash in each cycle, which no other state has.
        let flashes = site.board.shown.filter { $0.isOn && $0.at > start }.map(\.at)
        #expect(flashes.count == 2 && flashes[1] - flashes[0] == .milliseconds(1750))
        #expect(try site.status.windowLeft != nil)
    }

    @Test("devices are commissioned in the order of their codes, several of one code too")
    func order() throws {
        let site = try Site()
        for (number, discriminator) in [(1, 100), (2, 200), (3, 300)] as [(UInt8, UInt16)] {
            var settings = ScriptedDevice.Settings()
            settings.discriminator = discriminator
            _ = site.building.newDevice(number, settings)
        }
        site.press()
        let joined =
            Site.code(discriminator: 300) + "*"
            + Site.code(discriminator: 100).dropFirst(3)
        site.scan("NAME:Lamp", joined, Site.code(discriminator: 200), within: .zero)
        #expect(try site.status.waiting == 2)
        site.building.sim.run(for: .seconds(5))
        let nodes = site.building.records.storedNodes
        #expect(nodes.map(\.name) == ["Lamp", "Lamp 2", "Lamp 3"])
        #expect(nodes.map { $0.lastAddress?.address } == [3, 1, 2].map { .simulated(0x100 + $0) })
        #expect(try site.status.waiting == 0)
    }

    @Test("the same code twice in a row is told and not run twice")
    func repeated() throws {
        let site = try Site()
        _ = site.building.newDevice(1)
        site.press()
        site.scan(Site.code, Site.code)
        site.scan(Site.code)
        let told = site.told()
        #expect(told.count { $0.hasPrefix("this code was scanned just before") } == 2)
        #expect(told.count { $0.hasPrefix("added") } == 1)
        #expect(site.building.records.storedNodes.count == 1)
    }

    @Test("a failure says step, cause and remedy, flashes its code, and may be scanned again")
    func failure() throws {
        let site = try Site()
        var settings = ScriptedDevice.Settings()
        settings.passcode = 30_303_031
        let device = site.building.newDevice(1, settings)
        site.press()
        site.scan(Site.code, within: .seconds(10))
        let start = site.building.sim.now
        let told = site.told()
        #expect(told.last?.hasPrefix("not added: connecting with the passcode: ") == true)
        #expect(told.last?.contains("20202021") == false)
        site.building.sim.run(for: .milliseconds(6 * 2750 - 1))
        #expect(site.board.flashes(since: start) == 3 * 6)
        let events = try site.building.records.events(limit: 1)
        #expect(events.first?.kind == .failed && events.first?.text.contains("passcode") == true)
        site.scan(Site.code, within: .seconds(10))
        #expect(site.told().count { $0.hasPrefix("not added") } == 1)
        #expect(device.isUntouched)
    }

    @Test("the window closes by itself, what it accepted goes on, and labels are forgotten")
    func time() throws {
        let site = try Site()
        site.press()
        site.scan("ROOM:Hall", within: .seconds(179))
        // Nobody is there yet: the search lasts 30 s, the window less.
        site.scan(Site.code(discriminator: 1), within: .seconds(175))
        site.scan(Site.code(discriminator: 3840), within: .milliseconds(10))
        #expect(try site.status.windowLeft != nil)
        site.building.sim.run(for: .seconds(181))
        #expect(try site.status.windowLeft == nil)
        #expect(site.told().last == "window closed: its time is over")
        _ = site.building.newDevice(1)
        site.press()
        site.scan(Site.code)
        #expect(site.building.records.storedNodes.map(\.room) == [""])
    }

    @Test("one run at a time: a maintainer's pair is refused meanwhile, and codes wait for his")
    func oneRun() throws {
        let site = try Site()
        let sim = site.building.sim
        _ = site.building.newDevice(1)
        var settings = ScriptedDevice.Settings()
        settings.discriminator = 200
        _ = site.building.newDevice(2, settings)
        site.press()
        let building = site.building
        let pairing = sim.start { () async throws(Never) -> Output in
            let code = Site.code(discriminator: 200)
            let request = PairRequest(code: .typed(Secret(Array(code.utf8).span)))
            return await CommandRunner(building).run(.pair(request))
        }
        sim.run(for: .zero)
        site.scan(Site.code, within: .zero)
        #expect(try site.status.step != nil)
        #expect(site.building.records.storedNodes.isEmpty)
        #expect(try site.building.run("prepare").exitCode == .configuration)
        let refused = try site.building.run("pair \(Site.code)")
        #expect(
            refused.notices == [
                "checking the gateway: another device is being added: wait until that has ended,"
                    + " or type cancel: prepare shows all checks"
            ])
        sim.finish(pairing)
        sim.run(for: .seconds(5))
        #expect(pairing.value?.exitCode == .ok)
        let addresses = site.building.records.storedNodes.map { $0.lastAddress?.address }
        #expect(addresses == [.simulated(0x102), .simulated(0x101)])
    }

    @Test("cancel ends the run, leaves nothing at the device and forgets what waits")
    func cancel() throws {
        let site = try Site()
        let device = site.building.newDevice(1)
        site.press()
        device.react = { $0 == .invoke(OperationalCredentials.CSRRequest.self) ? .mute : .proceed }
        site.scan(Site.code, Site.code(discriminator: 7), within: .seconds(1))
        #expect(device.isArmed)
        let output = try site.building.run("cancel")
        #expect(output.lines == ["cancelled, and 1 that waited are forgotten"])
        site.building.sim.run(for: .seconds(5))
        #expect(device.isUntouched && device.wasDisarmed)
        #expect(site.building.records.storedRuns.isEmpty)
        #expect(try site.status.step == nil && site.status.waiting == 0)
        #expect(try site.building.run("cancel").lines[0].hasPrefix("nothing is going on"))
        // It may be scanned again at once.
        device.react = { _ in .proceed }
        site.scan(Site.code)
        #expect(site.building.records.storedNodes.count == 1)
    }

    @Test("a held button arms the reset, a short press confirms it, a scan cancels it")
    func reset() throws {
        let site = try Site()
        site.press(for: .seconds(10))
        #expect(try site.status.isResetArmed)
        site.scan("ROOM:Hall", within: .zero)
        site.press()
        #expect(try !site.status.isResetArmed && site.status.windowLeft != nil)
        #expect(
            !site.building.events.contains { if case .resetConfirmed = $0 { true } else { false } })
        site.press(for: .seconds(10))
        site.press()
        #expect(site.told().suffix(1) == ["factory reset confirmed"])
        #expect(try site.status.windowLeft == nil)
    }

    @Test("a button that is down at power-up is a fault on the lamp, and opens nothing")
    func heldAtStart() throws {
        let building = try Building()
        let board = ScriptedBoard(on: building.sim.loop)
        board.isButtonPressed = true
        board.hasFaultLamp = true
        _ = building.startAgent(on: board)
        building.sim.run(for: .milliseconds(4749))
        #expect(board.flashes(.fault, since: Instant(nanoseconds: 0)) == 7)
        #expect(board.flashes(.work, since: Instant(nanoseconds: 0)) == 1)
        board.onButton?(false, building.sim.now)
        building.sim.run(for: .seconds(20))
        #expect(building.events.count == 2)
    }

    @Test("a button that comes later counts from then on; held down already it is a fault")
    func laterButton() throws {
        let site = try Site()
        site.board.isButtonPressed = true
        site.board.onPart?(.button)
        site.building.sim.run(for: .seconds(20))
        #expect(site.told() == ["the button was down at the start: let it go, or see its wiring"])
        #expect(try !site.status.isResetArmed)
        site.board.isButtonPressed = false
        site.board.onButton?(false, site.building.sim.now)
        site.building.sim.run(for: .seconds(1))
        site.press()
        #expect(try site.status.windowLeft != nil)
    }

    @Test("lamps that come later are set, and a fault lamp takes the faults over")
    func laterLamps() throws {
        let site = try Site()
        site.press()
        site.board.hasFaultLamp = true
        site.board.onPart?(.workLamp)
        #expect(site.board.shown.last?.lamp == .work)
        site.board.onPart?(.faultLamp)
        let now = site.building.sim.now
        site.scan("34970112330", within: .seconds(3))
        #expect(site.board.flashes(.fault, since: now) > 0)
    }

    @Test("a Wi-Fi label is kept, its passphrase told nowhere")
    func wiFi() throws {
        let site = try Site()
        site.press()
        site.scan("WIFI:T:WPA2-EAP;S:Office;P:12345678;;", "WIFI:T:WPA;S:Home;P:correct horse;;")
        let told = site.told()
        #expect(told[1].hasPrefix("WPA2-EAP: "))
        #expect(told[2] == "Wi-Fi \"Home\" is used for devices from now on")
        let gateway = site.building.operations
        let kept = site.building.sim.run { () async throws(Never) -> DeviceNetworks in
            await gateway.networks()
        }
        let secret = Secret(Array("correct horse".utf8).span)
        #expect(kept?.get().wiFi?.credentials == secret)
        #expect(try site.status.ssid == Array("Home".utf8))
        // An agent that starts again has it still.
        #expect(try site.building.records.networks().networks.wiFi?.credentials == secret)
        let events = try site.building.records.events(limit: 9)
        #expect(events.map(\.text) == ["Wi-Fi \"Home\" is used for devices"])
        #expect(events.map(\.kind) == [.network])
    }

    @Test("a Wi-Fi label that the store does not take is refused with the reason")
    func wiFiNotStored() throws {
        let site = try Site()
        site.press()
        site.building.records.onWrite = { (_, _) throws(StoreError) in throw .full }
        site.scan("WIFI:T:WPA;S:Home;P:correct horse;;")
        #expect(site.told().last?.hasPrefix("there is no room left to store anything") == true)
        #expect(try site.status.ssid == nil)
    }

    @Test("stopped, it leaves no lamp on, no run and no timer")
    func stop() throws {
        let site = try Site()
        let device = site.building.newDevice(1)
        site.press()
        device.react = { $0 == .invoke(OperationalCredentials.CSRRequest.self) ? .mute : .proceed }
        site.scan(Site.code, within: .seconds(1))
        let agent = site.agent
        let building = site.building
        let stopped = building.sim.start { () async throws(Never) -> Void in
            await agent.stop()
            await (try? building.gateway())?.close()
        }
        building.sim.finish(stopped, within: .seconds(2))
        #expect(stopped.endedAt != nil)
        #expect(site.board.shown.last?.isOn == false)
        #expect(building.sim.runUntilQuiet(within: .seconds(120)))
        #expect(device.isUntouched)
    }
}

extension ScriptedDevice {
    /// The device is as it was before anybody tried to commission it.
    fileprivate var isUntouched: Bool { fabrics.isEmpty && !isArmed }
    fileprivate var wasDisarmed: Bool { armings.last == 0 && failSafeExpiries == 0 }
}

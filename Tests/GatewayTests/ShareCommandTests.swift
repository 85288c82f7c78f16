import Base
import Crypto
import Gateway
import Matter
import MatterNode
import Simulation
import Testing

@Suite("share")
struct ShareCommandTests {
    private let building: Building

    init() throws {
        building = try Building()
    }

    /// What a scanner reads of the output.
    private func payload(_ output: Output) throws -> SetupPayload {
        let line = try #require(output.lines.first { $0.hasPrefix("QR code") })
        let text = Array(line.utf8.drop { $0 != UInt8(ascii: "M") })
        return try #require(try SetupPayload.parse(text.span).first)
    }

    @Test("§11.19.8.1: another gateway commissions the device with the code that is shown")
    func another() throws {
        let lamp = try building.device(1, name: "Lamp")
        let output = try building.run("share lamp")
        #expect(output.exitCode == .ok)
        let window = try #require(lamp.window)
        #expect(window.iterations == 10_000)
        #expect(window.salt.count == 32)
        let payload = try payload(output)
        #expect(payload.discriminator == .long(window.discriminator))
        #expect(payload.vendorID == DeviceAttestation.vendorID)
        #expect(payload.productID == DeviceAttestation.productID)
        #expect(payload.flow == .standard)
        #expect(payload.discoveryCapabilities == .onNetwork)
        let record = try building.commissionElsewhere(payload)
        #expect(record.fabricIndex == FabricIndex(2))
        #expect(lamp.fabrics.map(\.index.rawValue) == [1, 2])
        #expect(lamp.wrongPasscodes == 0)
        #expect(lamp.window == nil)
    }

    @Test("the manual code is the same code, in groups; both are in the JSON")
    func codes() throws {
        _ = try building.device(1, name: "Lamp")
        building.pictures = true
        let output = try building.run("share lamp --timeout 180")
        #expect(output.lines.count == 5)
        #expect(output.lines[0] == "<picture>")
        let line = output.lines[2]
        #expect(line.hasPrefix("manual code  "))
        let groups = line.dropFirst(13).split(separator: "-")
        #expect(groups.map(\.count) == [4, 3, 4])
        let digits = Array(line.dropFirst(13).utf8)
        let manual = try SetupPayload.parse(digits.span)
        #expect(try manual[0].canBeSameDevice(as: payload(output)))
        #expect(
            output.lines[3]
                == "Lamp: another app, hub or gateway can add it with one of these for 3 minutes.")
        let qr = output.lines[1].dropFirst(13)
        let code = groups.joined()
        #expect(
            output.document.text
                == "{\"node_id\":\"0x0000000000000001\",\"qr_code\":\"\(qr)\","
                + "\"manual_code\":\"\(code)\",\"seconds\":180}")
    }

    @Test("each window has a passcode and a discriminator of its own")
    func fresh() throws {
        let lamp = try building.device(1, name: "Lamp")
        let first = try payload(building.run("share lamp"))
        #expect(
            try building.run("share lamp --stop").lines == ["Lamp: is no longer open for others"])
        #expect(lamp.window == nil)
        let second = try payload(building.run("share lamp"))
        #expect(first.passcode != second.passcode)
        #expect(first.discriminator != second.discriminator)
    }

    @Test("a window that is open already is named, with how to end it")
    func open() throws {
        _ = try building.device(1, name: "Lamp")
        _ = try building.run("share lamp")
        let output = try building.run("share lamp")
        #expect(
            output.notices == [
                "Lamp: it is open for others already, opened by vendor 0xFFF1: wait until that"
                    + " ends, or end it with share NODE --stop"
            ])
        #expect(output.lines.isEmpty)
        #expect(output.exitCode == FailureKind.busy.exitCode)
    }

    @Test("the window closes by itself at its time")
    func end() throws {
        let lamp = try building.device(1, name: "Lamp")
        _ = try building.run("share lamp --timeout 200")
        building.sim.run(for: .seconds(190))
        #expect(lamp.window != nil)
        building.sim.run(for: .seconds(11))
        #expect(lamp.window == nil)
        #expect(
            try building.run("share lamp --stop").notices == [
                "Lamp: it is not open for others: nothing is to be done; share NODE opens it"
            ])
    }

    @Test(
        "§11.19.6.1: each refusal is explained",
        arguments: [
            (CommandAnswer.status(.failure, clusterStatus: 2), "another administrator is busy"),
            (.status(.failure, clusterStatus: 3), "refuses the passcode"),
            (.status(.unsupportedCluster), "it cannot be shared"),
            (.status(.unsupportedCommand), "it cannot be shared"),
            (.status(.unsupportedAccess), "access"),
        ])
    func refusals(answer: CommandAnswer, words: String) throws {
        let lamp = try building.device(1, name: "Lamp")
        lamp.commandAnswers[
            .invoke(AdministratorCommissioning.OpenCommissioningWindow.self)] = answer
        let output = try building.run("share lamp")
        #expect(output.notices.count == 1)
        #expect(output.notices[0].contains(words))
        #expect(output.exitCode != .ok)
        #expect(lamp.window == nil)
    }

    @Test("--stop and --timeout exclude each other, and the time has bounds")
    func usage() throws {
        #expect(throws: UsageError.optionsExclude(.stop, .timeout)) {
            try building.run("share lamp --stop --timeout 300")
        }
        for seconds in [0, 179, 901] {
            #expect(throws: UsageError.optionOutOfRange(.timeout, 180...900)) {
                try building.run("share lamp --timeout \(seconds)")
            }
        }
    }

    @Test("labels are drawn where that can be, and are bare text where not")
    func labels() throws {
        let output = try building.run("labels room Hall \"Meeting room 2\"")
        #expect(output.lines == ["ROOM:Hall", "ROOM:Meeting room 2"])
        building.pictures = true
        let name = try building.run("labels name \"Cold store\"")
        #expect(name.lines == ["<picture>", "NAME:Cold store"])
        #expect(
            name.document.text == "{\"labels\":[{\"kind\":\"name\",\"text\":\"Cold store\","
                + "\"code\":\"NAME:Cold store\"}]}")
        #expect(throws: UsageError.emptyLabel) { try building.run("labels room \"\"") }
        #expect(throws: UsageError.self) { try building.run("labels wifi Hall") }
        #expect(throws: UsageError.labelWithControls) { try building.run("labels room \"a\tb\"") }
    }
}

import Base
import Matter
import MatterNode
import Simulation
import Testing

@testable import VirtualDevice

@Suite("DeviceConsole")
struct DeviceConsoleTests {
    private func makeHouse() -> (House, DeviceConsole, LossyLink) {
        var settings = House.settings
        settings.types = [.dimmableLight, .temperature, .contact]
        let house = House(settings)
        let link = LossyLink(SilentLink(), seed: 1)
        return (house, DeviceConsole(house.device, link: link), link)
    }

    @Test("What it sets can be read, and status shows it")
    func set() {
        let (house, console, _) = makeHouse()
        for line in ["set temperature 21.5", "contact open", "press", "set level 50%"] {
            #expect(console.take(line) == .init(), "\(line)")
        }
        let device = house.device
        let temperature = device.attribute(
            TemperatureMeasurement.measuredValue, on: EndpointID(2))
        #expect(temperature == .value(21_50))
        #expect(device.attribute(BooleanState.stateValue, on: EndpointID(3)) == false)
        let status = console.take("status").text
        #expect(status.contains("1: dimmable-light, on, level 127\n"))
        #expect(status.contains("2: temperature, 21.50 °C\n"))
        #expect(status.contains("3: contact, open\n"))
    }

    @Test("Without power it does nothing but wait for it")
    func power() {
        let (house, console, _) = makeHouse()
        #expect(console.take("plug").text == "it has power already\n")
        #expect(console.take("unplug").text == "it has no power\n")
        #expect(!house.device.isOn)
        #expect(console.take("press").text == "it has no power; plug gives it back\n")
        #expect(console.take("status").text == "no power\n")
        #expect(console.take("plug").text == "")
        #expect(house.device.isOn)
    }

    @Test("The window closes and opens, and a wrong word is answered with those that exist")
    func window() {
        let (house, console, _) = makeHouse()
        #expect(console.take("window close") == .init())
        #expect(!house.device.isWindowOpen)
        #expect(console.take("window open") == .init())
        #expect(house.device.isWindowOpen)
        #expect(console.take("frob").text.hasPrefix("there are: set, press, "))
        #expect(console.take("set humidity 4").text.hasPrefix("nothing here has humidity"))
        #expect(console.take("") == .init())
        #expect(console.take("quit").isEnd)
    }

    @Test("drop loses its share both ways, and 0 nothing")
    func drop() {
        let (_, console, link) = makeHouse()
        #expect(console.take("drop 25%").text == "25% is lost\n")
        let bytes: [UInt8] = [1]
        let peer = SocketAddress(.simulated(1), port: 1)
        func lost() -> Int {
            let silent = SilentLink()
            let lossy = LossyLink(silent, seed: 3)
            lossy.lostPercent = link.lostPercent
            for _ in 0..<1000 { lossy.send(bytes.span, to: peer) }
            return 1000 - silent.sent
        }
        #expect((200...300).contains(lost()))
        _ = console.take("drop 0")
        #expect(lost() == 0)
        _ = console.take("drop 100")
        #expect(lost() == 1000)
    }
}

/// Nothing comes; what goes is counted.
private final class SilentLink: DatagramLink, @unchecked Sendable {
    var onReadable: (() -> Void)?
    var sent = 0

    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSource? { nil }

    func send(_ bytes: Span<UInt8>, to peer: SocketAddress) -> Bool {
        sent += 1
        return true
    }
}

import Base
import Matter
import Testing

@testable import LinuxIO

@Suite("Bluetooth management messages")
struct ManagementMessageTests {
    private let address = ManagementAddress(
        FixedBytes<6>(copying: ([6, 5, 4, 3, 2, 1] as [UInt8]).span), .randomAddress)

    private func read(_ hex: String) throws -> ManagementEvent? {
        let bytes = try #require(Hex.decode(hex))
        return ManagementEvent.read(bytes.span)?.event
    }

    @Test("commands have the kernel's octets")
    func commands() throws {
        let commands: [(ManagementCommand, UInt16?, String)] = [
            (.readIndexList, nil, "0300ffff0000"), (.readInfo, 0, "040000000000"),
            (.setPowered(true), 1, "05000100010001"), (.setLowEnergy(false), 0, "0d000000010000"),
            (.startDiscovery, 0, "23000000010006"), (.stopDiscovery, 0, "24000000010006"),
            (.startServiceDiscovery, 0, "3a0000000400067f0000"),
            (
                .loadConnectionParameters(address, .commissioning), 0,
                "3500000011000100060504030201021800 28000000f401"
            ),
        ]
        for (command, adapter, hex) in commands {
            let octets = try [UInt8](capacity: ManagementCommand.maximumOctets) {
                try command.write(&$0, adapter: adapter)
            }
            #expect(octets == Hex.decode(hex))
        }
    }

    @Test("events are read")
    func events() throws {
        #expect(
            try read("0100ffff0900 0300 00 0200 0000 0100") == .indexList([0, 1]))
        #expect(try read("010000000700 0500 00 01000000") == .complete(opcode: 5))
        #expect(try read("020000000300 0500 12") == .failed(opcode: 5, .blocked))
        #expect(try read("040001000000") == .indexAdded)
        #expect(try read("060000000400 01020000") == .settings([.powered, .lowEnergy]))
        #expect(
            try read("0d0000000800 060504030201 02 0a") == .connectFailed(address, .busy))
        #expect(
            try read("0c0000000800 060504030201 02 01") == .disconnected(address, reason: 1))
        #expect(try read("130000000200 06 01") == .discovering(true))
        #expect(try read("770000000100 06") == .other(0x77))
        let found = try read("120000001100 060504030201 02 c4 00000000 0300 020106")
        guard case .deviceFound(let device)? = found else {
            Issue.record("no device")
            return
        }
        #expect(device.address == address && device.signalStrength == -60)
        #expect(device.isConnectable && device.advertisement == [2, 1, 6])
    }

    @Test("an event that is cut short or says another length is none")
    func truncations() throws {
        let whole = try #require(
            Hex.decode("120000001100 060504030201 02 c4 00000000 0300 020106"))
        for count in 0..<whole.count {
            #expect(ManagementEvent.read(whole.span.extracting(first: count))?.event == nil)
            guard count >= 6 else { continue }
            var shorter = Array(whole.prefix(count))
            shorter[4] = UInt8(count - 6)
            #expect(ManagementEvent.read(shorter.span)?.event == nil)
        }
        #expect(try read("0100ffff0700 0300 00 0200 0000") == nil)
        #expect(try read("0d0000000800 060504030201 07 0a") == nil)
    }
}

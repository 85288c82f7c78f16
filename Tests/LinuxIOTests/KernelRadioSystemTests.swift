import Base
import Foundation
import Matter
import MatterNode
import Testing

@testable import LinuxIO

/// With the kernel's Bluetooth and a commissionable device in reach, which few machines that
/// build have: set BLUETOOTH_DEVICE.
@Suite(
    "KernelRadio: a real kernel",
    .enabled(if: ProcessInfo.processInfo.environment["BLUETOOTH_DEVICE"] != nil))
struct KernelRadioSystemTests {
    private let poll = PollLoop()

    @Test("a device is heard beyond one look of the kernel's, connected, and heard again")
    func wholeCourse() throws {
        let radio = KernelRadio.open(on: poll, adapter: nil)
        let heard = Heard()
        radio.onHeard = { heard.devices.append($0) }
        let loop = poll.loop
        try poll.run { () async throws(BluetoothError) in
            try await radio.prepare()
            try await radio.startDiscovery()
            // The kernel looks for 10 s at a time.
            try? await loop.sleep(for: .seconds(13))
            #expect(await hears(heard, loop))
            await radio.stopDiscovery()
            guard let device = heard.devices.first else { return }
            for _ in 0..<2 {
                let bearer = try await radio.connect(to: device.address, within: .seconds(20))
                #expect(await exchangesMTU(bearer, loop))
                bearer.close()
            }
            try await radio.powerCycle()
            try await radio.startDiscovery()
            #expect(await hears(heard, loop))
            await radio.stopDiscovery()
        }
    }

    @Test("a device that is not there is given up in time, and does no harm")
    func absent() throws {
        let radio = KernelRadio.open(on: poll, adapter: 0)
        let octets = FixedBytes<6>(copying: ([0xC0, 9, 9, 9, 9, 9] as [UInt8]).span)
        let peer = BluetoothAddress(octets, .randomAddress)
        try poll.run { () async throws(BluetoothError) in
            try await radio.prepare()
            for _ in 0..<2 {
                var failure: BluetoothError?
                do throws(BluetoothError) {
                    _ = try await radio.connect(to: peer, within: .seconds(2))
                } catch { failure = error }
                #expect(failure == .timedOut)
            }
            try await radio.startDiscovery()
            await radio.stopDiscovery()
        }
    }
}

private final class Heard: @unchecked Sendable {
    var devices: [HeardDevice] = []
}

/// A device is heard from now on.
private func hears(_ heard: Heard, _ loop: Loop) async -> Bool {
    heard.devices = []
    for _ in 0..<150 where heard.devices.isEmpty {
        try? await loop.sleep(for: .milliseconds(100))
    }
    return !heard.devices.isEmpty
}

/// Bluetooth Core, volume 3, part F, §3.4.2.
private func exchangesMTU(_ bearer: any ATTBearer, _ loop: Loop) async -> Bool {
    let request: [UInt8] = [0x02, 247, 0]
    guard bearer.send(request.span) else { return false }
    var answer: [UInt8] = []
    for _ in 0..<100 {
        var bytes = [UInt8](repeating: 0, count: 247)
        var span = bytes.mutableSpan
        if case .packet(let count) = bearer.receive(into: &span) {
            answer = Array(bytes[..<count])
            if answer.first == 0x03 { break }
        }
        try? await loop.sleep(for: .milliseconds(50))
    }
    return answer.count == 3 && answer[0] == 0x03
}

internal import Base
internal import Crypto
internal import LinuxIO
internal import Matter
internal import MatterNode
internal import VirtualAir
internal import VirtualDevice

/// Joins the device with this machine: its sockets, its interfaces, its state file.
final class Wiring {
    let device: VirtualDevice
    let link: LossyLink
    let port: UInt16
    private let multicast: MulticastSocket
    private let interface: String?
    private var changes: InterfaceChanges?

    init(_ options: DeviceOptions, poll: PollLoop) throws(StartError) {
        interface = options.interface
        let interfaces = try Self.interfaces(options.interface)
        let socket: UDPSocket
        do throws(Errno) { socket = try UDPSocket(on: poll, port: options.port) } catch {
            throw .port(error, options.port)
        }
        port = socket.port
        do throws(MulticastSocket.Failure) {
            multicast = try MulticastSocket(on: poll, interfaces: interfaces)
        } catch { throw .multicast(error.error) }
        let random = SharedRandom(SystemRandom())
        link = LossyLink(socket, seed: options.seed ?? random.drawUInt64())
        var settings = DeviceSettings(
            passcode: options.passcode, discriminator: options.discriminator)
        settings.port = socket.port
        settings.types = options.types
        if let type = options.types.first { settings.productName = "Virtual \(type.rawValue)" }
        settings.network = options.network
        settings.isConcurrent = options.isConcurrent
        settings.seed = options.seed
        settings.secondOfDay = Int(WallClock.now % 86_400)
        let state = try StateFile(options.state)
        let radio = try Self.radio(options.bluetooth, random, poll)
        if radio != nil {
            settings.discoveryCapabilities = .ble
            // A device that has a wire needs no Bluetooth.
            if settings.network == .ethernet { settings.network = .wiFi }
        }
        device = VirtualDevice(
            settings, loop: poll.loop, link: link, multicast: multicast,
            interfaces: interfaces.map(\.index), state: state, random: random,
            radio: radio)
        setAddresses(interfaces)
        // Without them an address that comes later is not announced.
        changes = try? InterfaceChanges(on: poll) { [unowned self] in
            if let interfaces = try? Self.interfaces(self.interface) {
                self.multicast.use(interfaces)
                self.setAddresses(interfaces)
            }
        }
    }

    private static func radio(
        _ path: String?, _ random: SharedRandom, _ poll: PollLoop
    ) throws(StartError) -> AirPeripheral? {
        guard let path else { return nil }
        var octets: FixedBytes<6> = random.drawBytes()
        // A static random address. Bluetooth Core, volume 6, part B, §1.3.2.1.
        octets[0] |= 0xC0
        do throws(Errno) {
            return try AirPeripheral(
                AirFolder(path), as: BluetoothAddress(octets, .randomAddress), on: poll)
        } catch { throw .bluetooth(error) }
    }

    private static func interfaces(_ name: String?) throws(StartError) -> [NetworkInterface] {
        do throws(InterfaceError) {
            return try Interfaces.choose(name.map { [$0] } ?? [], from: try Interfaces.all())
        } catch { throw .interface(error) }
    }

    private func setAddresses(_ interfaces: [NetworkInterface]) {
        for interface in interfaces {
            device.set(addresses: interface.addresses, on: interface.index)
        }
    }

    func writeAuthority(_ options: DeviceOptions) throws(StartError) {
        guard let path = options.paaOut, let authority = device.paaCertificateDER else { return }
        let text = PEM.text(certificate: authority.span)
        do throws(Errno) { try PrivateFile.write([UInt8](text.utf8), to: path) } catch {
            throw .authority(error)
        }
    }
}

/// What the device keeps, in a file for its owner alone, or as long as the process lives.
private final class StateFile: DeviceState, @unchecked Sendable {
    private let path: String?
    private var bytes: [UInt8]?

    init(_ path: String?) throws(StartError) {
        self.path = path
        guard let path, PrivateFile.exists(path) else { return }
        do throws(Errno) { bytes = try Folder.read(path, limit: Self.limit) } catch {
            throw .state(error)
        }
    }

    func load() -> [UInt8]? { bytes }

    func save(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard let path else { return }
        do throws(Errno) { try PrivateFile.write(bytes, to: path) } catch {
            StandardStreams.writeError(
                "virtual-device: \(path) cannot be written (\(error.description))\n")
        }
    }

    /// Five fabrics with their certificates are a tenth of it.
    private static let limit = 256 << 10
}

extension AirPeripheral: PeripheralRadio {}

internal import Base
internal import Glibc
package import LinuxIO
internal import Matter
package import MatterNode

/// A commissioner's radio in a folder. One at a time looks in it.
package final class AirRadio: BluetoothRadio, @unchecked Sendable {
    package var onHeard: ((HeardDevice) -> Void)?
    package var onChange: (() -> Void)?

    private let folder: AirFolder
    private let poll: PollLoop
    private var ear: Descriptor?
    private var buffer = [UInt8](repeating: 0, count: datagramOctets + 1)

    /// An address, its kind, an advertisement.
    static let datagramOctets = 6 + 1 + CommissionableAdvertisement.octets

    package init(_ folder: AirFolder, on poll: PollLoop) {
        self.folder = folder
        self.poll = poll
    }

    deinit { close() }

    package func prepare() async throws(BluetoothError) {}

    package func startDiscovery() async throws(BluetoothError) {
        guard ear == nil else { return }
        do throws(Errno) { try listen() } catch {
            throw error.rawValue == EADDRINUSE ? .inUse : .system(errno: error.rawValue)
        }
    }

    package func stopDiscovery() async { close() }

    package func connect(
        to address: BluetoothAddress, within time: Duration
    ) async throws(BluetoothError) -> any ATTBearer {
        let path = folder.device(address)
        do throws(Errno) {
            let socket = try AirSocket.packets()
            // Local sockets connect at once or not at all.
            try AirSocket.connect(socket.rawValue, to: path)
            return ATTSocket(socket, on: poll)
        } catch { throw .connectionFailed(reason: Self.notEstablished) }
    }

    /// There is no state of an adapter that could be lost.
    package func powerCycle() async throws(BluetoothError) {}

    // MARK: Parts

    private func listen() throws(Errno) {
        let socket = try AirSocket.datagrams()
        let raw = socket.rawValue
        do throws(Errno) { try AirSocket.bind(raw, to: folder.radio) } catch {
            guard error.rawValue == EADDRINUSE, isDeserted() else { throw error }
            _ = unsafe unlink(folder.radio)
            try AirSocket.bind(raw, to: folder.radio)
        }
        ear = consume socket
        poll.watch(raw, .readable) { [weak self] _ in self?.hear() }
    }

    /// Whether who looked here has ended without a word.
    private func isDeserted() -> Bool {
        do throws(Errno) {
            let socket = try AirSocket.datagrams()
            try AirSocket.connect(socket.rawValue, to: folder.radio)
            return false
        } catch { return error.rawValue == ECONNREFUSED }
    }

    private func hear() {
        guard let raw = ear?.rawValue else { return }
        var span = buffer.mutableSpan
        guard let count = AirSocket.receive(raw, into: &span), count == Self.datagramOctets,
            let advertisement = CommissionableAdvertisement(buffer.span.extracting(7..<count))
        else { return }
        let octets = FixedBytes<6>(copying: buffer.span.extracting(0..<6))
        onHeard?(
            HeardDevice(
                address: BluetoothAddress(
                    octets, buffer[6] == 0 ? .publicAddress : .randomAddress),
                advertisement: advertisement, signalStrength: Self.nearby))
    }

    private func close() {
        guard let raw = ear?.rawValue else { return }
        poll.unwatch(raw)
        ear = nil
        _ = unsafe unlink(folder.radio)
    }

    /// dBm, of a device in the same room.
    private static let nearby: Int8 = -50
    /// The controller's word for it. Bluetooth Core, volume 1, part F.
    private static let notEstablished: UInt8 = 0x3E
}

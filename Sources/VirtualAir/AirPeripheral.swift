internal import Base
internal import Glibc
package import LinuxIO
package import Matter
package import MatterNode

/// A device's radio in a folder: it advertises, and is connected to.
package final class AirPeripheral: @unchecked Sendable {
    package var onConnection: ((any ATTBearer) -> Void)?

    private let folder: AirFolder
    private let address: BluetoothAddress
    private let poll: PollLoop
    private let sender: Descriptor
    private var listener: Descriptor?
    /// Address, its kind, and the advertisement.
    private var datagram: [UInt8] = []
    private var timer: TimerID?

    /// A commissionable device advertises every 20 to 60 ms at first. Core §5.4.2.5.3.
    private static let interval = Duration.milliseconds(60)

    /// - Parameter address: nobody else's in that folder.
    package init(_ folder: AirFolder, as address: BluetoothAddress, on poll: PollLoop) throws(Errno)
    {
        self.folder = folder
        self.address = address
        self.poll = poll
        sender = try AirSocket.datagrams()
    }

    deinit { fallSilent() }

    /// - Parameter advertisement: nil to fall silent. Connections go on.
    package func advertise(_ advertisement: CommissionableAdvertisement?) {
        fallSilent()
        guard let advertisement else { return }
        var bytes = [UInt8](repeating: 0, count: AirRadio.datagramOctets)
        var writer = ByteWriter(bytes.mutableSpan)
        let octets = [UInt8](address.octets)
        do throws(ByteError) {
            try writer.bytes(octets.span)
            try writer.uint8(address.kind == .publicAddress ? 0 : 1)
            try advertisement.write(&writer)
        } catch { preconditionFailure("an advertisement fits its datagram") }
        datagram = bytes
        do throws(Errno) { try listen() } catch {
            // Then it is heard, and cannot be connected: it happens with real ones.
        }
        send()
    }

    private func listen() throws(Errno) {
        let path = folder.device(address)
        let socket = try AirSocket.packets()
        let raw = socket.rawValue
        _ = unsafe unlink(path)
        try AirSocket.bind(raw, to: path)
        try AirSocket.listen(raw)
        listener = consume socket
        poll.watch(raw, .readable) { [weak self] _ in self?.accept() }
    }

    private func accept() {
        guard let raw = listener?.rawValue, let accepted = AirSocket.accept(raw) else { return }
        let bearer = ATTSocket(owning: accepted, on: poll)
        if let onConnection { onConnection(bearer) } else { bearer.close() }
    }

    private func send() {
        AirSocket.send(datagram.span, from: sender.rawValue, to: folder.radio)
        timer = poll.loop.schedule(at: poll.loop.now + Self.interval) { [weak self] in
            self?.send()
        }
    }

    private func fallSilent() {
        if let timer { poll.loop.cancel(timer) }
        timer = nil
        guard let raw = listener?.rawValue else { return }
        poll.unwatch(raw)
        listener = nil
        _ = unsafe unlink(folder.device(address))
    }
}

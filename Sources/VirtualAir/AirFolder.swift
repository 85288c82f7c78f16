internal import Base
internal import CLinux
internal import Glibc
package import LinuxIO
internal import MatterNode

/// A folder in which local sockets stand for Bluetooth: who looks there hears who advertises
/// there, and connects to it. For programs that are tried on a machine without a radio.
///
/// | Name | Socket | What passes |
/// | --- | --- | --- |
/// | `radio` | datagrams | an advertiser's address, its kind, and its advertisement |
/// | an address | packets in order, a connection each | ATT |
package struct AirFolder: Sendable {
    let path: String

    /// - Throws: where the folder is not there and cannot be made, or its name is too long.
    package init(_ path: String) throws(Errno) {
        self.path = path
        try LocalAddress.checkLength("\(path)/0123456789ab")
        do throws(Errno) { try Syscall.call { unsafe mkdir(path, 0o700) } } catch {
            if error.rawValue != EEXIST { throw error }
        }
    }

    var radio: String { "\(path)/radio" }

    func device(_ address: BluetoothAddress) -> String {
        let octets = [UInt8](address.octets)
        return "\(path)/\(Hex.lower(octets.span))"
    }
}

/// Not the cluster.
typealias Descriptor = LinuxIO.Descriptor

/// Local sockets that do not block.
enum AirSocket {
    static func datagrams() throws(Errno) -> Descriptor {
        try Descriptor { socket(AF_UNIX, flags | Int32(SOCK_DGRAM.rawValue), 0) }
    }

    static func packets() throws(Errno) -> Descriptor {
        try Descriptor { socket(AF_UNIX, flags | Int32(SOCK_SEQPACKET.rawValue), 0) }
    }

    static func bind(_ raw: Int32, to path: String) throws(Errno) {
        try Syscall.call { unsafe LocalAddress.call(path) { unsafe Glibc.bind(raw, $0, $1) } }
    }

    static func connect(_ raw: Int32, to path: String) throws(Errno) {
        try Syscall.call { unsafe LocalAddress.call(path) { unsafe Glibc.connect(raw, $0, $1) } }
    }

    static func listen(_ raw: Int32) throws(Errno) {
        try Syscall.call { Glibc.listen(raw, pendingConnections) }
    }

    /// - Returns: nil when nobody waits any more.
    static func accept(_ raw: Int32) -> Int32? {
        (try? Syscall.attempt { clinux_accept(raw) }) ?? nil
    }

    /// One that is lost is no fault: it is air.
    static func send(_ bytes: Span<UInt8>, from raw: Int32, to path: String) {
        _ = unsafe bytes.withUnsafeBytes { bytes in
            unsafe LocalAddress.call(path) { address, size in
                Int32(
                    unsafe sendto(
                        raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), address, size))
            }
        }
    }

    /// - Returns: octets of the next datagram, or nil when there is none.
    static func receive(_ raw: Int32, into buffer: inout MutableSpan<UInt8>) -> Int? {
        let count = try? Syscall.attempt {
            unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recv(raw, bytes.baseAddress, bytes.count, 0)
            }
        }
        return count ?? nil
    }

    private static let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    /// A device has one commissioner; the others are sent away one by one.
    private static let pendingConnections: Int32 = 4
}

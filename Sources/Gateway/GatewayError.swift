package import Matter
package import MatterNode

/// Why the gateway did not do what it was asked, beside commissioning.
package enum GatewayError: Error, Equatable {
    case store(StoreError)
    /// Our own fabric cannot be used.
    case fabric(FabricError)
    case connection(ConnectionError)
    case peer(PeerError)
    /// A write that would take our own administration away. Core §6.6.6.2: nobody could then
    /// give it back.
    case dropsOwnAdministration
    /// The device was not opened for others, or not closed.
    case sharing(SharingError)
    /// The device refused to let go of our fabric.
    case notRemoved(OpenEnum<OperationalCredentials.NodeOperationalCertStatus>)
}

extension GatewayError {
    /// The device is not there, as far as can be told from here.
    var isOfAbsence: Bool {
        switch self {
        case .connection(.notFound): true
        case .connection(.handshake(.exchange(let error))), .peer(.exchange(let error)):
            error == .unreachable || error == .noAnswer || error == .sessionEnded
        case .store, .fabric, .connection, .peer, .dropsOwnAdministration, .sharing, .notRemoved:
            false
        }
    }
}

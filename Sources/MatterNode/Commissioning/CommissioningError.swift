package import Matter

/// What did not work in a commissioning that did.
package enum CommissioningWarning: Sendable, Equatable {
    /// The device did not take the label: often another fabric on it has the same one.
    /// Core §11.18.6.11.
    case fabricLabelRefused(OpenEnum<OperationalCredentials.NodeOperationalCertStatus>)
    case fabricLabelFailed(PeerError)
    /// The device does not see the network that it is to join. It may be hidden, so that it is
    /// tried all the same.
    /// - isOf2GHzOnly: the device has no other band.
    case networkNotSeen(isOf2GHzOnly: Bool)
    /// The network that it sees by this name is open and we have a passphrase, or the other way
    /// round.
    case networkSecurity(isOpen: Bool)
    /// dBm.
    case networkWeak(signalStrength: Int8)
    case bluetooth(BluetoothNotice)
    /// The device has not joined, and is kept waiting for so many seconds for another network.
    case otherNetworkWanted(NetworkFailure, seconds: Int)
}

/// Why a device has not joined a network. Core §11.9.5.4.
package enum NetworkFailure: Equatable, Sendable {
    package enum Technology: Sendable { case wiFi, thread }

    /// It can join networks of these kinds, and there are no credentials of any.
    case noCredentials(wiFi: Bool, thread: Bool)
    /// - errorValue: the maker's own number.
    case refused(
        Technology, OpenEnum<NetworkCommissioning.NetworkingStatus>, errorValue: Int32?,
        detail: String)
}

/// Why a device was not commissioned: where it stopped, why, and what a person can do about it.
package struct CommissioningError: Error, Equatable {
    package let step: CommissioningStep
    package let cause: Cause

    package init(_ step: CommissioningStep, _ cause: Cause) {
        self.step = step
        self.cause = cause
    }

    package enum Cause: Error, Equatable {
        /// Nothing with this discriminator was seen in the time given.
        case notFound
        /// It was seen and none of its addresses answered.
        case noAnswer
        /// The passcode is not that of any device that was found.
        case wrongPasscode(devices: Int)
        case handshake(HandshakeFailure)
        /// A command or read on the way.
        case interaction(PeerError)
        /// A command's own answer: `CommissioningError` codes of Core §11.10.5.1.
        case refused(OpenEnum<GeneralCommissioning.CommissioningError>, detail: String)
        case attestation(AttestationError)
        /// `NodeOperationalCertStatus` of Core §11.18.4.3.
        case credentials(
            OpenEnum<OperationalCredentials.NodeOperationalCertStatus>, detail: String)
        /// It is a member of this fabric already.
        case alreadyCommissioned(NodeID)
        /// It has no network yet and did not join the one it was given.
        case network(NetworkFailure)
        /// It can join networks of these kinds, and there are no credentials of any.
        case noNetworkCredentials(wiFi: Bool, thread: Bool)
        case bluetooth(BluetoothFailure)
        case store(StoreError)
        case cancelled
        /// Checks before the start failed; each says what and what to do.
        case notPrepared([String])
    }
}

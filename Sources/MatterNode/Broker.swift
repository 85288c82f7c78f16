/// A connection to an MQTT broker, for one owner: one attempt at a time, nothing is tried twice
/// here, and nothing that the broker has not acknowledged outlives the connection.
package protocol Broker: AnyObject, Sendable {
    /// Called on the loop, outside any actor, never from within a call of this protocol.
    var onEvent: ((BrokerEvent) -> Void)? { get set }

    /// Begins an attempt; `connected` or `ended` tells what becomes of it, within a bounded time.
    func connect()
    /// Ends the connection or the attempt at once; no event tells of it.
    /// - Parameter isOrderly: with a word to the broker, so that it does not publish the will.
    func disconnect(isOrderly: Bool)

    /// Hands a message over to be delivered at least once. Never blocks.
    /// - Returns: what `published` will say; nil when it was not taken.
    func publish(_ message: BrokerMessage) -> UInt16?
    /// - Returns: false when it was not taken.
    @discardableResult
    func subscribe(_ filter: String) -> Bool
    @discardableResult
    func unsubscribe(_ filter: String) -> Bool

    /// The files with secrets of ours that every user of this machine may read, as they are now.
    var exposedFiles: [BrokerFailure.File] { get }
}

package struct BrokerMessage: Equatable, Sendable {
    package let topic: String
    package let payload: [UInt8]
    /// Sent: to be kept for those who subscribe later. Received: it was kept, and is old.
    package let isRetained: Bool

    package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}

package enum BrokerEvent: Equatable, Sendable {
    case connected
    /// The attempt failed, or the connection was lost.
    case ended(BrokerFailure)
    /// The broker has acknowledged this message.
    case published(UInt16)
    case received(BrokerMessage)
}

package enum BrokerFailure: Error, Hashable, Sendable {
    case nameNotFound
    /// The resolver did not answer.
    case lookupTimedOut
    /// Nothing accepts connections there; the system's error number.
    case cannotConnect(errno: Int32)
    /// No answer, of the network or of the broker.
    case timedOut
    /// A file that the configuration names cannot be read.
    case cannotRead(File, errno: Int32)
    /// It is no file of certificates or keys in PEM, or the two do not belong together.
    case unusable(File)
    case notTrusted(Distrust)
    /// There is no TLS, or none that both know; also a refused client certificate.
    case noTLS
    case refused(Refusal)
    /// Cut, silent, or no MQTT.
    case lost
    /// This program was built without MQTT.
    case notBuilt

    package enum File: Hashable, Sendable { case authorities, certificate, key, password }

    package enum Distrust: Hashable, Sendable {
        case otherName
        case expired
        /// Or this machine's clock is wrong.
        case notYetValid
        case unknownAuthority
    }

    /// MQTT 3.1.1 §3.2.2.3.
    package enum Refusal: Hashable, Sendable {
        case identifier, unavailable, credentials, notAuthorized
        case other(Int32)
    }
}

/// Where the broker is, and who we are there.
package struct BrokerSettings: Equatable, Sendable {
    /// A name or an address.
    package var host: String
    package var port: UInt16
    /// Always verified, by the host's name.
    package var usesTLS: Bool
    /// A PEM file; nil is the system's.
    package var authorities: String?
    /// PEM files, both or neither.
    package var certificate: String?
    package var key: String?
    package var user: String?
    /// A file with one line; read anew with every attempt.
    package var passwordFile: String?

    package init(host: String, port: UInt16, usesTLS: Bool) {
        self.host = host
        self.port = port
        self.usesTLS = usesTLS
    }
}

/// Of one connection: how the broker knows us, and what it publishes when we are gone.
package struct BrokerIdentity: Equatable, Sendable {
    package let clientID: String
    /// Retained.
    package let willTopic: String
    package let willPayload: String

    package init(clientID: String, willTopic: String, willPayload: String) {
        self.clientID = clientID
        self.willTopic = willTopic
        self.willPayload = willPayload
    }
}

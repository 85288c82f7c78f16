internal import Base
package import Crypto
package import Matter

/// Why no session came about.
package enum HandshakeFailure: Error, Equatable {
    case exchange(ExchangeError)
    case pase(PASEError)
    case operational(CASEError)

    /// The peer said that it is occupied, and for how long at least.
    package var busyWait: Duration? {
        switch self {
        case .pase(.busy(let wait)), .operational(.busy(let wait)): wait
        default: nil
        }
    }
}

extension HandshakeFailure {
    /// Whether a peer that was asked to resume a session may have failed over just that. Not one
    /// that is not there or occupied, that went on in full, or that is none of our fabric.
    var mayBeOfResumption: Bool {
        switch self {
        case .exchange(let error): error == .noAnswer
        case .pase: false
        case .operational(.statusReport(let report)):
            report.secureChannelCode != .noSharedTrustRoots
        case .operational(.unexpected), .operational(.oversized), .operational(.malformed),
            .operational(.zeroSessionID), .operational(.resumptionFailed):
            true
        case .operational: false
        }
    }
}

/// A session with keys, and what its handshake proved.
package struct SecureSession: Sendable {
    package let handle: SessionHandle
    package let attestationChallenge: Secret
    /// For the next session with this peer; nil after PASE.
    package let resumption: SessionResumption?
}

/// The side of a handshake that begins it: what PASE and CASE have in common.
private protocol HandshakeInitiator: Sendable {
    associatedtype Failure: Error
    mutating func start(using random: inout some RandomSource) -> HandshakeMessage
    mutating func receive(
        _ opcode: SecureChannelOpcode, _ payload: Span<UInt8>,
        using random: inout some RandomSource
    ) throws(Failure) -> HandshakeStep
    /// The failure, and what the peer is to be told of it, if anything.
    static func describe(_ error: Failure) -> (HandshakeFailure, StatusReport?)
}

extension PASEInitiator: HandshakeInitiator {
    fileprivate static func describe(_ error: PASEError) -> (HandshakeFailure, StatusReport?) {
        (.pase(error), error.reply)
    }
}

extension CASEInitiator: HandshakeInitiator {
    fileprivate static func describe(_ error: CASEError) -> (HandshakeFailure, StatusReport?) {
        (.operational(error), error.reply)
    }
}

extension Node {
    /// Establishes a PASE session with a device whose passcode is known. Core §4.14.1.
    /// - Parameter parameters: what the device's service record says of its radio.
    package func establishPASE(
        at address: PeerAddress, passcode: Secret, parameters: SessionParameters
    ) async throws(HandshakeFailure) -> SecureSession {
        let reserved = try reserve()
        let initiator = PASEInitiator(
            passcode: passcode, sessionID: reserved.id, peerParameters: parameters)
        return try await establish(
            reserved, initiator, local: .unspecified, peer: .unspecified, at: address,
            parameters: parameters, processing: Self.paseProcessing)
    }

    /// Establishes a CASE session with a node of our fabric. Core §4.14.2.
    /// - Parameter resumption: of the last session with `peer`.
    package func establishCASE(
        with peer: NodeID, at address: PeerAddress, credentials: CASECredentials,
        parameters: SessionParameters, resumption: SessionResumption? = nil, now: MatterTime
    ) async throws(HandshakeFailure) -> SecureSession {
        let reserved = try reserve()
        let initiator = CASEInitiator(
            credentials: credentials, peer: peer, sessionID: reserved.id,
            peerParameters: parameters, resumption: resumption, at: now)
        return try await establish(
            reserved, initiator, local: credentials.nodeID, peer: peer, at: address,
            parameters: parameters, processing: Self.caseProcessing)
    }

    private func reserve() throws(HandshakeFailure) -> MessageLayer.ReservedSession {
        do throws(ExchangeError) { return try reserveSession() } catch {
            throw .exchange(error)
        }
    }

    private func establish<Initiator: HandshakeInitiator>(
        _ reserved: MessageLayer.ReservedSession, _ initiator: Initiator, local: NodeID,
        peer: NodeID, at address: PeerAddress, parameters: SessionParameters,
        processing: Duration
    ) async throws(HandshakeFailure) -> SecureSession {
        handshakes += 1
        defer { handshakes -= 1 }
        do throws(HandshakeFailure) {
            let (secrets, address) = try await shakeHands(
                initiator, at: address, parameters: parameters, processing: processing)
            establish(reserved, secrets, local: local, peer: peer, address: address)
            return SecureSession(
                handle: reserved.handle, attestationChallenge: secrets.attestationChallenge,
                resumption: secrets.resumption)
        } catch {
            removeSession(reserved.handle)
            throw error
        }
    }

    /// Runs a handshake in an exchange of a session without keys, which ends with it.
    private func shakeHands<Initiator: HandshakeInitiator>(
        _ initiator: Initiator, at address: PeerAddress, parameters: SessionParameters,
        processing: Duration
    ) async throws(HandshakeFailure) -> (SessionSecrets, PeerAddress) {
        let session: SessionHandle
        let exchange: ExchangeHandle
        do throws(ExchangeError) {
            session = try openUnsecured(to: address, parameters: parameters)
            exchange = try open(session)
        } catch {
            throw .exchange(error)
        }
        do throws(HandshakeFailure) {
            let secrets = try await converse(initiator, on: exchange, processing: processing)
            let address = self.address(of: session) ?? address
            close(exchange)
            // The peer of a resumed session has it when our last word has arrived.
            retireSession(session)
            return (secrets, address)
        } catch {
            close(exchange)
            removeSession(session)
            throw error
        }
    }

    private func converse<Initiator: HandshakeInitiator>(
        _ initiator: Initiator, on exchange: ExchangeHandle, processing: Duration
    ) async throws(HandshakeFailure) -> SessionSecrets {
        var initiator = initiator
        var random = randomSource
        try say(initiator.start(using: &random), on: exchange)
        while true {
            let answer = try await hear(on: exchange, processing: processing)
            let step: HandshakeStep
            do throws(Initiator.Failure) {
                step = try advance(&initiator, answer)
            } catch {
                let (failure, reply) = Initiator.describe(error)
                if let reply { try? say(HandshakeMessage(reply), on: exchange) }
                throw failure
            }
            switch step {
            case .send(let message): try say(message, on: exchange)
            case .established(let secrets): return secrets
            case .sendAndEstablish(let message, let secrets):
                try say(message, on: exchange)
                return secrets
            }
        }
    }

    private func say(
        _ message: HandshakeMessage, on exchange: ExchangeHandle
    ) throws(HandshakeFailure) {
        do throws(ExchangeError) {
            try send(
                on: exchange, .secureChannel, opcode: message.opcode.rawValue,
                message.payload.span)
        } catch { throw .exchange(error) }
    }

    private func hear(
        on exchange: ExchangeHandle, processing: Duration
    ) async throws(HandshakeFailure) -> IncomingMessage {
        do throws(ExchangeError) {
            return try await receive(on: exchange, .secureChannel, processing: processing)
        } catch { throw .exchange(error) }
    }

    private func advance<Initiator: HandshakeInitiator>(
        _ initiator: inout Initiator, _ message: IncomingMessage
    ) throws(Initiator.Failure) -> HandshakeStep {
        var random = randomSource
        return try initiator.receive(
            SecureChannelOpcode(rawValue: message.opcode), message.payload.span, using: &random)
    }

    /// What a device may think over each message: PBKDF2 with 100,000 iterations on a slow core.
    private static var paseProcessing: Duration { .seconds(10) }
    /// Two signatures, two key agreements and a chain on a slow core.
    private static var caseProcessing: Duration { .seconds(5) }
}

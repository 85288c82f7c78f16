import Base
import Gateway
import Matter
import MatterNode
import Testing

@Suite("Explanation")
struct ConsoleExplanationTests {
    /// What a person reads is one line with a cause and something to do.
    static func check(_ explanation: Explanation) {
        #expect(!explanation.cause.isEmpty && !explanation.remedy.isEmpty)
        let output = explanation.output
        #expect(output.notices == ["\(explanation.cause): \(explanation.remedy)".escapingControls])
        #expect(!output.notices[0].contains("\n"))
        #expect(output.lines.isEmpty && output.document == .null)
        #expect(output.exitCode == explanation.kind.exitCode && output.exitCode != .ok)
        for text in [explanation.cause, explanation.remedy] {
            #expect(!text.hasSuffix(".") && !text.hasSuffix(" "), "\(text)")
            // Swift's own names for a case are nobody's language.
            #expect(!text.contains("(_:") && !text.contains("Error."), "\(text)")
        }
    }

    @Test(
        "a run that failed says step, cause and remedy in one line",
        arguments: [
            (
                CommissioningError(.discover, .notFound),
                "looking for the device: no device with this code is to be found: check that it"
                    + " has power, is ready to be added as its leaflet says, and is on the same"
                    + " network; discover shows what is there",
                ExitCode.unavailable
            ),
            (
                CommissioningError(.establishPASE, .wrongPasscode(devices: 1)),
                "connecting with the passcode: the passcode is not this device's: compare the"
                    + " code with the label; if an app opened the device for pairing, it shows"
                    + " another code, which is the one to use",
                .noPermission
            ),
            (
                CommissioningError(
                    .armFailSafe, .refused(OpenEnum(.busyWithOtherAdmin), detail: "")),
                "arming its fail-safe: another app or gateway is adding it just now: let that"
                    + " one finish, or wait a few minutes, and try again",
                .temporaryFailure
            ),
            (
                CommissioningError(
                    .addNOC, .credentials(OpenEnum(.tableFull), detail: "full\u{1B}")),
                "giving it its identity: it has as many owners as it can have (\"full\\u{1B}\"):"
                    + " remove it from another app, or reset it",
                .noPermission
            ),
            (
                CommissioningError(.prepare, .notPrepared(["clock: wrong: set it"])),
                "checking the gateway: clock: wrong: set it: prepare shows all checks",
                .configuration
            ),
        ])
    func commissioning(error: CommissioningError, line: String, code: ExitCode) {
        let explanation = Explanation(error)
        #expect(explanation.line == line)
        #expect(explanation.kind.exitCode == code)
    }

    @Test("what the label says must be done first is the remedy when nothing is found")
    func hint() {
        let explanation = Explanation(
            CommissioningError(.discover, .notFound), hint: "press its button")
        #expect(explanation.remedy == "press its button")
    }

    private static let causes: [CommissioningError.Cause] = [
        .notFound, .noAnswer, .wrongPasscode(devices: 1), .wrongPasscode(devices: 3),
        .handshake(.exchange(.unreachable)), .handshake(.pase(.wrongPasscode)),
        .handshake(.operational(.invalidSignature)), .interaction(.exchange(.noAnswer)),
        .interaction(.interaction(.missingResponse)),
        .attestation(.invalidSignature), .alreadyCommissioned(NodeID(1)), .store(.full),
        .cancelled, .notPrepared(["a", "b"]), .noNetworkCredentials(wiFi: true, thread: true),
        .noNetworkCredentials(wiFi: false, thread: true),
        .network(.refused(.thread, OpenEnum(.authFailure), errorValue: nil, detail: "")),
        .bluetooth(.link(.disconnected)), .bluetooth(.link(.gatt(.serviceNotFound))),
        .bluetooth(.radio(.noAdapter)), .bluetooth(.radio(.noKernelSupport)),
        .bluetooth(.radio(.notPermitted)), .bluetooth(.radio(.blocked)),
        .bluetooth(.radio(.noLowEnergy)), .bluetooth(.radio(.cannotPower)),
        .bluetooth(.radio(.inUse)), .bluetooth(.radio(.connectionFailed(reason: 0x3E))),
        .bluetooth(.radio(.timedOut)), .bluetooth(.radio(.system(errno: 5))),
    ]

    @Test("every cause of a failed run has its words")
    func causes() {
        for cause in Self.causes { Self.check(Explanation(CommissioningError(.addNOC, cause))) }
        for code in 0...8 {
            Self.check(
                Explanation(
                    CommissioningError(
                        .armFailSafe,
                        .refused(OpenEnum(rawValue: UInt8(code)), detail: code > 4 ? "x" : ""))))
        }
        for status in 0...14 {
            Self.check(
                Explanation(
                    CommissioningError(
                        .connectNetwork,
                        .network(
                            .refused(
                                .wiFi, OpenEnum(rawValue: UInt8(status)), errorValue: -3,
                                detail: "x")))))
        }
        let warnings: [CommissioningWarning] = [
            .networkNotSeen(isOf2GHzOnly: true), .networkNotSeen(isOf2GHzOnly: false),
            .networkSecurity(isOpen: true), .networkSecurity(isOpen: false),
            .networkWeak(signalStrength: -90), .bluetooth(.powerCycled(failures: 3)),
        ]
        for warning in warnings { Self.check(Explanation(warning)) }
        for status in 0...12 {
            Self.check(
                Explanation(
                    CommissioningError(
                        .addNOC, .credentials(OpenEnum(rawValue: UInt8(status)), detail: ""))))
        }
    }

    @Test("every failure of a handshake has its words")
    func handshakes() {
        let report = StatusReport(.failure, .invalidParameter)
        let foreign = StatusReport(
            generalCode: GeneralCode(rawValue: 9), protocolID: ProtocolID(7), protocolCode: 3)
        let pase: [PASEError] = [
            .statusReport(report), .statusReport(foreign), .busy(wait: .seconds(5)),
            .unexpected(.pake1), .oversized(bytes: 9), .malformed(.truncated(at: 3)),
            .randomMismatch, .zeroSessionID, .unknownPasscodeID(1), .missingPBKDFParameters,
            .iterationsOutOfRange(1), .saltOutOfRange(bytes: 1), .invalidPoint, .wrongPasscode,
        ]
        for error in pase { Self.check(Explanation(error)) }
        let operational: [CASEError] = [
            .statusReport(report), .statusReport(StatusReport(.failure, .noSharedTrustRoots)),
            .busy(wait: .milliseconds(10)), .unexpected(.sigma1), .oversized(bytes: 9),
            .malformed(.missing(tag: 1)), .zeroSessionID, .noSharedTrustRoots, .invalidPoint,
            .authenticationFailed, .certificate(.expired(.node)), .wrongFabric(FabricID(1)),
            .wrongNode(NodeID(2)), .invalidSignature, .incompleteResumption, .resumptionFailed,
        ]
        for error in operational { Self.check(Explanation(error)) }
        #expect(Explanation(PASEError.busy(wait: .seconds(5))).remedy == "try again in 5 s")
        #expect(Explanation(CASEError.busy(wait: .milliseconds(10))).remedy == "try again in 1 s")
        #expect(Explanation(CASEError.noSharedTrustRoots).cause.contains("does not know"))
    }

    @Test("every refusal of a certificate has its words")
    func certificates() {
        let errors: [CertificateError] = [
            .tooLong, .malformedTLV(.truncated(at: 1)), .malformedDER(.truncated(at: 1)),
            .malformedDER(.invalidLength(at: 1)), .malformedDER(.unexpectedTag(at: 1)),
            .malformedDER(.invalidValue(at: 1)), .malformedDER(.trailingBytes(at: 1)),
            .notRepresentable, .invalidPublicKey, .invalidSerialNumber, .noCertificate,
            .duplicateExtension, .invalidRequestSignature, .wrongAuthorityKey,
            .notYetValid(.root), .expired(.intermediate), .wrongSubject(.node),
            .wrongBasicConstraints(.node), .wrongKeyUsage(.node), .wrongExtendedKeyUsage(.node),
            .unknownCriticalExtension(.node), .pathTooLong(.root), .wrongIssuer(.node),
            .wrongFabric(.node), .invalidSignature(.node),
        ]
        for error in errors { Self.check(Explanation(CASEError.certificate(error))) }
        Self.check(Explanation(AttestationError.expired))
        #expect(
            Explanation(AttestationError.notYetValid).line
                == "the device certificate is not valid yet: check the gateway's clock")
    }

    @Test("every failure of the store has its words")
    func stores() {
        let errors: [StoreError] = [
            .cannotOpen(errno: 13), .cannotOpen(errno: 999), .inUse, .damaged, .tooNew(version: 9),
            .full, .readOnly, .failed(code: 10),
        ]
        for error in errors { Self.check(Explanation(error)) }
        #expect(Explanation(errors[0]).cause.contains("permission denied"))
        #expect(Explanation(errors[0]).kind.exitCode == .cannotCreate)
        #expect(Explanation(StoreError.inUse).kind.exitCode == .temporaryFailure)
        #expect(Explanation(StoreError.damaged).kind.exitCode == .inputOutput)
    }

    @Test("every failure of a question or a command has its words")
    func interactions() throws {
        let path = OnOff.onOff.path(EndpointID(1))
        let errors: [InteractionError] = [
            .malformed(.wrongType(tag: 1)), .unexpectedOpcode(.readRequest),
            .unexpectedPath(
                CommandPath(endpoint: nil, cluster: OnOff.id, command: CommandID(1))),
            .missingResponse, .strayListItem(path), .tooLarge, .tooMuch, .unexpectedSubscription(1),
            .status(.failure, clusterStatus: 3),
        ]
        for error in errors { Self.check(Explanation(PeerError.interaction(error))) }
        for status in UInt8.min...UInt8.max {
            Self.check(Explanation(InteractionStatus(status), clusterStatus: nil))
        }
        let exchanges: [ExchangeError] = [
            .unreachable, .noAnswer, .sessionEnded, .cancelled, .message(.noRoom),
            .message(.tooLong), .message(.duplicate), .foreignProtocol(.secureChannel),
        ]
        for error in exchanges { Self.check(Explanation(PeerError.exchange(error))) }
        #expect(Explanation(ExchangeError.cancelled).kind.exitCode == .interrupted)
        #expect(Explanation(ExchangeError.unreachable).kind.exitCode == .unavailable)
    }

    @Test("what a person typed has its words")
    func input() {
        let path = OnOff.onOff.path(EndpointID(1))
        let values: [ValueError] = [
            .readOnly(path), .malformedJSON, .wrongType(path), .outOfRange(path),
            .notANumber(path, .temperature), .tooPrecise(path, .temperature), .tooLong(path),
            .unknownField(path), .missingField(path, 3),
        ]
        for error in values { Self.check(Explanation(error)) }
        Self.check(Explanation(EndpointError.none(OnOff.id)))
        Self.check(Explanation(EndpointError.several(OnOff.id, [EndpointID(1), EndpointID(2)])))
        Self.check(Explanation(SetupPayloadError.checkDigit))
        #expect(Explanation(SetupPayloadError.checkDigit).kind.exitCode == .dataError)
        Self.check(Explanation.noCodeOnStandardInput)
        #expect(Explanation.noCodeOnStandardInput.kind.exitCode == .noInput)
        Self.check(Explanation(UsageError.noCommand))
        Self.check(Explanation(UsageError.notUTF8))
        #expect(
            Explanation(UsageError.unknownCommand(EchoedWord("parr"), nearest: .pair)).line
                == "\"parr\" is no command: did you mean pair?")
    }

    @Test("a device that is not found, or not alone, is told with what there is")
    func selectors() {
        let unknown = Explanation(NodeSelectorError.unknown(EchoedWord("attic"), devices: 3))
        Self.check(unknown)
        #expect(
            unknown.line == "there is no device \"attic\": devices lists those there are")
        Self.check(Explanation(NodeSelectorError.unknown(EchoedWord("attic"), devices: 0)))
        let ambiguous = Explanation(
            NodeSelectorError.ambiguous(
                EchoedWord("hall"),
                [SampleNodes.sensor, SampleNodes.plug]
                    + Array(repeating: SampleNodes.lamp, count: 5)))
        Self.check(ambiguous)
        #expect(
            ambiguous.remedy.hasPrefix(
                "say more of the name, or the id: 0x123456789ABCDEF0 \"Hall sensor\","
                    + " 0x0000000000000007, "))
        #expect(ambiguous.remedy.hasSuffix(", and 2 more"))
        let endpoint = Explanation(
            NodeSelectorError.noEndpoint(EndpointID(4), SampleNodes.plug))
        #expect(endpoint.line == "Plug\\u{1B}[31m has no endpoint 4: it has 2, 3")
        #expect(endpoint.kind.exitCode == .noHost)
    }
}

@Suite("PairingProgress")
struct ConsoleProgressTests {
    private func seconds(_ tenths: Int64) -> Instant {
        Instant(nanoseconds: tenths * 100_000_000)
    }

    @Test("each step is a line that is completed with the time it took")
    func steps() {
        var progress = PairingProgress()
        #expect(progress.begin(.prepare, at: seconds(0)) == "[ 1/20] checking the gateway … ")
        #expect(
            progress.begin(.establishPASE, at: seconds(4))
                == "0.4 s\n[ 3/20] connecting with the passcode … ")
        #expect(
            progress.begin(.store, at: seconds(127)) == "12.3 s\n[20/20] storing it … ")
        #expect(progress.end(at: seconds(127)) == "0 ms\n")
        #expect(progress.end(at: seconds(128)) == "")
    }

    @Test("a step that failed says so on its line")
    func failure() {
        var progress = PairingProgress()
        #expect(progress.fail() == "")
        _ = progress.begin(.discover, at: seconds(0))
        #expect(progress.fail() == "failed\n")
        #expect(progress.end(at: seconds(9)) == "")
    }
}

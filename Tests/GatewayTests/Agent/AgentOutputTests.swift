import Base
import Gateway
import Matter
import MatterNode
import Testing

@Suite("What the agent tells")
struct AgentOutputTests {
    @Test("every refusal says what and what to do")
    func refusals() {
        let labels: [WiFiLabelError] = [
            .malformed, .cutOff, .noSSID, .ssidTooLong, .noPassphrase, .passphraseLength,
            .enterprise, .wep, .unknownSecurity,
        ]
        let faulty: [InstallerLineError] =
            labels.map { .wiFi($0) } + [
                .payload(.checkDigit), .label(isTooLong: true), .label(isTooLong: false),
            ]
        let refusals: [AgentEvent.Refusal] =
            [.windowClosed, .notAPayload, .queueFull] + faulty.map { .faulty($0) }
            + [SerialCodes.Fault.tooLong, .binary, .tooMany].map { .dropped($0) }
        for refusal in refusals { ConsoleExplanationTests.check(Explanation(refusal)) }
        for fault in [ButtonWindow.Fault.heldAtStart, .stuck] {
            ConsoleExplanationTests.check(Explanation(fault))
        }
        #expect(
            Explanation(.enterprise).line
                == "WPA2-EAP: this network wants an account, which devices lack: scan the label of"
                + " a network with a passphrase")
    }

    @Test("text from labels is harmless to a terminal")
    func escaping() {
        let output = AgentOutput.event(.wiFi(ssid: Array("a\u{1B}[2Jb".utf8)))
        #expect(
            output?.lines == [
                "Wi-Fi \"a\\u{1B}[2Jb\" is used for devices from now on"
            ])
    }

    @Test("what was accepted says how many wait before it, and what to do first")
    func accepted() {
        func line(_ devices: Int, _ waiting: Int, _ hint: String? = nil) -> [String]? {
            AgentOutput.event(.accepted(devices: devices, waiting: waiting, hint: hint))?.lines
        }
        #expect(line(1, 1) == ["code accepted"])
        #expect(line(1, 4) == ["code accepted, 3 before it"])
        #expect(line(3, 3, "press it") == ["code accepted: 3 devices: press it"])
    }

    @Test("status as text and as JSON")
    func status() {
        var status = AgentStatus()
        #expect(
            AgentOutput.status(status, devices: 2).lines
                == [
                    "window:       closed", "adding:       nothing", "waiting:      0",
                    "devices:      2", "running for:  0 s", "version:      \(GatewayVersion.text)",
                ])
        status.windowLeft = .milliseconds(59_001)
        status.step = .establishCASE
        status.waiting = 3
        status.isResetArmed = true
        status.isButtonFaulty = true
        status.ssid = Array("Home".utf8)
        status.upTime = .seconds(4_000)
        let output = AgentOutput.status(status, devices: 2, memory: 1_234_567)
        #expect(
            output.lines == [
                "window:         open for 60 s", "adding:         connecting with its identity",
                "waiting:        3", "devices:        2", "Wi-Fi:          \"Home\"",
                "factory reset:  armed", "button:         held down or stuck",
                "running for:    1 h 6 min", "memory:         1.2 MB",
                "version:        \(GatewayVersion.text)",
            ])
        #expect(
            output.document.text == """
                {"window_open":true,"window_seconds_left":60,"run":{"step":13,"title":"connecting \
                with its identity"},"waiting":3,"devices":2,"online":null,\
                "offline":null,"alerts":0,"mqtt":null,"wifi_ssid":"Home","reset_armed":true,\
                "button_faulty":true,\
                "last_failure":null,"up_seconds":4000,"memory_octets":1234567,\
                "version":"\(GatewayVersion.text)"}
                """)
    }

    @Test(
        "the lamp's codes: where a run failed and why",
        arguments: [
            (.discover, .notFound, 2), (.establishPASE, .noAnswer, 2),
            (.establishPASE, .wrongPasscode(devices: 1), 3),
            (.verifyAttestation, .attestation(.expired), 4),
            (.addNOC, .credentials(OpenEnum(.tableFull), detail: ""), 2),
            (.armFailSafe, .refused(OpenEnum(.busyWithOtherAdmin), detail: ""), 2),
            (.findOperational, .notFound, 6),
            (.establishCASE, .handshake(.exchange(.noAnswer)), 6),
            (.commissioningComplete, .interaction(.exchange(.unreachable)), 6),
            (.store, .store(.full), 7), (.prepare, .notPrepared([]), 7),
            (.discover, .cancelled, nil),
            (.connectNetwork, .noNetworkCredentials(wiFi: true, thread: false), 5),
            (
                .connectNetwork,
                .network(.refused(.wiFi, OpenEnum(.authFailure), errorValue: nil, detail: "")), 5
            ),
            (.connectNetwork, .interaction(.exchange(.sessionEnded)), 5),
            (.discover, .bluetooth(.radio(.noAdapter)), 7),
            (.establishPASE, .bluetooth(.radio(.timedOut)), 2),
        ] as [(CommissioningStep, CommissioningError.Cause, Int?)])
    func lampCodes(step: CommissioningStep, cause: CommissioningError.Cause, code: Int?) {
        #expect(LampPattern.FailureCode(CommissioningError(step, cause))?.rawValue == code)
    }

    @Test("outside of run there is no window, no status and nothing to cancel")
    func noAgent() throws {
        let building = try Building()
        for line in ["window open", "window close", "status", "cancel"] {
            let output = try building.run(line)
            #expect(
                output.notices
                    == [
                        "no agent runs here: start it: matter-gateway run, or"
                            + " systemctl start matter-gateway"
                    ])
            #expect(output.exitCode == .unavailable)
        }
    }
}

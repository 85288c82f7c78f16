internal import Base
internal import LinuxIO
internal import MatterNode
internal import Simulation

/// The broker's machine, which outlives every process of the gateway.
final class MonthBroker: @unchecked Sendable {
    private let loop: Loop
    private var client: ScriptedBroker?
    private var isUp = true
    private var isSilent = false
    private(set) var ledger = ReadingLedger()
    /// By topic, where it is not empty.
    private(set) var retained: [String: String] = [:]
    private(set) var messages = 0
    private(set) var alerts = 0

    init(on loop: Loop) { self.loop = loop }

    func change(_ body: (inout ReadingLedger) -> Void) { body(&ledger) }

    /// For a process that begins.
    func newClient() -> ScriptedBroker {
        let client = ScriptedBroker(on: loop)
        client.onMessage = { [unowned self, unowned client] message in
            if isUp, client === self.client { take(message) }
        }
        self.client = client
        settle()
        return client
    }

    /// The process is gone.
    func clientGone() {
        client = nil
        ledger.connected()
    }

    /// It still takes what comes, and says nothing about it.
    func falter() { client?.isPrompt = false }

    func goDown(isSilent: Bool) {
        isUp = false
        self.isSilent = isSilent
        settle()
        if !isSilent, let client, client.isConnected { client.cut() }
    }

    /// Connections of before do not last.
    func comeUp() {
        isUp = true
        settle()
        if let client, client.isConnected { client.cut() }
    }

    private func settle() {
        client?.accepts = isUp ? true : isSilent ? nil : false
        client?.isPrompt = isUp
    }

    private func take(_ message: BrokerMessage) {
        messages += 1
        if message.isRetained {
            let text = String(decoding: message.payload, as: UTF8.self)
            retained[message.topic] = text.isEmpty ? nil : text
            if message.topic == Self.base + "status" { ledger.connected() }
        }
        if message.topic == Self.base + "alert" { alerts += 1 }
        guard message.topic == Self.base + "history" else { return }
        do throws(JSONTextError) {
            ledger.deliver(try JSONText.parse(message.payload.span))
        } catch { preconditionFailure("the history is told as JSON") }
    }

    static let name = "month"
    static let base = "matter-gateway/month/"
}

internal import Base
package import Matter
package import MatterNode

/// What the agent's events and its commands say.
package enum AgentOutput {
    /// Nil for what only changes the picture.
    package static func event(_ event: AgentEvent) -> Output? {
        switch event {
        case .windowOpened(let seconds):
            return said("window open for \(seconds) s: scan or type setup codes")
        case .windowClosed(let closing): return said("window closed\(reason(closing))")
        case .accepted(let devices, let waiting, let hint):
            let what = devices == 1 ? "code accepted" : "code accepted: \(devices) devices"
            let queue = waiting > devices ? ", \(waiting - devices) before it" : ""
            return said(what + queue + (hint.map { ": \($0)" } ?? ""))
        case .repeated:
            return said("this code was scanned just before: it is not taken twice")
        case .refused(let refusal): return Explanation(refusal).output
        case .room(let room):
            return said(
                room.isEmpty
                    ? "the devices that follow are in no room"
                    : "the devices that follow are in \"\(room)\"")
        case .name(let name):
            return said(
                name.isEmpty
                    ? "the devices that follow have no name"
                    : "the devices that follow are called \"\(name)\"")
        case .wiFi(let ssid):
            return said("Wi-Fi \(NetworkName.text(ssid)) is used for devices from now on")
        case .step, .nodes: return nil
        case .commissioned(let node, let time):
            var output = DeviceOutput.paired([node])
            output.lines = output.lines.map { "added in \(time.secondsText): \($0)" }
            return output
        case .failed(let error, let hint):
            return Explanation(error, hint: hint).at("not added").output
        case .warning(let warning):
            return Output(lines: [], document: .null, notices: [Explanation(warning).line])
        case .tookPlace(let old):
            return Output(lines: [], document: .null, notices: [TakenPlaces.line(old)])
        case .readings(let reports, let node): return readings(reports, node)
        case .reading(let reading, let state):
            return said("\(DeviceOutput.callName(state.node)): \(StateOutput.named(reading))")
        case .link(.left, let node):
            return said(
                "\(DeviceOutput.callName(node)): it has left, and does not know this gateway any"
                    + " more: pair it again, or remove it")
        case .link: return nil
        case .alert(let alert): return AlertOutput.told(alert)
        case .resetArmed:
            return said(
                "factory reset armed: let go, then press shortly within"
                    + " \(WindowLimits.confirmation.waitText) to erase everything; anything else"
                    + " cancels it")
        case .resetCancelled: return said("factory reset cancelled")
        case .resetConfirmed: return said("factory reset confirmed")
        case .buttonFault(let fault): return Explanation(fault).output
        case .buttonFaultEnded: return said("the button is free again")
        }
    }

    /// What the picture shows, in words for the log.
    package static func detail(_ event: AgentEvent) -> Output? {
        switch event {
        case .step(let step): said("adding a device: \(step.title)")
        case .link(let link, let node):
            said("\(DeviceOutput.callName(node)): \(StateOutput.word(link))")
        default: nil
        }
    }

    package static func window(isOpen: Bool, wasOpen: Bool) -> Output {
        let text = isOpen ? nil : wasOpen ? nil : "the window is closed already"
        // What changes is told by the agent's own event.
        return Output(
            lines: text.map { [$0] } ?? [], document: .object([("open", .boolean(isOpen))]))
    }

    package static func cancelled(hadRun: Bool, waiting: Int) -> Output {
        let text =
            hadRun || waiting > 0
            ? "cancelled\(waiting > 0 ? ", and \(waiting) that waited are forgotten" : "")"
            : "nothing is going on that could be cancelled"
        return Output(
            lines: [text],
            document: .object([
                ("cancelled", .boolean(hadRun)), ("forgotten", .integer(Int64(waiting))),
            ]))
    }

    /// - Parameters:
    ///   - failure: the last one.
    ///   - memory: octets that are this process's alone.
    package static func status(
        _ status: AgentStatus, devices: Int, failure: EventRecord? = nil, memory: Int? = nil
    ) -> Output {
        let presence = status.presence
        var sheet = TextSheet()
        let left = status.windowLeft.map { ($0.milliseconds + 999) / 1000 }
        sheet.add("window", left.map { "open for \($0) s" } ?? "closed")
        sheet.add("adding", status.step.map(\.title) ?? "nothing")
        sheet.add("waiting", "\(status.waiting)")
        let answers = presence.map { ": \($0.online) online, \($0.offline) offline" } ?? ""
        sheet.add("devices", "\(devices)\(answers)")
        if status.alerts > 0 { sheet.add("alerts", "\(status.alerts): alert list shows them") }
        if let ssid = status.ssid { sheet.add("Wi-Fi", NetworkName.text(ssid)) }
        if let mqtt = status.mqtt { sheet.add("MQTT", mqtt.text.escapingControls) }
        if status.isResetArmed { sheet.add("factory reset", "armed") }
        if status.isButtonFaulty { sheet.add("button", "held down or stuck") }
        if let failure {
            let time = failure.time > 0 ? "\(UTCText.instant(failure.time)): " : ""
            sheet.add("last failure", time + failure.text)
        }
        sheet.add("running for", time(status.upTime))
        sheet.add("memory", memory.map(size) ?? "")
        sheet.add("version", GatewayVersion.text)
        let ssid = status.ssid.map { String(decoding: $0, as: UTF8.self) }
        let run = status.step.map { step in
            JSONValue.object([
                ("step", .integer(Int64(step.rawValue))), ("title", .string(step.title)),
            ])
        }
        return Output(
            lines: sheet.lines,
            document: .object([
                ("window_open", .boolean(left != nil)),
                ("window_seconds_left", left.map { .integer($0) } ?? .null),
                ("run", run ?? .null), ("waiting", .integer(Int64(status.waiting))),
                ("devices", .integer(Int64(devices))),
                ("online", presence.map { .integer(Int64($0.online)) } ?? .null),
                ("offline", presence.map { .integer(Int64($0.offline)) } ?? .null),
                ("alerts", .integer(Int64(status.alerts))),
                ("mqtt", status.mqtt?.document ?? .null),
                ("wifi_ssid", ssid.map { .string($0) } ?? .null),
                ("reset_armed", .boolean(status.isResetArmed)),
                ("button_faulty", .boolean(status.isButtonFaulty)),
                ("last_failure", failure.map(document) ?? .null),
                ("up_seconds", .integer(status.upTime.milliseconds / 1000)),
                ("memory_octets", memory.map { .integer(Int64($0)) } ?? .null),
                ("version", .string(GatewayVersion.text)),
            ]))
    }

    /// For a line that all devices share: the name and the values, "Cellar 21.43 °C, 48.20 %".
    /// - Parameter reports: nil when it does not answer.
    /// - Returns: nil when it says nothing that could be shown.
    package static func brief(_ node: NodeRecord, _ reports: [AttributeReport]?) -> String? {
        let name = DeviceOutput.callName(node)
        guard let reports else { return "\(name) is away".escapingControls }
        let values = reports.compactMap { report -> String? in
            guard case .data(let data) = report.value else { return nil }
            let text = Clusters.text(data, of: report.path)
            let isSwitch =
                report.path.cluster == OnOff.id && report.path.attribute == OnOff.onOff.id
            return isSwitch ? (text == "true" ? "on" : "off") : text
        }
        guard !values.isEmpty else { return nil }
        return "\(name) \(values.joined(separator: ", "))".escapingControls
    }

    private static func document(_ failure: EventRecord) -> JSONValue {
        .object([
            ("time", failure.time > 0 ? .string(UTCText.instant(failure.time)) : .null),
            ("text", .string(failure.text)),
        ])
    }

    /// `42 s`, `3 min`, `5 h 12 min`, `4 d 3 h`.
    static func time(_ duration: Duration) -> String {
        let seconds = duration.milliseconds / 1000
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min" : "\(seconds) s"
    }

    /// `2.5 MB`, `4.6 GB`.
    static func size(_ octets: Int) -> String {
        let tenths = octets / 100_000
        if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) MB" }
        return "\(tenths / 10_000).\(tenths / 1000 % 10) GB"
    }

    /// One line: what the values are of is plain to whoever has just added the device.
    private static func readings(_ reports: [AttributeReport], _ node: NodeRecord) -> Output? {
        var values: [String] = []
        for report in reports {
            guard case .data(let data) = report.value else { continue }
            values.append("\(report.path) \(Clusters.text(data, of: report.path))")
        }
        guard !values.isEmpty else { return nil }
        let name = DeviceOutput.callName(node)
        return said("\(name): \(values.joined(separator: ", "))")
    }

    private static func said(_ line: String) -> Output {
        Output(lines: [line.escapingControls], document: .null)
    }

    private static func reason(_ closing: ButtonWindow.Closing) -> String {
        switch closing {
        case .button, .command: ""
        case .time: ": its time is over"
        }
    }
}

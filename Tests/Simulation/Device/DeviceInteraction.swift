internal import Base
package import Matter

/// How the device answers messages of the interaction model.
extension ScriptedDevice {
    func interactionRequest(_ message: Message) -> DeviceRequest {
        switch InteractionOpcode(rawValue: message.received.opcode) {
        case .readRequest: return .read
        case .writeRequest: return .write
        case .subscribeRequest: return .subscribe
        case .timedRequest: return .timedRequest
        case .statusResponse: return .statusResponse
        case .invokeRequest:
            guard let path = command(message)?.commandPath else { return .other }
            return .command(path.cluster, path.command)
        default: return .other
        }
    }

    func interact(_ message: Message) {
        switch InteractionOpcode(rawValue: message.received.opcode) {
        case .readRequest: read(message)
        case .writeRequest: write(message)
        case .subscribeRequest: subscribe(message)
        case .invokeRequest: invoke(message)
        case .timedRequest:
            conversations[message.exchange] = .timed
            say(.statusResponse, StatusResponse(), on: message.exchange)
        case .statusResponse:
            switch conversations[message.exchange] {
            case .report(let chunks)?: report(chunks, on: message.exchange)
            case .answers(let messages)?: answer(messages, on: message.exchange)
            case .priming(let subscription, let rest)?:
                prime(subscription, rest, on: message.exchange)
            case .reporting(let id, let rest)?: continueReport(id, rest, message)
            case .endless(let opcode, let payload)?:
                say(.interactionModel, opcode.rawValue, payload, message.exchange)
            default: end(message.exchange)
            }
        default: end(message.exchange)
        }
    }

    func say(_ opcode: InteractionOpcode, _ answer: some TLVStructure, on exchange: ExchangeHandle)
    {
        say(.interactionModel, opcode.rawValue, answer.octets(), exchange)
    }

    // MARK: Reading

    private func read(_ message: Message) {
        guard let request = try? ReadRequest(tlv: message.payload.span) else {
            return end(message.exchange)
        }
        let reports = found(request.attributeRequests ?? [], in: message.session)
        let events = events(request.eventRequests ?? [], request.eventFilters)
        report(chunks(reports, events), on: message.exchange)
    }

    func found(_ paths: [AttributePath], in session: SessionHandle) -> [AttributeReportIB] {
        let visible = visible(in: sessions[session])
        var reports: [AttributeReportIB] = []
        for path in paths {
            let matching = visible.filter { path.matches($0.path) }
            for (found, value) in matching { reports += self.reports(found, value) }
            if matching.isEmpty, path.concrete != nil {
                reports.append(
                    AttributeReportIB {
                        var status = AttributeStatusIB()
                        status.path = path
                        status.status = StatusIB(.unsupportedAttribute)
                        $0.attributeStatus = status
                    })
            }
        }
        return reports
    }

    /// One report, or the beginning of a list and its items when they do not fit one message.
    private func reports(
        _ path: ConcreteAttributePath, _ value: AttributeValue
    ) -> [AttributeReportIB] {
        guard case .list(let items) = value, value.octets > settings.chunkOctets else {
            return [AttributeReportIB(path, value.whole)]
        }
        let empty = EncodedElement(own: [EncodedElement]())
        return [AttributeReportIB(path, empty)]
            + items.map { AttributeReportIB(path, $0, isItem: true) }
    }

    /// - Parameter subscription: nil for a read, whose last message wants no answer.
    func chunks(
        _ reports: [AttributeReportIB], _ events: [EventReportIB],
        of subscription: UInt32? = nil
    ) -> [[UInt8]] {
        var groups: [[AttributeReportIB]] = [[]]
        var octets = 0
        for report in reports {
            let size = report.octets().count
            if octets + size > settings.chunkOctets, octets > 0 {
                groups.append([])
                octets = 0
            }
            groups[groups.count - 1].append(report)
            octets += size
        }
        return groups.enumerated().map { index, group in
            let isLast = index == groups.count - 1
            return ReportData {
                $0.subscriptionID = subscription
                $0.attributeReports = group
                if isLast, !events.isEmpty { $0.eventReports = events }
                $0.moreChunkedMessages = isLast ? nil : true
                $0.suppressResponse = isLast && subscription == nil
            }.octets()
        }
    }

    /// Sends the first and keeps the others.
    private func report(_ chunks: [[UInt8]], on exchange: ExchangeHandle) {
        guard let first = chunks.first else { return end(exchange) }
        say(.interactionModel, InteractionOpcode.reportData.rawValue, first, exchange)
        if chunks.count > 1 {
            conversations[exchange] = .report(Array(chunks.dropFirst()))
        } else {
            end(exchange)
        }
    }

    // MARK: Writing

    private func write(_ message: Message) {
        guard let request = try? WriteRequest(tlv: message.payload.span) else {
            return end(message.exchange)
        }
        let response = WriteResponse {
            $0.writeResponses = request.writeRequests.map { data in
                var status = AttributeStatusIB()
                status.path = data.path
                status.status = StatusIB(write(data))
                return status
            }
        }
        say(.writeResponse, response, on: message.exchange)
        if request.moreChunkedMessages != true { end(message.exchange) }
    }

    private func write(_ data: AttributeDataIB) -> InteractionStatus {
        guard let path = data.path.concrete, has(path) else { return .unsupportedAttribute }
        written.append(data)
        if data.path.listIndex == .null {
            append(data.data, to: path)
        } else {
            set(path, data.data)
        }
        return .success
    }

    // MARK: Commands

    private func commands(_ message: Message) -> [CommandDataIB<EncodedElement>] {
        let request = try? InvokeRequest<EncodedElement>(tlv: message.payload.span)
        return request?.invokeRequests ?? []
    }

    private func command(_ message: Message) -> CommandDataIB<EncodedElement>? {
        commands(message).first
    }

    /// Answers those of several commands from the last to the first.
    private func invoke(_ message: Message) {
        let commands = commands(message)
        guard !commands.isEmpty, commands.count <= Int(settings.maxPathsPerInvoke) else {
            say(
                .statusResponse, StatusResponse { $0.status = .invalidAction }, on: message.exchange
            )
            return end(message.exchange)
        }
        let answers = commands.map { answer(to: $0, message) }
        let perMessage = settings.commandAnswersPerMessage
        var groups: [[InvokeResponseIB]] = []
        for answer in answers.reversed() {
            if groups.last.map({ $0.count < perMessage }) ?? false {
                groups[groups.count - 1].append(answer)
            } else {
                groups.append([answer])
            }
        }
        let messages = groups.enumerated().map { index, group in
            InvokeResponse {
                $0.invokeResponses = group
                $0.moreChunkedMessages = index < groups.count - 1 ? true : nil
            }.octets()
        }
        answer(messages, on: message.exchange)
    }

    /// Sends the first and keeps the others.
    private func answer(_ messages: [[UInt8]], on exchange: ExchangeHandle) {
        guard let first = messages.first else { return end(exchange) }
        say(.interactionModel, InteractionOpcode.invokeResponse.rawValue, first, exchange)
        if messages.count > 1 {
            conversations[exchange] = .answers(Array(messages.dropFirst()))
        } else {
            end(exchange)
        }
    }

    private func answer(
        to command: CommandDataIB<EncodedElement>, _ message: Message
    ) -> InvokeResponseIB {
        invoked.append(command)
        let path = command.commandPath
        let request = DeviceRequest.command(path.cluster, path.command)
        var isTimed = false
        if case .timed? = conversations[message.exchange] { isTimed = true }
        let outcome: CommandAnswer
        if timedCommands.contains(request), !isTimed {
            outcome = .status(.needsTimedInteraction)
        } else {
            let fields = command.commandFields ?? .emptyStructure
            outcome = commandAnswers[request] ?? carryOut(path, fields, message.session)
        }
        return entry(outcome, path, command.commandRef)
    }

    /// Refuses with a code of the cluster's own.
    func refuse(_ message: Message, _ code: UInt8) {
        guard let path = command(message)?.commandPath else { return end(message.exchange) }
        let refused = entry(refusal(of: path, code), path, nil)
        say(
            .invokeResponse, InvokeResponse { $0.invokeResponses = [refused] }, on: message.exchange
        )
        end(message.exchange)
    }

    private func entry(
        _ outcome: CommandAnswer, _ path: CommandPath, _ reference: UInt16?
    ) -> InvokeResponseIB {
        InvokeResponseIB {
            switch outcome {
            case .status(let status, let clusterStatus):
                var answer = CommandStatusIB()
                answer.commandPath = path
                answer.status = StatusIB(status, clusterStatus: clusterStatus)
                answer.commandRef = reference
                $0.status = answer
            case .response(let command, let fields):
                var answer = CommandDataIB<EncodedElement>()
                answer.commandPath = path
                answer.commandPath.command = command
                answer.commandFields = fields
                answer.commandRef = reference
                $0.command = answer
            }
        }
    }
}

extension AttributePath {
    fileprivate func matches(_ path: ConcreteAttributePath) -> Bool {
        (endpoint ?? path.endpoint) == path.endpoint && (cluster ?? path.cluster) == path.cluster
            && (attribute ?? path.attribute) == path.attribute
    }
}

extension AttributeReportIB {
    package init(
        _ path: ConcreteAttributePath, _ value: EncodedElement, isItem: Bool = false
    ) {
        self.init()
        var data = AttributeDataIB(dataVersion: 1, path: AttributePath(path), data: value)
        if isItem { data.path.listIndex = .null }
        attributeData = data
    }
}

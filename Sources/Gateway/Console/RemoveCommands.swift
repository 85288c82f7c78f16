internal import Base
internal import Matter
internal import MatterNode

/// Commands that give devices up, and what is left to do of them.
extension CommandRunner {
    func remove(
        _ selector: NodeSelector, isForced: Bool, isConfirmed: Bool
    ) async throws(Explanation) -> Output {
        if let removed = try await removeUnfinished(
            selector, isForced: isForced, isConfirmed: isConfirmed)
        {
            return removed
        }
        let record = try node(selector).node
        try await confirmed(
            isConfirmed, "\(DeviceOutput.callName(record)) will be removed.", "removed")
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            let removal = try await gateway.remove(record, isForced: isForced)
            return Self.done(DeviceOutput.callName(record), record.nodeID, removal)
        } catch {
            let explanation = Explanation(error, of: record)
            if case .store = error { throw explanation }
            throw Explanation(
                explanation.kind, explanation.cause,
                remedy: "\(explanation.remedy), or remove it here alone with --force")
        }
    }

    /// - Parameter undone: what is not done to anything without the word.
    func confirmed(
        _ isConfirmed: Bool, _ question: String, _ undone: String
    ) async throws(Explanation) {
        if isConfirmed { return }
        guard try await surroundings.confirm(question) else {
            throw Explanation(
                .usage, "nothing was \(undone)",
                remedy: "type the word that is shown, or use --yes")
        }
    }

    func unfinished() throws(Explanation) -> Unfinished {
        let store = try surroundings.store()
        do throws(StoreError) { return try Unfinished(store) } catch { throw Explanation(error) }
    }

    /// An id may be that of a pairing that was interrupted, or of a removal that is pending.
    private func removeUnfinished(
        _ selector: NodeSelector, isForced: Bool, isConfirmed: Bool
    ) async throws(Explanation) -> Output? {
        guard let number = IdentifierText.number(selector.text[...], max: .max) else { return nil }
        let nodeID = NodeID(number)
        let unfinished = try unfinished()
        if let run = unfinished.runs.first(where: { $0.nodeID == nodeID }) {
            return try await giveUp(run, isConfirmed: isConfirmed)
        }
        guard let removal = unfinished.removals.first(where: { $0.nodeID == nodeID }) else {
            return nil
        }
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            if isForced {
                try await gateway.forget(removal)
                return Self.done(removal.nodeID.text, nodeID, .forgotten)
            }
            let outcome = try await gateway.tell(removal)
            return Self.done(removal.nodeID.text, nodeID, Gateway.Removal(outcome))
        } catch { throw Explanation(error) }
    }

    private func giveUp(
        _ run: RunRecord, isConfirmed: Bool
    ) async throws(Explanation) -> Output {
        let id = run.nodeID.text
        try await confirmed(
            isConfirmed, "\(id), whose pairing was interrupted, will be removed.", "removed")
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            let outcome = try await gateway.giveUp(run)
            return Self.done(id, run.nodeID, outcome.map { Gateway.Removal($0) } ?? .told)
        } catch { throw Explanation(error) }
    }

    func prepare() async throws(Explanation) -> Output {
        let gateway = try await surroundings.gateway()
        await gateway.settleForAWhile()
        return PrepareOutput.report(await gateway.prepare())
    }

    func replace(
        _ selector: NodeSelector, _ request: PairRequest, isConfirmed: Bool
    ) async throws(Explanation) -> Output {
        let old = try node(selector).node
        let name = DeviceOutput.callName(old)
        try await confirmed(
            isConfirmed, "\(name) will be removed once another has taken its place.", "replaced")
        let payloads = try await payloads(request.code)
        guard payloads.count == 1, let payload = payloads.first else {
            throw Explanation(
                .malformedInput, "the code is that of \(payloads.count) devices",
                remedy: "one device takes the place of one: give its own code")
        }
        if let hint = payload.hint { surroundings.progress(hint + "\n") }
        let commissioning = request.commissioning(payload)
        let gateway = try await surroundings.gateway()
        let shown = ShownProgress(surroundings)
        do throws(CommissioningError) {
            let (record, outcome) = try await gateway.replace(old, with: commissioning) {
                shown.begin($0)
            }
            shown.end()
            var output = DeviceOutput.paired([record])
            output.document.append(Self.members(old.nodeID, Gateway.Removal(outcome)))
            output.lines.append(
                "\(name) (\(old.nodeID.text)): \(Self.words(Gateway.Removal(outcome)))"
                    .escapingControls)
            return output
        } catch {
            shown.fail()
            throw Explanation(error, hint: payload.hint)
        }
    }

    // MARK: Words

    private static func done(
        _ name: String, _ nodeID: NodeID, _ removal: Gateway.Removal
    ) -> Output {
        Output(
            lines: ["\(name): \(words(removal))".escapingControls],
            document: .object([
                ("node_id", .string(nodeID.text)), ("removal", .string("\(removal)")),
            ]))
    }

    private static func members(
        _ old: NodeID, _ removal: Gateway.Removal
    ) -> [(key: String, value: JSONValue)] {
        [("replaces", .string(old.text)), ("removal", .string("\(removal)"))]
    }

    private static func words(_ removal: Gateway.Removal) -> String {
        switch removal {
        case .told: "removed"
        case .unknownToDevice: "removed; it did not know this gateway any more"
        case .pending:
            "removed here; it is away, and is told when it answers again (prepare tries at"
                + " once); reset it to use it elsewhere before"
        case .forgotten: "removed here alone; reset it before it is used again"
        }
    }
}

extension Gateway.Removal {
    fileprivate init(_ outcome: RemovalOutcome) {
        self =
            switch outcome {
            case .told: .told
            case .unknownToDevice: .unknownToDevice
            case .pending: .pending
            }
    }
}

extension JSONValue {
    /// Adds members to an object.
    mutating func append(_ members: [(key: String, value: JSONValue)]) {
        guard case .object(let present) = self else { return }
        self = .object(present + members)
    }
}

internal import Base
internal import Crypto
package import Matter

/// Why a peer did not do what it was asked.
package enum PeerError: Error, Equatable {
    case exchange(ExchangeError)
    case interaction(InteractionError)
}

/// A device on the other side of a session, and what can be asked of it. Core §8.
package struct Peer: Sendable {
    package let node: Node
    package let session: SessionHandle

    package init(node: Node, session: SessionHandle) {
        self.node = node
        self.session = session
    }

    /// Reads attributes; paths beyond what one request may carry are asked for in several.
    /// - Parameter isFabricFiltered: false to see what other fabrics have as well.
    package func read(
        _ paths: [AttributePath], isFabricFiltered: Bool = true
    ) async throws(PeerError) -> [AttributeReport] {
        var reports: [AttributeReport] = []
        var rest = paths[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Limits.pathsPerRead))
            rest = rest.dropFirst(part.count)
            reports += try await report(part, isFabricFiltered: isFabricFiltered).all
        }
        return reports
    }

    /// Reads what fits one request.
    package func report(
        _ paths: [AttributePath], isFabricFiltered: Bool = true
    ) async throws(PeerError) -> AttributeReports {
        let client = ReadClient(paths: paths, isFabricFiltered: isFabricFiltered)
        return try await node.read(client, in: session).reports
    }

    /// Reads the events that the node still has.
    /// - Parameters:
    ///   - paths: 1 to `Limits.pathsPerRead`.
    ///   - eventMin: leaves out events with lower numbers.
    package func events(
        _ paths: [EventPath], eventMin: UInt64? = nil
    ) async throws(PeerError) -> EventReports {
        let client = ReadClient(events: paths, eventMin: eventMin)
        return try await node.read(client, in: session).events
    }

    /// Writes attributes.
    /// - Throws: also when any of them was refused.
    package func write(_ values: [AttributeDataIB]) async throws(PeerError) {
        let statuses = try await node.write(values, in: session)
        do throws(InteractionError) { try statuses.check() } catch {
            throw .interaction(error)
        }
    }

    /// Invokes a command and reads its response.
    /// - Parameter processing: what the command may take at the device.
    package func invoke<Invoked: Command>(
        _ command: Invoked, on endpoint: EndpointID = .root,
        processing: Duration = Node.interactionProcessing
    ) async throws(PeerError) -> Invoked.Response {
        let client: InvokeClient
        do throws(InteractionError) {
            client = try InvokeClient(command, endpoint: endpoint)
        } catch { throw .interaction(error) }
        let result = try await node.invoke(client, in: session, processing: processing)
        do throws(InteractionError) {
            return try result.response(to: Invoked.self)
        } catch { throw .interaction(error) }
    }

    /// Invokes several commands: in as few messages as the device takes, or several at a time.
    ///
    /// What one of them meets does not keep the others. Commands of one message are carried out
    /// in their order; those of several messages in any.
    /// - Parameters:
    ///   - maxPaths: the device's MaxPathsPerInvoke; 1 is what each takes.
    ///   - processing: what the device may need for one message.
    /// - Returns: in the order of `commands`.
    /// - Throws: when the session or the flow ended, and for what no message holds.
    package func invoke(
        _ commands: [CommandToInvoke], maxPaths: Int = 1,
        processing: Duration = Node.interactionProcessing
    ) async throws(PeerError) -> [InvokeOutcome] {
        let batches = InvokeBatch.split(commands, maxPaths: maxPaths)
        var outcomes = [InvokeOutcome](
            repeating: .failure(.missingResponse), count: commands.count)
        let answers = await withTaskGroup(
            of: (Int, Result<[InvokeOutcome], PeerError>).self
        ) { group in
            var answers: [(Int, Result<[InvokeOutcome], PeerError>)] = []
            for (number, batch) in batches.enumerated() {
                if number >= Limits.invokesAtOnce, let answer = await group.next() {
                    answers.append(answer)
                }
                let part = batch.map { commands[$0] }
                group.addTask { (number, await answer(to: part, processing)) }
            }
            for await answer in group { answers.append(answer) }
            return answers
        }
        for (number, answer) in answers {
            let batch = batches[number]
            switch answer {
            case .success(let part):
                for (index, outcome) in zip(batch, part) { outcomes[index] = outcome }
            case .failure(.interaction(let error)):
                for index in batch { outcomes[index] = .failure(error) }
            case .failure(let error): throw error
            }
        }
        return outcomes
    }

    private func answer(
        to commands: [CommandToInvoke], _ processing: Duration
    ) async -> Result<[InvokeOutcome], PeerError> {
        do throws(PeerError) {
            return .success(
                try await node.invoke(commands, in: session, processing: processing))
        } catch { return .failure(error) }
    }

    /// How many commands the device takes in one message. Core §11.1.5: 1 unless it says.
    package func maxPathsPerInvoke() async throws(PeerError) -> Int {
        let reports = try await report([
            AttributePath(BasicInformation.maxPathsPerInvoke, endpoint: .root)
        ])
        do throws(InteractionError) {
            return Int(try reports.value(BasicInformation.maxPathsPerInvoke, .root) ?? 1)
        } catch { throw .interaction(error) }
    }

    /// Ends the session with a word to the device.
    package func close() async {
        await node.closeSession(session)
    }
}

extension Node {
    /// What a device may take to think over a read or an ordinary command. Core §8.
    package static var interactionProcessing: Duration { .seconds(5) }

    func read(
        _ client: ReadClient, in session: SessionHandle
    ) async throws(PeerError) -> ReadClient {
        var client = client
        let exchange = try begin(client.request, in: session)
        defer { close(exchange) }
        while true {
            let message = try await answer(on: exchange, processing: Self.interactionProcessing)
            let step: ReadStep
            do throws(InteractionError) {
                step = try client.receive(message.interactionOpcode, message.payload.span)
            } catch { throw .interaction(error) }
            switch step {
            case .acknowledge(let next): try say(next, on: exchange)
            case .done(let last):
                if let last { try say(last, on: exchange) }
                return client
            }
        }
    }

    func write(
        _ values: [AttributeDataIB], in session: SessionHandle
    ) async throws(PeerError) -> [AttributeStatusIB] {
        var client: WriteClient
        do throws(InteractionError) { client = try WriteClient(values) } catch {
            throw .interaction(error)
        }
        let exchange = try begin(client.request, in: session)
        defer { close(exchange) }
        while true {
            let message = try await answer(on: exchange, processing: Self.interactionProcessing)
            let step: WriteStep
            do throws(InteractionError) {
                step = try client.receive(message.interactionOpcode, message.payload.span)
            } catch { throw .interaction(error) }
            switch step {
            case .send(let next): try say(next, on: exchange)
            case .done(let statuses): return statuses
            }
        }
    }

    func invoke(
        _ client: InvokeClient, in session: SessionHandle, processing: Duration
    ) async throws(PeerError) -> InvokeResult {
        var client = client
        let exchange = try begin(client.request, in: session)
        defer { close(exchange) }
        while true {
            let message = try await answer(on: exchange, processing: processing)
            let step: InvokeStep
            do throws(InteractionError) {
                step = try client.receive(message.interactionOpcode, message.payload.span)
            } catch { throw .interaction(error) }
            switch step {
            case .send(let next): try say(next, on: exchange)
            case .done(let result): return result
            }
        }
    }

    func invoke(
        _ commands: [CommandToInvoke], in session: SessionHandle, processing: Duration
    ) async throws(PeerError) -> [InvokeOutcome] {
        var batch: InvokeBatch
        do throws(InteractionError) { batch = try InvokeBatch(commands) } catch {
            throw .interaction(error)
        }
        let exchange = try begin(batch.request, in: session)
        defer { close(exchange) }
        while true {
            let message = try await answer(on: exchange, processing: processing)
            let step: InvokeBatchStep
            do throws(InteractionError) {
                step = try batch.receive(message.interactionOpcode, message.payload.span)
            } catch { throw .interaction(error) }
            switch step {
            case .send(let next): try say(next, on: exchange)
            case .done(let outcomes): return outcomes
            }
        }
    }

    func begin(
        _ message: InteractionMessage, in session: SessionHandle
    ) throws(PeerError) -> ExchangeHandle {
        do throws(ExchangeError) {
            let exchange = try open(session)
            do throws(ExchangeError) {
                try send(
                    on: exchange, .interactionModel, opcode: message.opcode.rawValue,
                    message.payload.span)
            } catch {
                abandon(exchange)
                throw error
            }
            return exchange
        } catch { throw .exchange(error) }
    }

    func say(
        _ message: InteractionMessage, on exchange: ExchangeHandle
    ) throws(PeerError) {
        do throws(ExchangeError) {
            try send(
                on: exchange, .interactionModel, opcode: message.opcode.rawValue,
                message.payload.span)
        } catch { throw .exchange(error) }
    }

    func answer(
        on exchange: ExchangeHandle, processing: Duration
    ) async throws(PeerError) -> IncomingMessage {
        do throws(ExchangeError) {
            return try await receive(on: exchange, .interactionModel, processing: processing)
        } catch { throw .exchange(error) }
    }
}

extension IncomingMessage {
    fileprivate var interactionOpcode: InteractionOpcode { InteractionOpcode(rawValue: opcode) }
}

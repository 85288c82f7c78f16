internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// Commands that bring devices in, or look for them.
extension CommandRunner {
    func pair(_ request: PairRequest) async throws(Explanation) -> Output {
        let payloads = try await payloads(request.code)
        let gateway = try await surroundings.gateway()
        let places = TakenPlaces()
        var paired: [NodeRecord] = []
        let warnings = Warnings()
        for (index, payload) in payloads.enumerated() {
            if payloads.count > 1 {
                surroundings.progress("device \(index + 1) of \(payloads.count)\n")
            }
            if let hint = payload.hint { surroundings.progress(hint + "\n") }
            do throws(CommissioningError) {
                paired.append(
                    try await commission(
                        request.commissioning(payload), gateway, warnings, places))
            } catch {
                let explanation = Explanation(error, hint: payload.hint)
                guard !paired.isEmpty else { throw explanation }
                var output = DeviceOutput.paired(paired)
                output.notices = places.notices + warnings.lines + [explanation.line]
                output.exitCode = explanation.kind.exitCode
                return output
            }
        }
        var output = DeviceOutput.paired(paired)
        output.notices = places.notices + warnings.lines
        return output
    }

    /// Commissions one device while its steps are shown.
    private func commission(
        _ request: CommissioningRequest, _ gateway: Gateway, _ warnings: Warnings,
        _ places: TakenPlaces
    ) async throws(CommissioningError) -> NodeRecord {
        let shown = ShownProgress(surroundings)
        do throws(CommissioningError) {
            let record = try await gateway.commission(
                request, progress: { step in shown.begin(step) },
                warning: { cause in warnings.add(cause) },
                tookPlace: { old in places.add(old) })
            shown.end()
            return record
        } catch {
            shown.fail()
            throw error
        }
    }

    func payloads(
        _ code: PairRequest.Code
    ) async throws(Explanation) -> [SetupPayload] {
        let text = try await secret(code)
        do throws(SetupPayloadError) { return try SetupPayload.parse(text.span) } catch {
            throw Explanation(error)
        }
    }

    private func secret(_ code: PairRequest.Code) async throws(Explanation) -> Secret {
        switch code {
        case .typed(let typed): return typed
        case .standardInput:
            guard let line = try await surroundings.readCode() else {
                throw Explanation.noCodeOnStandardInput
            }
            return line
        }
    }

    func discover(_ seconds: Int) async throws(Explanation) -> Output {
        let gateway = try await surroundings.gateway()
        let found = DiscoveredServices()
        let heard: Gateway.BluetoothFound
        do throws(CancellationError) {
            heard = try await gateway.discover(for: .seconds(seconds)) { found.add($0) }
        } catch { throw Explanation.cancelled }
        var output = DiscoverOutput(nodes: try nodes())
        for record in found.records {
            var isOurs = false
            if let name = record.operationalName { isOurs = await gateway.isOurs(name) }
            output.add(record, isOurs: isOurs)
        }
        for device in heard.devices { output.add(device) }
        output.problem = heard.problem
        return output.output()
    }
}

/// The lines of a pairing on their way to standard error.
final class ShownProgress: @unchecked Sendable {
    private let surroundings: any CommandSurroundings
    private var progress = PairingProgress()

    init(_ surroundings: any CommandSurroundings) {
        self.surroundings = surroundings
    }

    func begin(_ step: CommissioningStep) {
        surroundings.progress(progress.begin(step, at: surroundings.now))
    }

    func end() { surroundings.progress(progress.end(at: surroundings.now)) }

    func fail() { surroundings.progress(progress.fail()) }
}

/// What did not work while devices were added.
private final class Warnings: @unchecked Sendable {
    private(set) var lines: [String] = []

    func add(_ warning: CommissioningWarning) { lines.append(Explanation(warning).line) }
}

/// Devices that were reset and have come back under another id.
final class TakenPlaces: @unchecked Sendable {
    private(set) var notices: [String] = []

    func add(_ old: NodeRecord) { notices.append(Self.line(old)) }

    static func line(_ old: NodeRecord) -> String {
        ("\(DeviceOutput.callName(old)) was known as \(old.nodeID.text) and has been reset"
            + " since, as its serial number tells: it keeps its name, room and history, and"
            + " that id is gone").escapingControls
    }
}

extension PairRequest {
    func commissioning(_ payload: SetupPayload) -> CommissioningRequest {
        var commissioning = CommissioningRequest(payload: payload)
        commissioning.name = name ?? ""
        commissioning.room = room ?? ""
        commissioning.acceptsUnattested = acceptsUnattested
        if let timeoutSeconds { commissioning.discoveryTime = .seconds(timeoutSeconds) }
        return commissioning
    }
}

/// What a listing has found so far; a service that changed replaces what it was.
private final class DiscoveredServices: @unchecked Sendable {
    private(set) var records: [ServiceRecord] = []

    func add(_ record: ServiceRecord) {
        let known = records.firstIndex {
            $0.kind == record.kind && $0.instance == record.instance
        }
        if let known { records[known] = record } else { records.append(record) }
    }
}

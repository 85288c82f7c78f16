internal import Base
internal import MatterNode

/// What a process and its machine have, for `status` and `doctor`. Nil is not known.
package struct MachineFacts: Equatable, Sendable {
    /// Memory that is this process's alone.
    package var privateBytes: Int?
    /// Where the state is kept.
    package var freeBytes: Int?

    package init() {}
}

extension CommandRunner {
    /// All that `prepare` checks, and what else may be wrong with the machine.
    func doctor() async throws(Explanation) -> Output {
        var report = PrepareReport()
        let machine = surroundings.machine
        report.checks.append(PrepareReport.Check("version", .ok(GatewayVersion.text)))
        report.checks.append(PrepareReport.Check("agent", await agentCheck()))
        report.checks.append(PrepareReport.Check("stored data", storedCheck()))
        if let free = machine.freeBytes {
            report.checks.append(PrepareReport.Check("disk", Self.diskCheck(free)))
        }
        if let mqtt = await surroundings.agent?.mqttStatus {
            report.checks.append(PrepareReport.Check("MQTT", mqtt.check))
        }
        do throws(Explanation) {
            let gateway = try await surroundings.gateway()
            report.checks += await gateway.prepare().checks
        } catch {
            report.checks.append(
                PrepareReport.Check("gateway", .error(error.cause, remedy: error.remedy)))
        }
        return PrepareOutput.report(report)
    }

    private func agentCheck() async -> PrepareReport.Outcome {
        guard let agent = surroundings.agent else {
            return .ok("none runs; this command works with the state file itself")
        }
        return .ok("runs for \(AgentOutput.time(await agent.status.upTime))")
    }

    /// By reading all of it: a damaged card shows itself here first.
    private func storedCheck() -> PrepareReport.Outcome {
        do throws(Explanation) {
            let store = try surroundings.store()
            try stored { () throws(StoreError) in try store.checkIntegrity() }
            if let notice = store.notice {
                return .warning(notice, remedy: "see which devices are missing: devices")
            }
            return .ok("sound")
        } catch { return .error(error.cause, remedy: error.remedy) }
    }

    private static func diskCheck(_ free: Int) -> PrepareReport.Outcome {
        let text = "\(AgentOutput.size(free)) free"
        return free < ConsoleLimits.freeBytes
            ? .warning(text, remedy: "make room where the state file is") : .ok(text)
    }
}

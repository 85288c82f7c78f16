internal import Base
internal import Matter
internal import MatterNode

/// Commands on devices that are known.
extension CommandRunner {
    func nodes() throws(Explanation) -> [NodeRecord] {
        let store = try surroundings.store()
        do throws(StoreError) { return try store.nodes() } catch { throw Explanation(error) }
    }

    func node(
        _ selector: NodeSelector
    ) throws(Explanation) -> (node: NodeRecord, endpoint: EndpointID?) {
        let nodes = try nodes()
        do throws(NodeSelectorError) { return try selector.resolve(in: nodes) } catch {
            throw Explanation(error)
        }
    }

    func devices(
        _ filter: String?, _ query: PresenceQuery?
    ) async throws(Explanation) -> Output {
        let all = try nodes()
        let asked = DeviceOutput.filtered(all, filter)
        if query != .any, !asked.isEmpty, let keeping = surroundings.agent?.keeping {
            let states = await keeping.states().filter { state in
                asked.contains { $0.nodeID == state.node.nodeID }
                    && query?.keeps(state) ?? true
            }
            var output = StateOutput.list(states, of: all.count, at: surroundings.now)
            UnfinishedOutput.add(try unfinished(), to: &output)
            return output
        }
        guard let query, !asked.isEmpty else {
            var output = DeviceOutput.list(all, filter: filter)
            UnfinishedOutput.add(try unfinished(), to: &output)
            return output
        }
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            let refreshed = try await gateway.refresh(asked)
            var output = DeviceOutput.list(
                refreshed.filter(query.keeps), ofAsked: asked.count)
            UnfinishedOutput.add(try await gateway.unfinished(), to: &output)
            return output
        } catch { throw Explanation(error) }
    }

    /// A device that does not answer is shown as it is known, with a word of why.
    func show(_ selector: NodeSelector, _ isStored: Bool) async throws(Explanation) -> Output {
        let record = try node(selector).node
        var output = try await sheet(of: record, isStored)
        if let state = await surroundings.agent?.keeping?.state(of: record.nodeID) {
            StateOutput.add(state, at: surroundings.now, to: &output)
        }
        return output
    }

    private func sheet(
        of record: NodeRecord, _ isStored: Bool
    ) async throws(Explanation) -> Output {
        let paths = MainReadings.sheet(of: record)
        guard !isStored, !paths.isEmpty else { return DeviceOutput.sheet(record) }
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            return DeviceOutput.sheet(record, try await gateway.read(paths, of: record))
        } catch {
            var output = DeviceOutput.sheet(record)
            output.notices = [Explanation(error, of: record).line]
            return output
        }
    }

    func rename(
        _ selector: NodeSelector, name: String? = nil, room: String? = nil
    ) throws(Explanation) -> Output {
        var record = try node(selector).node
        if let name { record.name = name }
        if let room { record.room = room }
        let store = try surroundings.store()
        do throws(StoreError) { try store.save(record) } catch { throw Explanation(error) }
        let label =
            name.map { $0.isEmpty ? "has no name now" : "is called \"\($0)\"" }
            ?? room.map { $0.isEmpty ? "is in no room now" : "is in \"\($0)\"" } ?? "unchanged"
        return DeviceOutput.done(record, label)
    }

    func read(
        _ selector: NodeSelector, _ paths: [AttributePath]
    ) async throws(Explanation) -> Output {
        let (record, endpoint) = try node(selector)
        let asked =
            paths.isEmpty
            ? MainReadings.paths(of: record, on: endpoint) : paths.map { $0.on(endpoint) }
        guard !asked.isEmpty else {
            throw Explanation(
                .usage, "this device measures nothing that is known here",
                remedy: "give a path such as 0/basic-information/*; show lists what it has")
        }
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            let reports = try await gateway.read(asked, of: record)
            return ReadOutput.readings(reports, of: record, asked: asked)
        } catch { throw Explanation(error, of: record) }
    }

    func write(
        _ selector: NodeSelector, _ path: ConcreteAttributePath, _ value: String
    ) async throws(Explanation) -> Output {
        let record = try node(selector).node
        let element: EncodedElement
        let surroundings = surroundings
        do throws(ValueError) {
            element = try WrittenValue.element(value, for: path) { text throws(Explanation) in
                try surroundings.parseJSON(text)
            }
        } catch { throw Explanation(error) }
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            try await gateway.write(element, to: path, of: record)
        } catch { throw Explanation(error, of: record) }
        return DeviceOutput.done(record, "\(path) is written")
    }

    /// Has a device carry out a command, on the endpoint that has its cluster.
    /// - Parameter done: what is said of the device afterwards.
    func invoke<Invoked: Matter.Command>(
        _ command: Invoked, _ selector: NodeSelector, _ done: String
    ) async throws(Explanation) -> Output {
        let (record, endpoint) = try endpoint(selector, Invoked.cluster)
        try await invoke(command, on: endpoint, of: record)
        return DeviceOutput.done(record, done)
    }

    /// The endpoint that is named, or the only one with the cluster.
    func endpoint(
        _ selector: NodeSelector, _ cluster: ClusterID
    ) throws(Explanation) -> (record: NodeRecord, endpoint: EndpointID) {
        let (record, named) = try node(selector)
        do throws(EndpointError) {
            return (record, try record.endpoint(for: cluster, named: named))
        } catch { throw Explanation(error).at(DeviceOutput.callName(record)) }
    }

    func invoke<Invoked: Matter.Command>(
        _ command: Invoked, on endpoint: EndpointID, of record: NodeRecord
    ) async throws(Explanation) {
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            try await gateway.invoke(command, on: endpoint, of: record)
        } catch .peer(.interaction(.status(.unsupportedCommand, _))) {
            let list = ConcreteAttributePath(
                endpoint: endpoint, cluster: Invoked.cluster, attribute: AttributeID(0xFFF9))
            throw Explanation.noCommand(Invoked.name, list).at(DeviceOutput.callName(record))
        } catch { throw Explanation(error, of: record) }
    }

    func identify(_ selector: NodeSelector, _ seconds: Int) async throws(Explanation) -> Output {
        var command = Identify.IdentifyDevice()
        command.identifyTime = UInt16(clamping: seconds)
        return try await invoke(
            command, selector,
            seconds == 0 ? "shows itself no longer" : "shows itself for \(seconds) s")
    }

    func fabrics(_ selector: NodeSelector) async throws(Explanation) -> Output {
        let record = try node(selector).node
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            return FabricOutput.list(try await gateway.fabrics(of: record), on: record)
        } catch { throw Explanation(error, of: record) }
    }
}

extension AttributePath {
    /// The same path on the endpoint that was named with the device, where it names none itself.
    fileprivate func on(_ endpoint: EndpointID?) -> AttributePath {
        var path = self
        path.endpoint = path.endpoint ?? endpoint
        return path
    }
}

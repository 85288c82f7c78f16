package import Base
package import Matter

/// The endpoints 1 ... n of a device, each with its model.
///
/// Scope: which endpoint is meant, Descriptor. Not scope: endpoint 0.
package struct EndpointModels: Sendable {
    private var models: [any DeviceModel]

    /// - Parameters:
    ///   - types: at most `Limits.endpoints`.
    ///   - seed: of everything that moves by itself; each endpoint has its own stream.
    ///   - secondOfDay: the time of day at `now`; 8 in the morning unless told.
    package init(
        _ types: [DeviceType], seed: UInt64, secondOfDay: Int = 8 * 3600, at now: Instant
    ) {
        precondition(types.count <= Limits.endpoints, "a device has few endpoints")
        models = types.enumerated().map { place, type in
            type.model(
                seed: seed &+ UInt64(place) &* Self.seedStep, secondOfDay: secondOfDay, at: now)
        }
    }

    package var endpoints: [EndpointID] { models.indices.map(Self.endpoint) }

    package func declare(in table: inout AttributeTable) {
        for (place, model) in models.enumerated() {
            let endpoint = Self.endpoint(place)
            table.add(Descriptor.self, on: endpoint, revision: 2)
            table.set(Descriptor.deviceTypeList, model.deviceTypes, on: endpoint)
            table.set(
                Descriptor.serverList, (model.clusters + [Descriptor.id]).sorted(), on: endpoint)
            table.set(Descriptor.clientList, [], on: endpoint)
            table.set(Descriptor.partsList, [], on: endpoint)
            model.declare(in: &table, on: endpoint)
        }
        publish(to: &table)
    }

    /// To be called after everything that can change a value, and after a write was answered.
    package func publish(to table: inout AttributeTable) {
        for (place, model) in models.enumerated() {
            model.publish(to: &table, on: Self.endpoint(place))
        }
    }

    // MARK: What comes from the network

    package mutating func invoke(
        _ command: ModelCommand, on endpoint: EndpointID, at now: Instant
    ) -> InvocationAnswer {
        guard let place = place(of: endpoint) else {
            return .status(.unsupportedEndpoint, cluster: nil)
        }
        models[place].advance(to: now)
        do throws(Refused) {
            return try models[place].invoke(command, at: now)
        } catch { return .status(error.status, cluster: nil) }
    }

    package mutating func write(
        _ write: ModelWrite, on endpoint: EndpointID, at now: Instant
    ) -> InteractionStatus {
        guard let place = place(of: endpoint) else { return .unsupportedEndpoint }
        models[place].advance(to: now)
        do throws(Refused) {
            try models[place].write(write, at: now)
            return .success
        } catch { return error.status }
    }

    // MARK: What comes from the world

    /// - Parameter endpoint: nil for the first one that has such a thing.
    package mutating func set(
        _ word: SettableWord, _ value: SettableValue, on endpoint: EndpointID?, at now: Instant
    ) throws(SettingError) {
        let place = try place(of: endpoint, otherwise: .notHere(word)) { $0.words.contains(word) }
        models[place].advance(to: now)
        try models[place].set(word, value, at: now)
    }

    /// Presses the button of an endpoint, or of the first one that has one.
    package mutating func press(on endpoint: EndpointID?, at now: Instant) throws(SettingError) {
        let place = try place(of: endpoint, otherwise: .noButton) { $0.words.contains(.power) }
        models[place].advance(to: now)
        try models[place].press(at: now)
    }

    package mutating func restart(at now: Instant) {
        for place in models.indices { models[place].restart(at: now) }
    }

    // MARK: Time

    package mutating func advance(to now: Instant) {
        for place in models.indices { models[place].advance(to: now) }
    }

    package var nextDeadline: Instant? { models.compactMap(\.nextDeadline).min() }

    package mutating func nextNote() -> (endpoint: EndpointID, note: ModelNote)? {
        for place in models.indices {
            if let note = models[place].nextNote() { return (Self.endpoint(place), note) }
        }
        return nil
    }

    package mutating func nextEvent() -> (endpoint: EndpointID, event: ModelEvent)? {
        for place in models.indices {
            if let event = models[place].nextEvent() { return (Self.endpoint(place), event) }
        }
        return nil
    }

    // MARK: Places

    private static func endpoint(_ place: Int) -> EndpointID { EndpointID(UInt16(place + 1)) }

    private func place(of endpoint: EndpointID) -> Int? {
        let place = Int(endpoint.rawValue) - 1
        return models.indices.contains(place) ? place : nil
    }

    private func place(
        of endpoint: EndpointID?, otherwise error: SettingError,
        where fits: (any DeviceModel) -> Bool
    ) throws(SettingError) -> Int {
        if let endpoint {
            guard let place = place(of: endpoint) else { throw .noSuchEndpoint }
            guard fits(models[place]) else { throw error }
            return place
        }
        guard let place = models.firstIndex(where: fits) else { throw error }
        return place
    }

    /// Odd, so that the streams of all endpoints differ.
    private static let seedStep: UInt64 = 0x9E37_79B9_7F4A_7C15
}

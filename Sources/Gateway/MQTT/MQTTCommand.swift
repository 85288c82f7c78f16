internal import Base
internal import Crypto
internal import Matter
internal import MatterNode

/// What somebody asks for over the broker: states, never changes of states, so that the same
/// command twice does no harm.
enum MQTTCommand {
    enum Fault: Error, Equatable {
        case malformed
        /// A member that is not known, or whose value cannot be.
        case member
        /// Nothing is asked for.
        case empty
    }

    /// `{"endpoint": 1, "on": true, "level": 40, "seconds": 2, "heat": 21.5, "mode": "heat"}`
    static func setting(
        _ document: JSONValue, of node: NodeID
    ) throws(Fault) -> [ConsoleCommand] {
        guard case .object(let members) = document else { throw .malformed }
        var text = node.text
        if let endpoint = document["endpoint"] {
            guard case .integer(let number) = endpoint, (0...0xFFFE).contains(number) else {
                throw .member
            }
            text += "/\(number)"
        }
        var seconds: Int?
        if let member = document["seconds"] {
            guard case .integer(let number) = member, (0...6553).contains(number) else {
                throw .member
            }
            seconds = Int(number)
        }
        guard let selector = try? NodeSelector(text) else { throw .malformed }
        var commands: [ConsoleCommand] = []
        for (key, value) in members where key != "endpoint" && key != "seconds" {
            commands.append(try command(key, value, selector, seconds))
        }
        guard !commands.isEmpty else { throw .empty }
        return commands
    }

    private static func command(
        _ key: String, _ value: JSONValue, _ selector: NodeSelector, _ seconds: Int?
    ) throws(Fault) -> ConsoleCommand {
        switch (key, value) {
        case ("on", .boolean(let isOn)): return isOn ? .on(selector) : .off(selector)
        case ("level", .integer(let percent)):
            guard (0...100).contains(percent) else { throw .member }
            return .level(selector, Int(percent), over: seconds)
        case ("heat", _): return .thermostat(selector, .setpoint(.heat, try tenths(value)))
        case ("cool", _): return .thermostat(selector, .setpoint(.cool, try tenths(value)))
        case ("mode", .string(let word)):
            let mode = Thermostat.SystemMode.allCases.first { OpenEnum($0).name == word }
            guard let mode else { throw .member }
            return .thermostat(selector, .mode(mode))
        default: throw .member
        }
    }

    private static func tenths(_ value: JSONValue) throws(Fault) -> Int {
        let number: Double
        switch value {
        case .integer(let whole): number = Double(whole)
        case .number(let broken): number = broken
        default: throw .member
        }
        guard number.magnitude < 1000 else { throw .member }
        return Int((number * 10).rounded())
    }

    /// `{"code": "MT:...", "name": "Cellar", "room": "Ground floor"}`
    static func commissioning(_ document: JSONValue) throws(Fault) -> ConsoleCommand {
        guard case .object(let members) = document else { throw .malformed }
        var request: PairRequest?
        for (key, value) in members {
            guard case .string(let text) = value else { throw .member }
            if key == "code" {
                let octets = Array(text.utf8)
                request = PairRequest(code: .typed(Secret(octets.span)))
            } else if key != "name", key != "room" {
                throw .member
            }
        }
        guard var request else { throw .empty }
        if case .string(let name)? = document["name"] { request.name = try label(name) }
        if case .string(let room)? = document["room"] { request.room = try label(room) }
        return .pair(request)
    }

    /// A name or room as the console takes it.
    private static func label(_ text: String) throws(Fault) -> String {
        guard text.utf8.count <= ConsoleLimits.labelBytes,
            text.unicodeScalars.allSatisfy(\.isPlain)
        else { throw .member }
        return text
    }
}

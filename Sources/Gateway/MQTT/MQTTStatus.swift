internal import Base
package import MatterNode

/// How things stand with the broker, for `status` and `doctor`.
package struct MQTTStatus: Equatable, Sendable {
    package enum Connection: Equatable, Sendable {
        case connected(for: Duration)
        case connecting
        case waiting(Duration)
    }

    package var host: String
    package var port: UInt16
    package var usesTLS: Bool
    /// A password is sent, and everybody on the way can read it.
    package var exposesPassword: Bool
    /// Files with secrets of ours that every user of this machine may read.
    package var exposedFiles: [BrokerFailure.File]
    package var connection: Connection
    /// Of the last attempt, while there is no connection.
    package var failure: BrokerFailure?
    /// Readings that it has not yet.
    package var waitingReadings: Int64
    package var commands: MQTTConfiguration.Commands
    package var base: String
}

extension MQTTStatus {
    var place: String {
        (usesTLS ? "mqtts://" : "")
            + (host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
    }

    /// For a person, "connected to ... for 3 min".
    var text: String {
        let readings = waitingReadings > 0 ? ", \(waitingReadings) readings wait" : ""
        switch connection {
        case .connected(let time):
            return "connected to \(place) for \(AgentOutput.time(time))\(readings)"
        case .connecting:
            return "connecting to \(place)\(cause)\(readings)"
        case .waiting(let time):
            return "not connected to \(place)\(cause), again in \(time.waitText)\(readings)"
        }
    }

    private var cause: String { failure.map { " (\(Explanation($0, at: "").cause))" } ?? "" }

    var document: JSONValue {
        let state: String
        var seconds: JSONValue = .null
        switch connection {
        case .connected(let time):
            state = "connected"
            seconds = .integer(time.milliseconds / 1000)
        case .connecting: state = "connecting"
        case .waiting: state = "disconnected"
        }
        return .object([
            ("state", .string(state)), ("connected_seconds", seconds),
            ("broker", .string(host)), ("port", .integer(Int64(port))),
            ("tls", .boolean(usesTLS)), ("topic", .string(base)),
            ("commands", .string(commands.rawValue)),
            ("waiting_readings", .integer(waitingReadings)),
            ("error", failure.map { .string(Explanation($0, at: "").cause) } ?? .null),
        ])
    }

    var check: PrepareReport.Outcome {
        if case .connected = connection {
            if exposesPassword {
                return .warning(
                    "the password for \(place) is sent so that everybody on the way can read it",
                    remedy: "write mqtt-broker = mqtts://\(host)")
            }
            if let file = exposedFiles.first {
                return .warning(file.exposure.cause, remedy: file.exposure.remedy)
            }
            return .ok(text)
        }
        guard let failure else { return .warning(text, remedy: Remedy.tryAgain) }
        return .warning(text, remedy: Explanation(failure, at: host).remedy)
    }
}

internal import Matter

extension DeviceNote {
    /// One line for the people who watch.
    /// - Parameter isAlone: the device has one endpoint, so that it need not be named.
    package func text(isAlone: Bool) -> String {
        switch self {
        case .started: "READY"
        case .window(.windowNotOpen): "window closed"
        case .window: "window open"
        case .paired: "session by passcode"
        case .wrongPasscode: "wrong passcode"
        case .commissioned(let fabric): "commissioned, fabric \(fabric.rawValue)"
        case .left(let fabric): "left fabric \(fabric.rawValue)"
        case .failSafeExpired: "fail-safe expired, changes undone"
        case .network(.success): "network connected"
        case .network(let status): "network failed: \(OpenEnum(status).name)"
        case .model(let endpoint, let note):
            isAlone ? note.text : "\(endpoint.rawValue): \(note.text)"
        }
    }
}

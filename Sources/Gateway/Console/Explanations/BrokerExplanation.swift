package import MatterNode

// Why there is no connection to the MQTT broker.

extension Explanation {
    /// - Parameter host: the broker's; empty leaves it out.
    package init(_ failure: BrokerFailure, at host: String) {
        let place = host.isEmpty ? "" : "MQTT broker \(host): "
        let (kind, cause, remedy) = Self.words(failure)
        self.init(kind, place + cause, remedy: remedy)
    }

    private static func words(_ failure: BrokerFailure) -> (FailureKind, String, String) {
        switch failure {
        case .nameNotFound:
            (.notConfigured, "its name is not known", "see mqtt-broker, or write its address")
        case .lookupTimedOut:
            (
                .unavailable, "its name cannot be looked up now",
                "see whether this machine's name server answers"
            )
        case .cannotConnect(let number):
            (
                .unavailable, "it takes no connection (\(words(number)))",
                "see whether the broker runs, and its port"
            )
        case .timedOut:
            (.unavailable, "it does not answer", "see whether the broker and the way to it work")
        case .cannotRead(let file, let number):
            (
                .notConfigured, "\(file.words) cannot be read (\(words(number)))",
                "let the service's user read the file that \(file.key.rawValue) names"
            )
        case .unusable(let file):
            (
                .notConfigured, "\(file.words) cannot be used",
                "see the file that \(file.key.rawValue) names: it must be PEM"
                    + (file == .key ? ", without a passphrase, and of that certificate" : "")
            )
        case .notTrusted(let distrust): words(distrust)
        case .noTLS:
            (
                .notConfigured, "there is no TLS with it",
                "see whether its port is for TLS, and whether it wants a certificate of ours"
            )
        case .refused(let refusal): words(refusal)
        case .lost: (.unavailable, "the connection was cut", "see the broker's log")
        case .notBuilt:
            (
                .notConfigured, "this program was built without MQTT",
                "build it with the trait MQTT, or take mqtt-broker away"
            )
        }
    }

    /// The commonest of Linux's errors.
    private static func words(_ number: Int32) -> String {
        switch number {
        case 2: "there is none"
        case 13: "not allowed"
        case 101, 113: "there is no way to it"
        case 104, 111: "nothing listens there"
        default: "error \(number)"
        }
    }

    private static func words(
        _ distrust: BrokerFailure.Distrust
    ) -> (FailureKind, String, String) {
        switch distrust {
        case .otherName:
            (
                .notConfigured, "its certificate is for another name",
                "write the name in the certificate as mqtt-broker"
            )
        case .expired:
            (.notConfigured, "its certificate has expired", "give the broker a new one")
        case .notYetValid:
            (
                .notConfigured, "its certificate is not valid yet",
                "see whether this machine's clock is right"
            )
        case .unknownAuthority:
            (
                .notConfigured, "its certificate leads to no authority that is trusted",
                "name the broker's authority with mqtt-ca"
            )
        }
    }

    private static func words(
        _ refusal: BrokerFailure.Refusal
    ) -> (FailureKind, String, String) {
        switch refusal {
        case .identifier:
            (.notConfigured, "it refuses this gateway's name", "choose another mqtt-name")
        case .unavailable: (.unavailable, "it is not ready", "see the broker's log")
        case .credentials:
            (.notConfigured, "it refuses the user or the password", "see mqtt-user and its file")
        case .notAuthorized:
            (
                .notConfigured, "it does not let this gateway in",
                "see the broker's users, and mqtt-user"
            )
        case .other(let code):
            (.notConfigured, "it refuses the connection (\(code))", "see the broker's log")
        }
    }
}

extension BrokerFailure.File {
    /// Every user of this machine may read the secret in it.
    var exposure: Explanation {
        Explanation(
            .notConfigured, "\(words) for the MQTT broker can be read by everybody on this machine",
            remedy: "chmod o-r the file that \(key.rawValue) names")
    }

    fileprivate var words: String {
        switch self {
        case .authorities: "the file of authorities"
        case .certificate: "our certificate"
        case .key: "our key"
        case .password: "the password"
        }
    }

    fileprivate var key: ConfigurationKey {
        switch self {
        case .authorities: .mqttCA
        case .certificate: .mqttCertificate
        case .key: .mqttKey
        case .password: .mqttPasswordFile
        }
    }
}

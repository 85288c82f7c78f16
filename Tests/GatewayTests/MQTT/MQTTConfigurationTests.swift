import Base
import Matter
import MatterNode
import Testing

@testable import Gateway

@Suite("MQTTConfiguration")
struct MQTTConfigurationTests {
    private static func configuration(
        _ lines: [(String, String)]
    ) throws -> Configuration {
        var configuration = Configuration()
        for (key, value) in lines { try configuration.set(key, value) }
        try configuration.check()
        return configuration
    }

    @Test(
        "a broker is a name or an address, with its port or without",
        arguments: [
            ("broker", "broker", 1883, false), ("broker:1884", "broker", 1884, false),
            ("mqtt://b.example", "b.example", 1883, false),
            ("mqtts://b.example", "b.example", 8883, true),
            ("mqtts://192.0.2.1:1", "192.0.2.1", 1, true),
            ("[fd00::1]", "fd00::1", 1883, false),
            ("mqtts://[fd00::1]:8884", "fd00::1", 8884, true),
        ] as [(String, String, UInt16, Bool)])
    func brokers(text: String, host: String, port: UInt16, usesTLS: Bool) throws {
        let broker = try #require(
            try Self.configuration([("mqtt-broker", text)]).mqtt.broker)
        #expect(broker == BrokerSettings(host: host, port: port, usesTLS: usesTLS))
    }

    @Test(
        "what cannot be is refused",
        arguments: [
            [("mqtt-broker", "https://b")], [("mqtt-broker", "b:0")], [("mqtt-broker", "b:65536")],
            [("mqtt-broker", "b:x")], [("mqtt-broker", "[::1")], [("mqtt-broker", "a b")],
            [("mqtt-broker", "[1.2.3.4]")], [("mqtt-broker", "mqtts://")],
            [("mqtt-broker", "user:password@b")],
            [("mqtt-broker", "b"), ("mqtt-name", "a/b")],
            [("mqtt-broker", "b"), ("mqtt-name", "#")],
            [("mqtt-broker", "b"), ("mqtt-discovery", "maybe")],
            [("mqtt-broker", "b"), ("mqtt-commands", "all")],
            [("mqtt-broker", "mqtts://b"), ("mqtt-ca", "ca.pem")],
            // What means nothing alone.
            [("mqtt-name", "a")], [("mqtt-broker", "b"), ("mqtt-ca", "/ca.pem")],
            [("mqtt-broker", "mqtts://b"), ("mqtt-key", "/key.pem")],
            [("mqtt-broker", "mqtts://b"), ("mqtt-certificate", "/a.pem")],
            [("mqtt-broker", "b"), ("mqtt-password-file", "/p")],
            // What would let anybody in.
            [("mqtt-broker", "mqtts://b"), ("mqtt-commands", "commission")],
            [
                ("mqtt-broker", "b"), ("mqtt-user", "u"), ("mqtt-password-file", "/p"),
                ("mqtt-commands", "commission"),
            ],
        ])
    func refused(lines: [(String, String)]) {
        #expect(throws: ConfigurationFault.self) { try Self.configuration(lines) }
    }

    @Test("devices may be added over TLS by those whom the broker knows")
    func commission() throws {
        let configuration = try Self.configuration([
            ("mqtt-broker", "mqtts://b"), ("mqtt-user", "u"), ("mqtt-password-file", "/p"),
            ("mqtt-commands", "commission"),
        ])
        #expect(configuration.mqtt.commands == .commission)
    }

    @Test("topics are read as they are written, and others are none of ours")
    func topics() {
        let topics = MQTTTopics(name: "cellar")
        let node = NodeID(0xABC)
        #expect(topics.parse(topics.setting(node)) == .setting(node))
        #expect(topics.parse(topics.state(node)) == .ofNode(node))
        #expect(topics.parse(topics.commission) == .commission)
        for topic in [
            "", "matter-gateway/cellar", "matter-gateway/cellar/node/", "a/node/1/set",
            "matter-gateway/cellar/node/2748/set", "matter-gateway/cellar/node/0xABC/set",
            "matter-gateway/cellar/node/x/set", "matter-gateway/other/commission",
        ] { #expect(topics.parse(topic) == nil) }
    }
}

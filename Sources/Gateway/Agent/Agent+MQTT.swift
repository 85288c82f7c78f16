/// The agent's MQTT, where there is a broker.
extension Agent {
    package var mqttStatus: MQTTStatus? { mqtt?.status }

    package func use(_ service: MQTTService) { mqtt = service }
}

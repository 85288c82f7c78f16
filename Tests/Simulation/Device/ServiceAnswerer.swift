package import Base
internal import Matter
package import MatterNode

/// One DNS-SD service of a simulated device.
package struct SimulatedService: Sendable, Equatable {
    /// `["_matterc", "_udp"]`.
    package var type: [String]
    package var instance: String
    /// `["_L3840", "_S15", "_CM"]`.
    package var subtypes: [String] = []
    package var port: UInt16
    /// `["D=3840", "CM=1"]`.
    package var text: [String] = []

    package init(_ type: [String], _ instance: String, port: UInt16) {
        self.type = type
        self.instance = instance
        self.port = port
    }
}

/// The answering side of multicast DNS, for one host with any number of services. RFC 6762 §6.
package final class ServiceAnswerer: @unchecked Sendable {
    package let link: SimulatedMulticast
    package let host: String
    package var addresses: [IPAddress]
    package private(set) var services: [SimulatedService] = []
    /// Questions that were heard, as `name type`.
    package private(set) var questions: [String] = []
    private let loop: Loop
    private var buffer = [UInt8](repeating: 0, count: 9000)

    package init(loop: Loop, link: SimulatedMulticast, host: String, addresses: [IPAddress]) {
        self.loop = loop
        self.link = link
        self.host = host
        self.addresses = addresses
        link.onReadable = { [weak self] in self?.pump() }
    }

    /// Serves from now on, and says so once. RFC 6762 §8.3.
    package func announce(_ service: SimulatedService) {
        services.append(service)
        send([Record](whole: service, on: self))
    }

    /// Says nothing of it any more, not even a goodbye.
    package func withdraw(_ instance: String) {
        services.removeAll { $0.instance == instance }
    }

    private func pump() {
        while true {
            var span = buffer.mutableSpan
            guard let source = link.receive(into: &span) else { return }
            let records = answers(buffer.span.extracting(0..<source.count))
            guard !records.isEmpty else { continue }
            // RFC 6762 §6: others may answer too.
            _ = loop.schedule(at: loop.now + .milliseconds(20)) { [weak self] in
                self?.send(records)
            }
        }
    }

    private func answers(_ message: Span<UInt8>) -> [Record] {
        var records: [Record] = []
        do throws(DNSError) {
            var reader = try DNSReader(message)
            guard !reader.header.isResponse else { return [] }
            while let question = try reader.nextQuestion() {
                let name = Self.text(question.name)
                questions.append("\(name) \(question.type.rawValue)")
                records += answers(to: name)
            }
        } catch { return records }
        return records
    }

    private func answers(to name: String) -> [Record] {
        var records: [Record] = []
        for service in services {
            let own = (service.type + ["local"]).joined(separator: ".")
            let subtypes = service.subtypes.map { "\($0)._sub.\(own)" }
            if ([own] + subtypes).contains(name) {
                records.append(.ptr(name, service))
                records += [Record](details: service, on: self, section: .additional)
            } else if name == "\(service.instance).\(own)" {
                records += [Record](details: service, on: self, section: .answer)
            }
        }
        if name == "\(host).local" {
            records += addresses.map { Record.address(host, $0, .answer) }
        }
        return records
    }

    private func send(_ records: [Record]) {
        var message = [UInt8](repeating: 0, count: 1400)
        var writer = DNSWriter(message.mutableSpan, flags: DNSHeader.response)
        do throws(DNSError) {
            for section in [DNSSection.answer, .additional] {
                for record in records where record.section == section {
                    try record.write(&writer)
                }
            }
        } catch {
            // What does not fit is asked for again.
        }
        let count = writer.count
        link.sendToGroup(message.span.extracting(0..<count), on: link.interface)
    }

    private static func text(_ name: borrowing DNSName) -> String {
        var parts: [String] = []
        var labels = name.labels
        while let label = labels.next() {
            parts.append(String(decoding: [UInt8](label), as: UTF8.self))
        }
        return parts.joined(separator: ".")
    }
}

private struct Record {
    enum Data {
        case ptr([UInt8])
        case srv([UInt8], port: UInt16)
        case txt([UInt8])
        case address(IPAddress)
    }

    let name: [UInt8]
    let data: Data
    let section: DNSSection

    init(_ name: String, _ data: Data, _ section: DNSSection) {
        self.name = Self.wire(name)
        self.data = data
        self.section = section
    }

    static func ptr(_ name: String, _ service: SimulatedService) -> Record {
        Record(name, .ptr(wire(service.fullName)), .answer)
    }

    static func address(_ host: String, _ address: IPAddress, _ section: DNSSection) -> Record {
        Record("\(host).local", .address(address), section)
    }

    func write(_ writer: inout DNSWriter) throws(DNSError) {
        let name = try DNSName(name.span)
        switch data {
        case .ptr(let target):
            try writer.record(
                DNSRecord(
                    name, .ptr(try DNSName(target.span)), timeToLiveSeconds: 4500,
                    flushesCache: false, section: section))
        case .srv(let host, let port):
            try writer.record(
                DNSRecord(
                    name, .srv(DNSService(target: try DNSName(host.span), port: port)),
                    timeToLiveSeconds: 120, flushesCache: true, section: section))
        case .txt(let octets):
            guard let text = DNSText(octets.span) else { return }
            try writer.record(
                DNSRecord(
                    name, .txt(text), timeToLiveSeconds: 4500, flushesCache: true,
                    section: section))
        case .address(let address):
            try writer.record(
                DNSRecord(
                    name, .aaaa(address.octets), timeToLiveSeconds: 120, flushesCache: true,
                    section: section))
        }
    }

    /// Labels as on the wire.
    static func wire(_ name: String) -> [UInt8] {
        var octets: [UInt8] = []
        for label in name.split(separator: ".") {
            octets.append(UInt8(label.utf8.count))
            octets.append(contentsOf: Array(label.utf8))
        }
        return octets + [0]
    }
}

extension [Record] {
    /// What leads from the instance to its addresses.
    fileprivate init(
        details service: SimulatedService, on answerer: ServiceAnswerer, section: DNSSection
    ) {
        var text: [UInt8] = []
        for entry in service.text {
            text.append(UInt8(entry.utf8.count))
            text.append(contentsOf: [UInt8](entry.utf8))
        }
        self = [
            Record(
                service.fullName, .srv(Record.wire("\(answerer.host).local"), port: service.port),
                section),
            Record(service.fullName, .txt(text.isEmpty ? [0] : text), section),
        ]
        self += answerer.addresses.map { Record.address(answerer.host, $0, .additional) }
    }

    /// The same behind its pointer.
    fileprivate init(whole service: SimulatedService, on answerer: ServiceAnswerer) {
        let type = (service.type + ["local"]).joined(separator: ".")
        self = [.ptr(type, service)]
        self += service.subtypes.map { Record.ptr("\($0)._sub.\(type)", service) }
        self += [Record](details: service, on: answerer, section: .answer)
    }
}

extension SimulatedService {
    fileprivate var fullName: String {
        ([instance] + type + ["local"]).joined(separator: ".")
    }
}

package import Base
package import Matter
package import MatterNode

/// One simulated host's responder on its link and clock.
package final class ServiceAnswerer: @unchecked Sendable {
    package let link: SimulatedMulticast
    package let host: String
    package var addresses: [IPAddress] {
        didSet {
            responder.set(addresses: addresses, on: link.interface, at: loop.now)
            flush()
        }
    }
    /// Questions that were heard.
    package private(set) var questionCount = 0
    private let loop: Loop
    private var responder: MDNSResponder
    private var timer: TimerID?
    private var buffer = [UInt8](repeating: 0, count: 9000)

    /// - Parameter seed: spreads its answers.
    package init(
        loop: Loop, link: SimulatedMulticast, host: String, addresses: [IPAddress], seed: UInt64
    ) {
        self.loop = loop
        self.link = link
        self.host = host
        self.addresses = addresses
        responder = MDNSResponder(interfaces: [link.interface], seed: seed)
        responder.set(addresses: addresses, on: link.interface, at: loop.now)
        link.onReadable = { [weak self] in self?.pump() }
    }

    package func publish(_ service: MDNSService) {
        responder.publish(service, at: loop.now)
        flush()
    }

    package func withdraw(_ service: MDNSService) {
        responder.withdraw(service.instance, service.kind, at: loop.now)
        flush()
    }

    private func pump() {
        while true {
            var span = buffer.mutableSpan
            guard let source = link.receive(into: &span) else { return }
            let datagram = buffer.span.extracting(0..<source.count)
            do throws(DNSError) {
                let header = try DNSReader(datagram).header
                if !header.isResponse { questionCount += Int(header.questionCount) }
                try responder.receive(
                    datagram, from: source.sender, on: source.interface, at: loop.now)
            } catch {
                // Nothing of a malformed message is answered.
            }
            flush()
        }
    }

    private func flush() {
        while let response = responder.nextTransmit() {
            switch response.destination {
            case .group(let interface): link.sendToGroup(response.payload.span, on: interface)
            case .asker(let asker): link.send(response.payload.span, to: asker)
            }
        }
        if let timer { loop.cancel(timer) }
        timer = responder.nextDeadline.map { deadline in
            loop.schedule(at: deadline) { [weak self] in self?.tick() }
        }
    }

    private func tick() {
        timer = nil
        responder.advance(to: loop.now)
        flush()
    }
}

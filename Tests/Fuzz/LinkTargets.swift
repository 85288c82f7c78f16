import Base
import LinuxIO
import Matter

enum LinkTargets {
    static func dns(_ input: [UInt8]) {
        var pieces = Pieces(input)
        var querier = MDNSQuerier(interfaces: [2])
        for query in [MDNSQuery.commissionableNodes, .operationalNodes, .borderRouters] {
            try? querier.browse(query, at: .start)
        }
        var responder = MDNSResponder(interfaces: [2], seed: 1)
        responder.set(addresses: [IPAddress("fe80::1%2")].compactMap(\.self), on: 2, at: .start)
        var text = CommissionableText(discriminator: 3840, commissioningMode: 1)
        text.deviceName = "name"
        responder.publish(
            .commissionable(instance: 1, host: "HOST", port: 5540, text), at: .start)
        let source = SocketAddress(IPAddress("fe80::2%2") ?? .loopbackForFuzzing, port: 5353)
        var now = Instant.start
        while !pieces.isEmpty {
            now = now + .milliseconds(Int64(pieces.byte()) * 16)
            let message = pieces.piece()
            try? querier.receive(message.span, from: source, interface: 2, at: now)
            try? responder.receive(message.span, from: source, on: 2, at: now)
            querier.advance(to: now)
            responder.advance(to: now)
            while querier.nextTransmit() != nil {}
            while querier.nextEvent() != nil {}
            while responder.nextTransmit() != nil {}
        }
    }

    static func advertisement(_ input: [UInt8]) {
        guard let advertisement = CommissionableAdvertisement(input.span) else { return }
        var bytes = [UInt8](repeating: 0, count: CommissionableAdvertisement.octets)
        var writer = ByteWriter(bytes.mutableSpan)
        try? advertisement.write(&writer)
        precondition(CommissionableAdvertisement(bytes.span) == advertisement)
    }

    static func att(_ input: [UInt8]) {
        var pieces = Pieces(input)
        var client = GATTClient(at: .start)
        var server = GATTServer(additionalData: pieces.byte() & 1 == 0 ? nil : [1, 2, 3])
        var now = Instant.start
        while !pieces.isEmpty {
            let kind = pieces.byte()
            now = now + .milliseconds(Int64(kind) * 4)
            let packet = pieces.piece()
            if kind & 1 == 0 {
                try? client.receive(packet.span, at: now)
            } else {
                try? server.receive(packet.span, at: now)
            }
            client.advance(to: now)
            server.advance(to: now)
            while let event = client.nextEvent() {
                if event == .written { client.subscribe(at: now) }
            }
            while server.nextEvent() != nil {}
            if client.isIdle, kind & 2 == 0 { client.write(Span(), at: now) }
            if server.canIndicate { server.indicate(Span(), at: now) }
            while client.nextTransmit({ _ in }) {}
            while server.nextTransmit({ _ in }) {}
        }
    }

    static func btp(_ input: [UInt8]) {
        var pieces = Pieces(input)
        var central = BTPCentral(attMTU: Int(pieces.byte() % 225) + 23, at: .start)
        var peripheral = BTPPeripheral(attMTU: Int(pieces.byte() % 225) + 23, at: .start)
        peripheral.subscribe(at: .start)
        var now = Instant.start
        while !pieces.isEmpty {
            let kind = pieces.byte()
            now = now + .milliseconds(Int64(kind) * 8)
            let packet = pieces.piece()
            // What we send has a size that its maker has checked.
            if kind & 2 != 0, !(1...Limits.btpMessageBytes).contains(packet.count) { continue }
            switch kind & 3 {
            case 0: try? central.receive(packet.span, at: now)
            case 1: try? peripheral.receive(packet.span, at: now)
            case 2: _ = central.send(packet.span, at: now)
            default: _ = peripheral.send(packet.span, at: now)
            }
            central.advance(to: now)
            peripheral.advance(to: now)
            while central.nextEvent() != nil {}
            while peripheral.nextEvent() != nil {}
            // What one says may reach the other.
            var values: [[UInt8]] = []
            while central.nextTransmit({ values.append([UInt8]($0)) }) {}
            if kind & 4 == 0 {
                for value in values { try? peripheral.receive(value.span, at: now) }
            }
            values = []
            while peripheral.nextTransmit({ values.append([UInt8]($0)) }) {}
            if kind & 8 == 0 { for value in values { try? central.receive(value.span, at: now) } }
        }
    }

    static func management(_ input: [UInt8]) { _ = ManagementEvent.read(input.span) }
}

extension IPAddress {
    fileprivate static let loopbackForFuzzing = IPAddress(ipv4: FixedBytes())
}

internal import Base
internal import Matter
internal import MatterNode

/// A device that speaks Bluetooth until it has been given a network.
extension DeviceRun {
    /// Without a radio for Bluetooth the network is all there is.
    var isOnNetwork: Bool {
        ports.radio == nil || settings.network == .ethernet || root.networks.connected != nil
    }

    /// A second commissioner is sent away.
    func connect(_ bearer: any ATTBearer) {
        guard bluetooth == nil, advertised != nil else { return bearer.close() }
        connections &+= 1
        let number = connections
        let link = PeripheralLink(bearer, attMTU: settings.attMTU, on: ports.loop)
        bluetooth = (link, number)
        link.onMessage = { [weak self] message in self?.take(message.span, from: .btp(number)) }
        link.onEnd = { [weak self] in self?.disconnected(number) }
        link.start()
        settle()
    }

    /// Whatever was said over it is over; what it did stays until the fail-safe ends.
    private func disconnected(_ number: UInt16) {
        bluetooth = nil
        let gone = layer.sessions(at: .btp(number))
        for (exchange, handshake) in handshakes {
            let session = layer.session(of: exchange)
            if session.map({ gone.contains($0) }) ?? true, handshake.isPASE { end(exchange) }
        }
        for session in gone { forget(session) }
        // Who is in the middle of settling settles this as well.
        _ = ports.loop.schedule(at: now) { [weak self] in self?.settle() }
    }

    /// Brings the radio up to what the device is at.
    func settleBluetooth() {
        guard let radio = ports.radio else { return }
        if let bluetooth {
            bluetooth.link.setIsAtWork(root.networking != nil)
            // Commissioned: whoever did it goes on over the network.
            if !root.window.isOpen, layer.sessions(at: .btp(bluetooth.number)).isEmpty {
                bluetooth.link.finish()
            }
        }
        let wanted = isAdvertising ? root.window.opening.map(advertisement) : nil
        guard wanted != advertised else { return }
        advertised = wanted
        radio.advertise(wanted)
    }

    private var isAdvertising: Bool {
        guard bluetooth == nil, !isOnNetwork else { return false }
        // One radio cannot do both.
        return settings.isConcurrent || root.networking == nil
    }

    private func advertisement(
        _ opening: CommissioningWindow.Opening
    ) -> CommissionableAdvertisement {
        CommissionableAdvertisement(
            discriminator: opening.discriminator, vendorID: settings.vendorID,
            productID: settings.productID)
    }

    func stopBluetooth() {
        guard let radio = ports.radio else { return }
        radio.onConnection = nil
        radio.advertise(nil)
        advertised = nil
        let link = bluetooth?.link
        bluetooth = nil
        link?.onEnd = nil
        link?.close()
    }

    /// Off the network nothing is announced, and nobody hears a farewell.
    func withdrawAll() {
        for service in responder.published {
            responder.withdraw(service.instance, service.kind, at: now)
        }
        flushResponder()
    }
}

package import Matter

/// Devices that are reached over Bluetooth.
extension Node {
    /// Takes messages from a link that is open, and sends to its device by the address that this
    /// returns. When the link is lost, so are all sessions over it, and what waits in them.
    package func attach(_ link: BTPLink) -> PeerAddress {
        var number = lastBluetoothLink
        // Zero is nobody's.
        repeat { number &+= 1 } while number == 0 || bluetoothLinks[number] != nil
        lastBluetoothLink = number
        let address = PeerAddress.btp(number)
        bluetoothLinks[number] = link
        link.onMessage = { [weak self] message in
            self?.assumeIsolated { node in node.take(message.span, from: address) }
        }
        link.onLoss = { [weak self] _ in
            self?.assumeIsolated { node in node.endLink(number) }
        }
        if link.loss != nil { endLink(number) }
        return address
    }

    /// Ends a link, after what was said over it has gone.
    package func detach(_ address: PeerAddress) {
        guard case .btp(let number) = address, let link = bluetoothLinks[number] else { return }
        link.finish()
    }

    /// Links whose devices can be reached.
    package var bluetoothLinkCount: Int { bluetoothLinks.count }

    /// Keeps the link of a session open through silence, until it is released as often.
    func hold(_ session: SessionHandle) -> BTPLink? {
        let link = bluetoothLink(of: session)
        link?.beginWaiting()
        return link
    }

    func bluetoothLink(of session: SessionHandle) -> BTPLink? {
        guard case .btp(let number)? = layer.address(of: session) else { return nil }
        return bluetoothLinks[number]
    }

    private func endLink(_ number: UInt16) {
        bluetoothLinks[number] = nil
        for session in layer.sessions(at: .btp(number)) { end(session) }
    }
}

import Base
import CAllocationCounter
import Testing

@testable import Matter

@Suite("Allocations: BTP")
struct BTPAllocationTests {
    /// Carries everything that one has to the other.
    private func carry(
        _ central: inout BTPCentral, _ peripheral: inout BTPPeripheral, at now: Instant
    ) throws(BTPError) {
        var fault: BTPError?
        var isBusy = true
        while isBusy {
            let wrote = central.nextTransmit { bytes in
                do throws(BTPError) {
                    try peripheral.receive(bytes, at: now)
                } catch { fault = error }
            }
            let indicated = peripheral.nextTransmit { bytes in
                do throws(BTPError) {
                    try central.receive(bytes, at: now)
                } catch { fault = error }
            }
            isBusy = wrote || indicated
            if let fault { throw fault }
        }
    }

    @Test("a message of 53 segments passes without an allocation once both ends are warm")
    func segments() throws {
        let now = Instant(nanoseconds: 0)
        var central = BTPCentral(attMTU: 30, at: now)
        var peripheral = BTPPeripheral(attMTU: 30, at: now)
        peripheral.subscribe(at: now)
        try carry(&central, &peripheral, at: now)
        let message = [UInt8](repeating: 7, count: 1280)
        var counts: [UInt64] = []
        counts.reserveCapacity(8)
        for _ in 0..<8 {
            let before = allocation_count()
            let sent = central.send(message.span, at: now)
            let answered = peripheral.send(message.span, at: now)
            try carry(&central, &peripheral, at: now)
            counts.append(allocation_count() - before)
            let complete = (central.nextEvent(), peripheral.nextEvent())
            #expect(sent && answered && complete == (.message, .message))
        }
        #if !DEBUG
            #expect(counts.suffix(4).max() == 0)
        #endif
    }
}

import Base
import Crypto
import Matter
import Simulation
import Testing

@testable import VirtualDevice

@Suite("CommissioningWindow")
struct CommissioningWindowTests {
    private static let passcode = PasscodeVerifier(
        .passcode(20_202_021), random: SharedRandom(SeededRandom(seed: 1)))

    private func window(
        by administrator: CommissioningWindow.Administrator? = nil, isEnhanced: Bool = false
    ) -> CommissioningWindow {
        var window = CommissioningWindow()
        window.open(
            CommissioningWindow.Opening(
                end: Instant(nanoseconds: 0) + .seconds(180), passcode: Self.passcode,
                discriminator: 1, isEnhanced: isEnhanced, administrator: administrator))
        return window
    }

    private func at(_ seconds: Int) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

    @Test("§11.19.7.1 the status tells of windows that an administrator opened")
    func status() {
        let administrator = CommissioningWindow.Administrator(
            fabricIndex: FabricIndex(1), vendorID: VendorID(0xFFF1))
        #expect(CommissioningWindow().status == .windowNotOpen)
        #expect(window().status == .windowNotOpen)
        #expect(window(by: administrator).status == .basicWindowOpen)
        #expect(window(by: administrator, isEnhanced: true).status == .enhancedWindowOpen)
    }

    @Test("§11.19.7.2 whoever opened it may leave while it is open")
    func openerLeaves() {
        var window = window(
            by: CommissioningWindow.Administrator(
                fabricIndex: FabricIndex(3), vendorID: VendorID(0xFFF1)))
        window.removed(FabricIndex(2))
        #expect(window.opening?.administrator?.fabricIndex == FabricIndex(3))
        window.removed(FabricIndex(3))
        #expect(window.opening?.administrator?.fabricIndex == nil)
        #expect(window.status == .basicWindowOpen)
    }

    @Test("it ends when its time is over")
    func end() {
        var window = window()
        window.advance(to: at(179))
        #expect(window.isOpen)
        window.advance(to: at(180))
        #expect(!window.isOpen)
    }

    @Test("§5.5 one try at a time; a silent one makes room after a minute")
    func oneTry() {
        var window = window()
        guard case .admitted = window.begin(at: at(0)) else { return #expect(Bool(false)) }
        guard case .busy(let wait) = window.begin(at: at(20)) else { return #expect(Bool(false)) }
        #expect(wait == .seconds(40))
        guard case .admitted = window.begin(at: at(60)) else { return #expect(Bool(false)) }
    }

    @Test("§11.19.8.4 it closes with the twentieth failed try; another window counts anew")
    func tries() {
        var window = window()
        for _ in 0..<19 { window.failed() }
        #expect(window.isOpen)
        window.failed()
        #expect(!window.isOpen)
        guard case .closed = window.begin(at: at(0)) else { return #expect(Bool(false)) }
    }
}

import Testing

@testable import VirtualDevice

@Suite("Limits of the virtual device")
struct LimitsTests {
    @Test("Core §11.18.5.5 the table holds the least number of fabrics that is allowed")
    func fabrics() {
        #expect(Limits.fabrics == 5)
    }
}

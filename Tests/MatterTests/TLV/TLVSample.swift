import Base
import Matter

/// TLV made for tests, and what every test does with it.
enum TLVSample {
    /// Every type, tag form, width and container, four deep.
    static let message: [UInt8] =
        [0x15]
        + [0x24, 0x00, 0x01, 0x25, 0x01, 0x00, 0x01, 0x26, 0x02, 0, 0, 1, 0]
        + [0x27, 0x03, 0, 0, 0, 0, 1, 0, 0, 0, 0x20, 0x04, 0xFF, 0x21, 0x05, 0x00, 0xFF]
        + [0x22, 0x06, 0, 0, 0, 0x80, 0x23, 0x07, 0, 0, 0, 0, 0, 0, 0, 0x80]
        + [0x28, 0x08, 0x29, 0x09, 0x2A, 0x0A, 0, 0, 0x80, 0x3F]
        + [0x2B, 0x0B, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0x34, 0x0C]
        + [0x2C, 0x0D, 0x02, 0x61, 0x62, 0x30, 0x0E, 0x03, 0x00, 0x01, 0x02]
        + [0x31, 0x0F, 0x00, 0x01] + [UInt8](repeating: 0x18, count: 256)
        + [
            0x36, 0x10, 0x04, 0x01, 0x15, 0x37, 0x00, 0x04, 0x07, 0x24, 0x00, 0x08, 0x18, 0x18,
            0x18,
        ]
        + [0x44, 0x01, 0x00, 0x01, 0x64, 0, 0, 1, 0, 0x01, 0x84, 0x01, 0x00, 0x01]
        + [0xA4, 0, 0, 1, 0, 0x01, 0xC4, 0xF1, 0xFF, 0xED, 0xDE, 0x01, 0x00, 0x01]
        + [0xE4, 0xF1, 0xFF, 0xED, 0xDE, 0xED, 0xFE, 0x55, 0xAA, 0x01]
        + [0x35, 0x11, 0x18, 0x18]

    /// The unsigned 1 under each tag form.
    static let unsignedOne: [(form: UInt8, bytes: [UInt8])] = [0, 1, 2, 4, 2, 4, 6, 8].enumerated()
        .map { form, width in
            (UInt8(form), [UInt8(form) << 5 | 0x04] + [UInt8](repeating: 9, count: width) + [0x01])
        }

    /// Reads to the end or to the first fault.
    static func walk(_ reader: inout TLVReader) -> (count: Int, fault: TLVError?) {
        var count = 0
        do throws(TLVError) {
            while try reader.next() != nil { count += 1 }
            return (count, nil)
        } catch { return (count, error) }
    }

    static func fault(_ reader: inout TLVReader) -> TLVError? { walk(&reader).fault }

    /// What is wrong with one element or several; no bytes at all lack the first.
    static func fault(_ bytes: [UInt8]) -> TLVError? {
        var reader = TLVReader(bytes.span)
        do throws(TLVError) {
            let first = try reader.require()
            if case .end = first.value { return .unbalancedEnd(at: 0) }
        } catch { return error }
        return fault(&reader)
    }

    /// Everything read and written again, into a buffer of `capacity`.
    static func rewritten(_ bytes: [UInt8], capacity: Int = 4096) throws(TLVError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: capacity)
        var writer = TLVWriter(buffer.mutableSpan)
        try rewrite(bytes, &writer) { _, _, _ in }
        let count = writer.count
        return Array(buffer[..<count])
    }

    /// - Parameter failed: called with the writer's count and depth before and after a write
    ///   that threw.
    static func rewrite(
        _ bytes: [UInt8], _ writer: inout TLVWriter,
        failed: (_ error: TLVError, _ before: (Int, Int), _ after: (Int, Int)) -> Void
    ) throws(TLVError) {
        var reader = TLVReader(bytes.span)
        while let element = try reader.next() {
            let before = (writer.count, writer.depth)
            do throws(TLVError) { try write(element, &writer) } catch {
                failed(error, before, (writer.count, writer.depth))
                throw error
            }
        }
    }

    private static func write(
        _ element: borrowing TLVElement, _ writer: inout TLVWriter
    ) throws(TLVError) {
        let tag = element.tag
        switch element.value {
        case .signed(let number): try writer.signed(number, tag: tag)
        case .unsigned(let number): try writer.unsigned(number, tag: tag)
        case .boolean(let flag): try writer.boolean(flag, tag: tag)
        case .float(let number): try writer.float(number, tag: tag)
        case .double(let number): try writer.double(number, tag: tag)
        case .utf8(let text): try writer.utf8(text, tag: tag)
        case .octets(let octets): try writer.octets(octets, tag: tag)
        case .null: try writer.null(tag: tag)
        case .open(let container): try writer.open(container, tag: tag)
        case .end: try writer.end()
        }
    }
}

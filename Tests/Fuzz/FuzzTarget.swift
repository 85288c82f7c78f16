import Base

/// What takes bytes from others. Each is given whatever libFuzzer makes up; it may refuse it, and
/// may not stop, hang, or grow.
enum FuzzTarget: String, CaseIterable {
    case tlv, session, pase, `case`, interaction, server, certificate, declaration, payload
    case label, dataset, dns, advertisement, att, btp, management, console, frames
    case configuration, mqtt

    func take(_ input: [UInt8]) {
        switch self {
        case .tlv: CodecTargets.tlv(input)
        case .certificate: CodecTargets.certificate(input)
        case .declaration: CodecTargets.declaration(input)
        case .payload: CodecTargets.payload(input)
        case .dataset: CodecTargets.dataset(input)
        case .session: SessionTargets.session(input)
        case .pase: SessionTargets.pase(input)
        case .case: SessionTargets.case(input)
        case .interaction: SessionTargets.interaction(input)
        case .server: SessionTargets.server(input)
        case .dns: LinkTargets.dns(input)
        case .advertisement: LinkTargets.advertisement(input)
        case .att: LinkTargets.att(input)
        case .btp: LinkTargets.btp(input)
        case .management: LinkTargets.management(input)
        case .label: TextTargets.label(input)
        case .console: TextTargets.console(input)
        case .frames: TextTargets.frames(input)
        case .configuration: TextTargets.configuration(input)
        case .mqtt: TextTargets.mqtt(input)
        }
    }
}

/// Takes an input apart: numbers, and pieces with their length before them.
struct Pieces {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// At most 2,047 octets, and no more than are left.
    mutating func piece() -> [UInt8] {
        let count = Int(byte()) | Int(byte() & 7) << 8
        let piece = [UInt8](rest.prefix(count))
        rest = rest.dropFirst(count)
        return piece
    }

    mutating func all() -> [UInt8] {
        defer { rest = [] }
        return [UInt8](rest)
    }
}

extension Instant {
    static let start = Instant(nanoseconds: 1_000_000_000)
}

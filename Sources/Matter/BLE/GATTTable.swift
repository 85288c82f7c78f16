internal import Base

/// The attributes of a device's Matter service, and the answers that need no more than them.
/// Bluetooth Core, volume 3, part F, §3.4; the service is that of Core §4.20.2.
struct GATTTable {
    static let service: UInt16 = 1
    static let c1: UInt16 = 3
    static let c2: UInt16 = 5
    static let c2Configuration: UInt16 = 6
    static let c3: UInt16 = 8

    /// What C3 holds; nil when there is none.
    let additionalData: [UInt8]?

    private var last: UInt16 { additionalData == nil ? Self.c2Configuration : Self.c3 }

    /// - Parameters:
    ///   - limit: the ATT_MTU.
    ///   - writer: has room for `limit` octets.
    @_lifetime(writer: copy writer)
    func answer(
        _ opcode: UInt8, _ fields: Span<UInt8>, limit: Int, isSubscribed: Bool,
        _ writer: inout ByteWriter
    ) throws(ATTRefusal) -> GATTServer.Effect? {
        var reader = ByteReader(fields)
        var effect: GATTServer.Effect?
        var content: [UInt8] = []
        switch opcode {
        case ATTOpcode.exchangeMTURequest:
            effect = .agree(attMTU: Int(try reader.field()))
            content = [UInt8(Limits.attMTU & 0xFF), UInt8(Limits.attMTU >> 8)]
        case ATTOpcode.writeRequest:
            let handle = try reader.field()
            let value = reader.rest()
            effect = try write(handle, value)
        case ATTOpcode.readRequest, ATTOpcode.readBlobRequest:
            let handle = try reader.field()
            let offset = opcode == ATTOpcode.readRequest ? 0 : Int(try reader.field())
            let value = try value(handle, isSubscribed)
            guard offset <= value.count else { throw ATTRefusal(.invalidOffset, handle) }
            content = Array(value[offset...].prefix(limit - 1))
        case ATTOpcode.findInformationRequest, ATTOpcode.findByTypeValueRequest,
            ATTOpcode.readByTypeRequest, ATTOpcode.readByGroupTypeRequest:
            let (start, end) = (try reader.field(), try reader.field())
            guard start > 0, start <= end else { throw ATTRefusal(.invalidHandle, start) }
            let handles = start <= last ? Array(start...min(end, last)) : []
            let operand = reader.rest()
            content = try list(
                opcode, handles, start, operand, limit: limit, isSubscribed)
        default: throw ATTRefusal(.requestNotSupported, 0)
        }
        put(opcode + 1, content, &writer)
        return effect
    }

    @_lifetime(writer: copy writer)
    private func put(_ opcode: UInt8, _ content: [UInt8], _ writer: inout ByteWriter) {
        do throws(ByteError) {
            try writer.uint8(opcode)
            for octet in content { try writer.uint8(octet) }
        } catch { preconditionFailure("an answer fits the ATT_MTU") }
    }

    private func write(
        _ handle: UInt16, _ value: Span<UInt8>
    ) throws(ATTRefusal) -> GATTServer.Effect {
        guard handle >= 1, handle <= last else { throw ATTRefusal(.invalidHandle, handle) }
        switch handle {
        case Self.c1: return .write
        case Self.c2Configuration:
            guard value.count == 2 else { throw ATTRefusal(.invalidAttributeLength, handle) }
            return .subscribe(value[0] & 0x02 != 0)
        default: throw ATTRefusal(.writeNotPermitted, handle)
        }
    }

    /// Entries of one size, as many as fit. `operand` is what the request holds behind its range.
    private func list(
        _ opcode: UInt8, _ handles: [UInt16], _ start: UInt16, _ operand: Span<UInt8>,
        limit: Int, _ isSubscribed: Bool
    ) throws(ATTRefusal) -> [UInt8] {
        var content: [UInt8] = []
        var size = 0
        /// Whether there was room, and the entry is like those before.
        func add(_ entry: [UInt8], header: UInt8?) -> Bool {
            if content.isEmpty {
                size = entry.count
                if let header { content.append(header) }
            }
            guard entry.count == size, content.count + size <= limit - 1 else { return false }
            content += entry
            return true
        }
        switch opcode {
        case ATTOpcode.findInformationRequest:
            for handle in handles {
                let uuid = octets(type(handle))
                let entry = octets(handle) + uuid
                guard add(entry, header: uuid.count == 2 ? 1 : 2) else { break }
            }
        case ATTOpcode.findByTypeValueRequest:
            let service = octets(.primaryService) + octets(.matter)
            if handles.contains(Self.service), operand.isEqual(to: service.span) {
                _ = add(octets(Self.service) + octets(last), header: nil)
            }
        case ATTOpcode.readByGroupTypeRequest:
            guard BluetoothUUID(operand) == .primaryService else {
                throw ATTRefusal(.unsupportedGroupType, start)
            }
            if handles.contains(Self.service) {
                let entry = octets(Self.service) + octets(last) + octets(.matter)
                _ = add(entry, header: UInt8(entry.count))
            }
        default:
            guard let uuid = BluetoothUUID(operand) else { throw ATTRefusal(.invalidPDU, 0) }
            for handle in handles where type(handle) == uuid {
                let value = try value(handle, isSubscribed).prefix(limit - 4)
                let entry = octets(handle) + value
                guard add(entry, header: UInt8(entry.count)) else { break }
            }
        }
        guard !content.isEmpty else { throw ATTRefusal(.attributeNotFound, start) }
        return content
    }

    private func type(_ handle: UInt16) -> BluetoothUUID {
        switch handle {
        case Self.service: .primaryService
        case Self.c1: .c1
        case Self.c2: .c2
        case Self.c2Configuration: .clientConfiguration
        case Self.c3: .c3
        default: .characteristic
        }
    }

    private func value(
        _ handle: UInt16, _ isSubscribed: Bool
    ) throws(ATTRefusal) -> [UInt8] {
        guard handle >= 1, handle <= last else { throw ATTRefusal(.invalidHandle, handle) }
        switch handle {
        case Self.service: return octets(.matter)
        case Self.c1, Self.c2: throw ATTRefusal(.readNotPermitted, handle)
        case Self.c2Configuration: return [isSubscribed ? 2 : 0, 0]
        case Self.c3: return additionalData ?? []
        default:
            // A declaration: properties, the handle of the value and its type. Volume 3, part G,
            // §3.3.1: write 0x08, indicate 0x20, read 0x02.
            let property: UInt8 =
                switch handle + 1 {
                case Self.c1: 0x08
                case Self.c2: 0x20
                default: 0x02
                }
            return [property] + octets(handle + 1) + octets(type(handle + 1))
        }
    }
}

private func octets(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
}

private func octets(_ uuid: BluetoothUUID) -> [UInt8] {
    [UInt8](capacity: uuid.octets) { writer in
        do throws(ByteError) {
            try uuid.write(&writer)
        } catch { preconditionFailure("there is room for a UUID") }
    }
}

extension ByteReader {
    /// A handle, an offset or a size.
    @_lifetime(self: copy self)
    fileprivate mutating func field() throws(ATTRefusal) -> UInt16 {
        do throws(ByteError) {
            return try uint16()
        } catch { throw ATTRefusal(.invalidPDU, 0) }
    }
}

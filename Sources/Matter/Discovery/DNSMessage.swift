package import Base

/// Multicast DNS messages (RFC 1035 §4, RFC 6762 §18), read in place.
///
/// Scope: the records of DNS service discovery over borrowed bytes, without allocation; these
/// files are compiled with `-no-allocations` besides. Not scope: what the records mean, and for
/// how long (`MDNSQuerier`).
package struct DNSHeader: Equatable, Sendable {
    package static let octets = 12

    package var id: UInt16 = 0
    package var flags: UInt16 = 0
    package var questionCount: UInt16 = 0
    package var answerCount: UInt16 = 0
    package var authorityCount: UInt16 = 0
    package var additionalCount: UInt16 = 0

    package init() {}

    package static let query: UInt16 = 0x0000
    /// A response, authoritative, as RFC 6762 §18.4 wants it.
    package static let response: UInt16 = 0x8400

    package var isResponse: Bool { flags & 0x8000 != 0 }
    /// RFC 6762 §18.3, §18.11: a message with an opcode or a response code is ignored.
    package var isOrdinary: Bool { flags & 0x780F == 0 }
    /// TC. In a query: more known answers follow (RFC 6762 §7.2).
    package var isTruncated: Bool { flags & 0x0200 != 0 }
}

/// What is wrong with a DNS message, or does not fit where it is to be written.
package enum DNSError: Error, Equatable {
    /// The message ends inside what begins at this offset.
    case truncated(at: Int)
    /// A label of an unknown kind, a name beyond its bounds, or a pointer that does not lead back.
    case invalidName(at: Int)
    /// A record whose data, at this offset, is not of the length that it claims.
    case invalidData(at: Int)
    /// The buffer cannot hold what is to be written at this offset.
    case full(at: Int)

    init(_ error: ByteError) {
        switch error {
        case .truncated(let offset): self = .truncated(at: offset)
        case .full(let offset): self = .full(at: offset)
        }
    }
}

/// What a record holds or a question asks for. Others than these exist and are passed over.
package struct DNSType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let a = DNSType(rawValue: 1)
    package static let ptr = DNSType(rawValue: 12)
    package static let txt = DNSType(rawValue: 16)
    package static let aaaa = DNSType(rawValue: 28)
    package static let srv = DNSType(rawValue: 33)
    package static let nsec = DNSType(rawValue: 47)
    package static let any = DNSType(rawValue: 255)
}

/// The class octets without their top bit.
package enum DNSClass {
    package static let internet: UInt16 = 1
    /// Asks for a unicast answer in a question (RFC 6762 §5.4), and says that older records of
    /// this name and type are void in a record (§10.2).
    package static let topBit: UInt16 = 0x8000
}

package struct DNSQuestion: ~Escapable {
    package let name: DNSName
    package let type: DNSType
    package let isInternet: Bool
    package let prefersUnicast: Bool

    @_lifetime(copy name)
    package init(
        _ name: consuming DNSName, _ type: DNSType, prefersUnicast: Bool, isInternet: Bool = true
    ) {
        self.name = name
        self.type = type
        self.isInternet = isInternet
        self.prefersUnicast = prefersUnicast
    }
}

package enum DNSSection: UInt8, Sendable {
    case answer, authority, additional
}

package struct DNSRecord: ~Escapable {
    package let name: DNSName
    package let section: DNSSection
    package let isInternet: Bool
    package let flushesCache: Bool
    /// 0 says goodbye (RFC 6762 §10.1).
    package let timeToLiveSeconds: UInt32
    package let data: DNSRecordData

    @_lifetime(copy name, copy data)
    package init(
        _ name: consuming DNSName, _ data: consuming DNSRecordData,
        timeToLiveSeconds: UInt32, flushesCache: Bool, section: DNSSection = .answer,
        isInternet: Bool = true
    ) {
        self.name = name
        self.section = section
        self.isInternet = isInternet
        self.flushesCache = flushesCache
        self.timeToLiveSeconds = timeToLiveSeconds
        self.data = data
    }
}

package enum DNSRecordData: ~Escapable {
    case ptr(DNSName)
    case srv(DNSService)
    case txt(DNSText)
    case a(FixedBytes<4>)
    case aaaa(FixedBytes<16>)
    /// Another type, or one of the above in another class than the Internet's.
    case other(DNSType, Span<UInt8>)
}

/// RFC 2782.
package struct DNSService: ~Escapable {
    package let priority: UInt16
    package let weight: UInt16
    package let port: UInt16
    package let target: DNSName

    @_lifetime(copy target)
    package init(
        target: consuming DNSName, port: UInt16, priority: UInt16 = 0, weight: UInt16 = 0
    ) {
        self.priority = priority
        self.weight = weight
        self.port = port
        self.target = target
    }
}

/// Walks a message in one direction: its questions, then the records of its three sections.
///
/// Copying a reader is cheap and is the way to walk again. What was read before a throw stands;
/// nothing can be read after one.
package struct DNSReader: ~Escapable {
    package let header: DNSHeader
    private var bytes: ByteReader
    private var questionsLeft: Int
    private var answersLeft: Int
    private var authoritiesLeft: Int
    private var additionalsLeft: Int

    /// - Throws: `truncated` when there is no whole header.
    @_lifetime(copy message)
    package init(_ message: Span<UInt8>) throws(DNSError) {
        guard message.count >= DNSHeader.octets else { throw .truncated(at: 0) }
        var bytes = ByteReader(message)
        var header = DNSHeader()
        do throws(ByteError) {
            header.id = try bytes.networkUInt16()
            header.flags = try bytes.networkUInt16()
            header.questionCount = try bytes.networkUInt16()
            header.answerCount = try bytes.networkUInt16()
            header.authorityCount = try bytes.networkUInt16()
            header.additionalCount = try bytes.networkUInt16()
        } catch { throw DNSError(error) }
        self.header = header
        self.bytes = bytes
        questionsLeft = Int(header.questionCount)
        answersLeft = Int(header.answerCount)
        authoritiesLeft = Int(header.authorityCount)
        additionalsLeft = Int(header.additionalCount)
    }

    /// The next question, or nil after the last.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func nextQuestion() throws(DNSError) -> DNSQuestion? {
        guard questionsLeft > 0 else { return nil }
        let name = try name()
        let type: DNSType
        let classBits: UInt16
        do throws(ByteError) {
            type = DNSType(rawValue: try bytes.networkUInt16())
            classBits = try bytes.networkUInt16()
        } catch { throw DNSError(error) }
        questionsLeft -= 1
        return DNSQuestion(
            name, type, prefersUnicast: classBits & DNSClass.topBit != 0,
            isInternet: classBits & ~DNSClass.topBit == DNSClass.internet)
    }

    /// The next record, or nil after the last; passes over questions that were not read.
    @_lifetime(copy self) @_lifetime(self: copy self)
    package mutating func nextRecord() throws(DNSError) -> DNSRecord? {
        while questionsLeft > 0 { _ = try nextQuestion() }
        let section: DNSSection
        if answersLeft > 0 {
            answersLeft -= 1
            section = .answer
        } else if authoritiesLeft > 0 {
            authoritiesLeft -= 1
            section = .authority
        } else if additionalsLeft > 0 {
            additionalsLeft -= 1
            section = .additional
        } else {
            return nil
        }
        let name = try name()
        let fields: (type: DNSType, classBits: UInt16, timeToLive: UInt32, count: Int)
        do throws(ByteError) {
            fields.type = DNSType(rawValue: try bytes.networkUInt16())
            fields.classBits = try bytes.networkUInt16()
            fields.timeToLive = UInt32(truncatingIfNeeded: try bytes.bigEndian(width: 4))
            fields.count = Int(try bytes.networkUInt16())
        } catch { throw DNSError(error) }
        let isInternet = fields.classBits & ~DNSClass.topBit == DNSClass.internet
        let type = fields.type
        let data =
            isInternet
            ? try data(type: type, count: fields.count)
            : DNSRecordData.other(type, try take(fields.count))
        return DNSRecord(
            name, data, timeToLiveSeconds: fields.timeToLive,
            flushesCache: fields.classBits & DNSClass.topBit != 0, section: section,
            isInternet: isInternet)
    }
}

extension DNSReader {
    @_lifetime(copy self) @_lifetime(self: copy self)
    private mutating func name() throws(DNSError) -> DNSName {
        let name = try DNSName(bytes.bytes, at: bytes.offset)
        _ = try take(name.extent)
        return name
    }

    @_lifetime(copy self) @_lifetime(self: copy self)
    private mutating func take(_ count: Int) throws(DNSError) -> Span<UInt8> {
        do throws(ByteError) { return try bytes.bytes(count: count) } catch {
            throw DNSError(error)
        }
    }

    /// The data of a record, which must be exactly `count` octets; a name in it may point out.
    @_lifetime(copy self) @_lifetime(self: copy self)
    private mutating func data(type: DNSType, count: Int) throws(DNSError) -> DNSRecordData {
        let start = bytes.offset
        guard bytes.remaining >= count else { throw .truncated(at: start) }
        switch type {
        case .ptr:
            let target = try name()
            guard bytes.offset - start == count else { throw .invalidData(at: start) }
            return .ptr(target)
        case .srv:
            guard count > 6 else { throw .invalidData(at: start) }
            let fields = try take(6)
            let target = try name()
            guard bytes.offset - start == count else { throw .invalidData(at: start) }
            return .srv(
                DNSService(
                    target: target, port: UInt16(fields[4]) << 8 | UInt16(fields[5]),
                    priority: UInt16(fields[0]) << 8 | UInt16(fields[1]),
                    weight: UInt16(fields[2]) << 8 | UInt16(fields[3])))
        case .txt:
            guard let text = DNSText(try take(count)) else { throw .invalidData(at: start) }
            return .txt(text)
        case .a:
            guard let address = FixedBytes<4>(try take(count)) else {
                throw .invalidData(at: start)
            }
            return .a(address)
        case .aaaa:
            guard let address = FixedBytes<16>(try take(count)) else {
                throw .invalidData(at: start)
            }
            return .aaaa(address)
        default:
            return .other(type, try take(count))
        }
    }
}

extension ByteReader {
    @_lifetime(self: copy self)
    fileprivate mutating func networkUInt16() throws(ByteError) -> UInt16 {
        UInt16(truncatingIfNeeded: try bigEndian(width: 2))
    }
}

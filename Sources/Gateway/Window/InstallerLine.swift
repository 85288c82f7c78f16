internal import Base
package import Matter

/// What one line of an installer says.
package enum InstallerLine: Equatable, Sendable {
    /// One device, or those of a code that joins several, in their order.
    case devices([SetupPayload])
    /// The network that devices are to join.
    case wiFi(WiFiNetworkCredentials)
    /// Where the devices that follow are; empty when they are nowhere in particular.
    case room(String)
    /// What the devices that follow are called; empty for no name.
    case name(String)
    /// No payload of any kind; words, at a console.
    case other

    /// - Parameter line: without its end.
    package init(_ line: Span<UInt8>) throws(InstallerLineError) {
        if let rest = Self.rest(of: line, after: "WIFI:") {
            do throws(WiFiLabelError) { self = .wiFi(try WiFiLabel.parse(rest)) } catch {
                throw .wiFi(error)
            }
        } else if let rest = Self.rest(of: line, after: "ROOM:") {
            self = .room(try Self.label(rest))
        } else if let rest = Self.rest(of: line, after: "NAME:") {
            self = .name(try Self.label(rest))
        } else {
            do throws(SetupPayloadError) {
                self = .devices(try SetupPayload.parse(line))
            } catch .unrecognised {
                self = .other
            } catch { throw .payload(error) }
        }
    }

    /// Capitals do not matter: a keyboard scanner with caps lock on turns them.
    @_lifetime(copy line)
    private static func rest(of line: Span<UInt8>, after mark: StaticString) -> Span<UInt8>? {
        let count = mark.utf8CodeUnitCount
        guard line.count >= count, isMark(line, mark.description) else { return nil }
        return line.extracting(count..<line.count)
    }

    private static func isMark(_ line: Span<UInt8>, _ mark: String) -> Bool {
        var index = 0
        for octet in mark.utf8 {
            guard ASCII.upper(line[index]) == octet else { return false }
            index += 1
        }
        return true
    }

    private static func label(_ text: Span<UInt8>) throws(InstallerLineError) -> String {
        var octets = [UInt8](text)
        while octets.first == 0x20 { octets.removeFirst() }
        do throws(UsageError) { return try Words.label(octets) } catch {
            throw .label(isTooLong: error == .labelTooLong)
        }
    }
}

/// A line that is a payload of some kind, and faulty.
package enum InstallerLineError: Error, Equatable {
    case payload(SetupPayloadError)
    case wiFi(WiFiLabelError)
    /// A name or room that no line can hold.
    case label(isTooLong: Bool)
}

enum ASCII {
    static func upper(_ octet: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet) ? octet - 0x20 : octet
    }
}

internal import Base

/// What to do after a message of a read, or of a report to a subscription.
package enum ReadStep: Equatable, Sendable {
    /// Send this and wait for the next chunk.
    case acknowledge(InteractionMessage)
    /// Everything has arrived; send this where there is something to send.
    case done(InteractionMessage?)
}

/// One read of attributes and events, from its request to the last chunk of the answer. Core §8.4.
package struct ReadClient {
    /// To be sent first.
    package let request: InteractionMessage
    /// What has arrived so far.
    package private(set) var reports = AttributeReports()
    package private(set) var events = EventReports()
    private var chunks = 0
    private var isDone = false

    /// - Parameters:
    ///   - paths: attributes; with the events 1 to `Limits.pathsPerRead`.
    ///   - events: kinds of events.
    ///   - eventMin: leaves out events with lower numbers.
    ///   - known: leaves out clusters whose data still has this version; at most
    ///     `Limits.dataVersionFilters`, without node ids.
    ///   - isFabricFiltered: false to see what other fabrics have as well.
    package init(
        paths: [AttributePath] = [], events: [EventPath] = [], eventMin: UInt64? = nil,
        known: [DataVersionFilterIB] = [], isFabricFiltered: Bool = true
    ) {
        let count = paths.count + events.count
        precondition(
            count > 0 && count <= Limits.pathsPerRead,
            "a server takes no more paths at once; the caller splits its reads")
        precondition(
            known.count <= Limits.dataVersionFilters, "more filters do not fit the message")
        let message = ReadRequest {
            $0.attributeRequests = paths.isEmpty ? nil : paths
            $0.eventRequests = events.isEmpty ? nil : events
            $0.eventFilters = eventMin.map { number in [EventFilterIB { $0.eventMin = number }] }
            $0.fabricFiltered = isFabricFiltered
            $0.dataVersionFilters = known.isEmpty ? nil : known
        }
        do throws(InteractionError) {
            request = try InteractionMessage(.readRequest, message)
        } catch {
            preconditionFailure("nine paths of 31 octets and 32 filters of 22 fit a message")
        }
    }

    /// Takes the next message of the exchange.
    /// - Throws: anything but a report ends the read.
    package mutating func receive(
        _ opcode: InteractionOpcode, _ payload: Span<UInt8>
    ) throws(InteractionError) -> ReadStep {
        guard !isDone else { throw .unexpectedOpcode(opcode) }
        switch opcode {
        case .reportData: break
        case .statusResponse: throw .refused(by: payload)
        default: throw .unexpectedOpcode(opcode)
        }
        chunks += 1
        guard chunks <= Limits.chunksPerRead else { throw .tooMuch }
        var reader = try ReportDataReader(payload)
        while let report = try reader.next() { try reports.add(report) }
        while let event = try reader.nextEvent() { try events.add(event) }
        if reader.hasMoreChunks { return .acknowledge(.success) }
        isDone = true
        return .done(reader.suppressesResponse ? nil : .success)
    }
}

extension InteractionError {
    /// The error of a StatusResponse that stands where a result was due.
    static func refused(by payload: Span<UInt8>) -> InteractionError {
        do throws(TLVError) {
            let response = try StatusResponse(tlv: payload)
            if response.status == .success { return .unexpectedOpcode(.statusResponse) }
            return .status(response.status, clusterStatus: nil)
        } catch {
            return .malformed(error)
        }
    }
}

internal import Base

/// What to do after a message of a read.
package enum ReadStep: Equatable, Sendable {
    /// Send this and wait for the next chunk.
    case acknowledge(InteractionMessage)
    /// Everything has arrived; send this where there is something to send.
    case done(InteractionMessage?)
}

/// One read of attributes, from its request to the last chunk of the answer. Core §8.4.
package struct ReadClient {
    /// To be sent first.
    package let request: InteractionMessage
    /// What has arrived so far.
    package private(set) var reports = AttributeReports()
    private var chunks = 0
    private var isDone = false

    /// - Parameters:
    ///   - paths: 1 to `Limits.pathsPerRead`.
    ///   - isFabricFiltered: false to see what other fabrics have as well.
    package init(paths: [AttributePath], isFabricFiltered: Bool = true) {
        precondition(
            !paths.isEmpty && paths.count <= Limits.pathsPerRead,
            "a server takes no more paths at once; the caller splits its reads")
        let message = ReadRequest {
            $0.attributeRequests = paths
            $0.fabricFiltered = isFabricFiltered
        }
        do throws(InteractionError) {
            request = try InteractionMessage(.readRequest, message)
        } catch {
            preconditionFailure("nine paths of at most 31 octets fit a message")
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

internal import Base

extension OperationalName {
    /// Finds the operational nodes that say in a multicast DNS message where they are. What is
    /// malformed ends the search; goodbyes say nothing.
    package static func announced(
        in datagram: Span<UInt8>, _ found: (OperationalName) -> Void
    ) {
        do throws(DNSError) {
            var reader = try DNSReader(datagram)
            guard reader.header.isResponse, reader.header.isOrdinary else { return }
            var left = Limits.mdnsRecordsPerMessage
            while left > 0, let record = try reader.nextRecord() {
                left -= 1
                guard case .srv = record.data, record.timeToLiveSeconds > 0,
                    let name = OperationalName(record.name.firstLabel)
                else { continue }
                found(name)
            }
        } catch { return }
    }
}

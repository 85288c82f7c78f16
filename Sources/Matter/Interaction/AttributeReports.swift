internal import Base

/// What a node said of one attribute.
package struct AttributeReport: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case data(EncodedElement)
        case status(InteractionStatus, clusterStatus: UInt8?)
    }

    package let path: ConcreteAttributePath
    /// Of the cluster; nil where there is no value.
    package let dataVersion: UInt32?
    package fileprivate(set) var value: Value
}

/// What one read gathers, in the order of arrival and with chunked lists joined.
package struct AttributeReports: Sendable, Equatable {
    package private(set) var all: [AttributeReport] = []
    private var octets = 0

    package init() {}

    /// What was said last of `path`.
    package func report(_ path: ConcreteAttributePath) -> AttributeReport? {
        all.last { $0.path == path }
    }

    /// - Returns: nil when nothing was said of `path`, or that it does not exist.
    /// - Throws: `status` when the node refused the value.
    package func data(_ path: ConcreteAttributePath) throws(InteractionError) -> EncodedElement? {
        switch report(path)?.value {
        case nil: return nil
        case .data(let data): return data
        case .status(let status, _) where status.isAbsence: return nil
        case .status(let status, let code): throw .status(status, clusterStatus: code)
        }
    }

    /// - Throws: `strayListItem`; `tooMuch` beyond the limits of one read.
    mutating func add(_ report: borrowing ReportedAttribute) throws(InteractionError) {
        let value: AttributeReport.Value
        switch report.value {
        case .status(let status, let clusterStatus):
            value = .status(status, clusterStatus: clusterStatus)
        case .data(let bytes):
            octets += bytes.count
            guard octets <= Limits.octetsPerRead else { throw .tooMuch }
            let data: EncodedElement
            do throws(TLVError) {
                data = try EncodedElement(whole: bytes)
            } catch {
                throw .malformed(error)
            }
            if report.isListItem { return try append(data, to: report.path) }
            value = .data(data)
        }
        guard all.count < Limits.reportsPerRead else { throw .tooMuch }
        all.append(
            AttributeReport(path: report.path, dataVersion: report.dataVersion, value: value))
    }

    /// Lists that do not fit one message arrive as their beginning and then item by item.
    private mutating func append(
        _ item: EncodedElement, to path: ConcreteAttributePath
    ) throws(InteractionError) {
        guard let index = all.lastIndex(where: { $0.path == path }),
            case .data(var list) = all[index].value
        else { throw .strayListItem(path) }
        // The report must not hold a second reference while the list grows.
        all[index].value = .data(.emptyStructure)
        do throws(TLVError) {
            try list.append(item)
        } catch {
            throw .malformed(error)
        }
        all[index].value = .data(list)
    }
}

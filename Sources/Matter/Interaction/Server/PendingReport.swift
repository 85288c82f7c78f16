internal import Base

/// What a report is still to say; its messages are made one by one, as the peer takes them.
struct PendingReport: Sendable {
    enum Item: Sendable, Equatable {
        case attribute(ConcreteAttributePath)
        case noAttribute(AttributePath, InteractionStatus)
        case noEvent(EventPath, InteractionStatus)
    }

    /// The rest of a list whose beginning was said.
    struct List: Sendable {
        let path: ConcreteAttributePath
        let dataVersion: UInt32
        /// The list itself was said, empty; its items follow.
        var isBegun = false
        var items: ArraySlice<EncodedElement>
    }

    let subscriptionID: UInt32?
    let accessor: Accessor
    let isFabricFiltered: Bool
    var items: ArraySlice<Item>
    var list: List?
    let events: [EventPath]
    /// Those that are still to be said; numbers of events.
    var eventNumbers: Range<UInt64>

    var isDone: Bool { items.isEmpty && list == nil && eventNumbers.isEmpty }
}

extension InteractionServer {
    /// Makes the next message of a report and takes what it says out of it.
    func fill(_ report: inout PendingReport) -> InteractionMessage {
        var message = ReportData { $0.subscriptionID = report.subscriptionID }
        var room = Room(settings.messageOctets, report.subscriptionID)
        fillAttributes(&report, &message, &room)
        if report.items.isEmpty, report.list == nil { fillEvents(&report, &message, &room) }
        let isDone = report.isDone
        message.moreChunkedMessages = isDone ? nil : true
        // A read is over with its last report; a subscriber says that it is still there.
        message.suppressResponse = isDone && report.subscriptionID == nil ? true : nil
        return .own(.reportData, message)
    }

    private func fillAttributes(
        _ report: inout PendingReport, _ message: inout ReportData, _ room: inout Room
    ) {
        while true {
            if report.list != nil {
                guard fillList(&report, &message, &room) else { return }
                continue
            }
            guard let item = report.items.first else { return }
            if case .noEvent(let path, let status) = item {
                let refused = EventReportIB {
                    $0.eventStatus = EventStatusIB {
                        $0.path = path
                        $0.status = StatusIB(status)
                    }
                }
                guard room.take(refused) else { return }
                message.eventReports = (message.eventReports ?? []) + [refused]
                report.items.removeFirst()
                continue
            }
            guard let block = block(item, report) else {
                report.items.removeFirst()
                continue
            }
            if room.take(block) {
                message.attributeReports = (message.attributeReports ?? []) + [block]
                report.items.removeFirst()
            } else if !room.isFresh {
                return
            } else {
                report.items.removeFirst()
                split(block, &report)
            }
        }
    }

    /// - Returns: nil for what is no longer there, or no longer to be seen.
    private func block(_ item: PendingReport.Item, _ report: PendingReport) -> AttributeReportIB? {
        switch item {
        case .noEvent: return nil
        case .noAttribute(let path, let status): return AttributeReportIB(path, status)
        case .attribute(let path):
            guard let cluster = attributes.cluster(path.cluster, on: path.endpoint),
                let value = cluster.value(path.attribute)
            else { return nil }
            return AttributeReportIB(
                path, view(value, of: path, report), version: cluster.dataVersion)
        }
    }

    private func view(
        _ value: EncodedElement, of path: ConcreteAttributePath, _ report: PendingReport
    ) -> EncodedElement {
        if path == OperationalCredentials.currentFabricIndex.path(path.endpoint) {
            return EncodedElement(attribute: report.accessor.fabricIndex ?? FabricIndex(0))
        }
        return FabricScope.view(
            value, of: path, for: report.accessor.fabricIndex,
            isFiltered: report.isFabricFiltered)
    }

    /// A value that no message of ours can hold: a list goes in pieces, all else is refused.
    private func split(_ block: AttributeReportIB, _ report: inout PendingReport) {
        guard let data = block.attributeData, let path = data.path.concrete else {
            preconditionFailure("a status fits Limits.smallestServerMessage")
        }
        guard data.data.isArray else {
            report.items.insert(
                .noAttribute(data.path, .resourceExhausted), at: report.items.startIndex)
            return
        }
        report.list = PendingReport.List(
            path: path, dataVersion: data.dataVersion ?? 0, items: data.data.items[...])
    }

    /// - Returns: false when the message is full.
    private func fillList(
        _ report: inout PendingReport, _ message: inout ReportData, _ room: inout Room
    ) -> Bool {
        guard let list = report.list else { return true }
        let part = list.isBegun ? list.items.first : .emptyArray
        guard let part else {
            report.list = nil
            return true
        }
        let block = AttributeReportIB(
            list.path, part, version: list.dataVersion, isItem: list.isBegun)
        if room.take(block) {
            message.attributeReports = (message.attributeReports ?? []) + [block]
            if list.isBegun { report.list?.items.removeFirst() }
            report.list?.isBegun = true
            return true
        }
        guard room.isFresh else { return false }
        report.list = nil
        report.items.insert(
            .noAttribute(AttributePath(list.path), .resourceExhausted),
            at: report.items.startIndex)
        return true
    }

    private func fillEvents(
        _ report: inout PendingReport, _ message: inout ReportData, _ room: inout Room
    ) {
        for entry in log.entries where report.eventNumbers.contains(entry.number) {
            if report.events.contains(where: { $0.matches(entry.path) }),
                mayRead(entry, report.accessor)
            {
                let block = entry.report
                if room.take(block) {
                    message.eventReports = (message.eventReports ?? []) + [block]
                } else if !room.isFresh {
                    report.eventNumbers = entry.number..<report.eventNumbers.upperBound
                    return
                }
                // An event longer than a message is passed over; its number shows the gap.
            }
        }
        report.eventNumbers = report.eventNumbers.upperBound..<report.eventNumbers.upperBound
    }
}

/// How much still fits one report.
private struct Room {
    private var octets: Int
    /// Nothing was put in yet.
    private(set) var isFresh = true

    init(_ messageOctets: Int, _ subscriptionID: UInt32?) {
        let frame = ReportData {
            $0.subscriptionID = subscriptionID
            $0.attributeReports = []
            $0.eventReports = []
            $0.moreChunkedMessages = true
            $0.suppressResponse = true
        }
        octets = messageOctets - EncodedElement(attribute: frame).octets.count
    }

    mutating func take(_ block: some TLVCodable) -> Bool {
        do throws(TLVError) {
            octets -= try block.tlv(capacity: octets).count
        } catch {
            return false
        }
        isFresh = false
        return true
    }
}

extension AttributeReportIB {
    fileprivate init(
        _ path: ConcreteAttributePath, _ value: EncodedElement, version: UInt32,
        isItem: Bool = false
    ) {
        self.init()
        var data = AttributeDataIB(dataVersion: version, path: AttributePath(path), data: value)
        if isItem { data.path.listIndex = .null }
        attributeData = data
    }

    fileprivate init(_ path: AttributePath, _ status: InteractionStatus) {
        self.init()
        attributeStatus = AttributeStatusIB {
            $0.path = path
            $0.status = StatusIB(status)
        }
    }
}

internal import Base
package import Matter
internal import MatterNode

/// How the device comes back, and how it leaves.
extension ScriptedDevice {
    /// It has power again: it remembers its fabrics and resumptions alone, and announces itself.
    package func appear() {
        // What it does not say without power is not heard.
        for fabric in fabrics { withdraw(fabric) }
        let addresses = answerer.addresses
        answerer.addresses = []
        link.isOff = false
        answerer.link.isOff = false
        answerer.addresses = addresses
        endSubscriptions()
        for handle in sessions.keys { layer.removeSession(handle) }
        sessions = [:]
        for fabric in fabrics { announce(fabric) }
    }

    /// As after a reset: it is in no fabric any more.
    package func fabricsForgotten() {
        closeSessions()
        fabrics = []
        resumptions = []
    }

    /// Tells all subscriptions that it leaves a fabric.
    package func tellLeave(_ index: FabricIndex) {
        let event = EventDataIB {
            $0.path.endpoint = .root
            $0.path.cluster = BasicInformation.id
            $0.path.event = BasicInformation.Leave.id
            $0.eventNumber = UInt64(events.count) + 1
            $0.priority = OpenEnum(.critical)
            $0.systemTimestamp = 1
            $0.data = EncodedElement(own: BasicInformation.Leave { $0.fabricIndex = index })
        }
        events.append(event)
        for subscription in subscriptions {
            let report = ReportData {
                $0.subscriptionID = subscription.id
                $0.eventReports = [EventReportIB { $0.eventData = event }]
            }
            self.report(subscription, [report.octets()])
        }
        flush()
    }
}

package import Base
package import Matter

/// Looks for services by multicast DNS and tells the flows that wait what was found.
package actor Resolver {
    package nonisolated let loop: Loop
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    private let link: any MulticastLink
    private var querier: MDNSQuerier
    private var browsers: [Browser] = []
    private var buffer = [UInt8](repeating: 0, count: Resolver.datagramBytes)
    private var timer: TimerID?
    private var announced: (@Sendable (OperationalName) -> Void)?
    /// Made once: the timer is set anew after every datagram.
    private lazy var ticking: () -> Void = { [weak self] in
        self?.assumeIsolated { resolver in resolver.tick() }
    }

    /// The longest multicast DNS message, RFC 6762 §17.
    private static let datagramBytes = 9000
    /// Datagrams taken in one turn, so that a flood cannot starve the timers.
    private static let datagramsPerTurn = 64
    /// Discoveries that wait for one flow. What finds no room is not told; a flow that lists
    /// everything takes them as they come.
    private static let browserBound = 256

    /// - Parameters:
    ///   - interfaces: the indices of those that `link` is on.
    ///   - prefersUnicast: false where another program on this machine may take unicast answers.
    package init(
        loop: Loop, link: any MulticastLink, interfaces: [UInt32], prefersUnicast: Bool = true
    ) {
        self.loop = loop
        self.link = link
        querier = MDNSQuerier(interfaces: interfaces, prefersUnicast: prefersUnicast)
    }

    /// Begins to take what arrives.
    package func start() {
        link.onReadable = { [weak self] in
            self?.assumeIsolated { resolver in resolver.pump() }
        }
    }

    /// Begins to look; what is known already is told at once.
    /// - Throws: when too many queries run.
    package func browse(_ query: MDNSQuery) throws(DiscoveryError) -> Browser {
        let browser = Browser(query, on: loop)
        browsers.append(browser)
        do throws(DiscoveryError) {
            try querier.browse(query, at: loop.now)
        } catch {
            browsers.removeLast()
            throw error
        }
        flush()
        return browser
    }

    /// Ends a flow's interest; the query goes on while another flow has the same.
    package func stop(_ browser: Browser) {
        browsers.removeAll { $0 === browser }
        if !browsers.contains(where: { $0.query == browser.query }) {
            querier.stop(browser.query)
        }
        flush()
    }

    /// - Parameter observer: called on the loop with each operational node of any fabric that
    ///   tells where it is, asked or not; replaces the one before.
    package func observeAnnouncements(
        _ observer: @escaping @Sendable (OperationalName) -> Void
    ) {
        announced = observer
    }

    package var browserCount: Int { browsers.count }

    /// One flow's interest in a query.
    package final class Browser: @unchecked Sendable {
        fileprivate let query: MDNSQuery
        fileprivate let found: LoopQueue<ServiceRecord>

        fileprivate init(_ query: MDNSQuery, on loop: Loop) {
            self.query = query
            found = LoopQueue(on: loop, bound: Resolver.browserBound)
        }

        /// The next record that was found or has changed, or nil at the deadline.
        package func next(
            until deadline: Instant
        ) async throws(CancellationError) -> ServiceRecord? {
            try await found.next(until: deadline)
        }
    }

    // MARK: The pump

    private func pump() {
        var turns = 0
        while turns < Self.datagramsPerTurn {
            turns += 1
            var span = buffer.mutableSpan
            guard let source = link.receive(into: &span) else { break }
            do throws(DNSError) {
                try querier.receive(
                    buffer.span.extracting(0..<source.count), from: source.sender,
                    interface: source.interface, at: loop.now)
            } catch {
                // What stood in front of the fault was taken; there is nobody to tell of it.
            }
            if let announced {
                OperationalName.announced(
                    in: buffer.span.extracting(0..<source.count), announced)
            }
            flush()
        }
    }

    private func flush() {
        while let transmit = querier.nextTransmit() {
            link.sendToGroup(transmit.payload.span, on: transmit.interface)
        }
        while let event = querier.nextEvent() {
            switch event {
            case .found(let record, let query), .updated(let record, let query):
                for browser in browsers where browser.query == query {
                    browser.found.push(record)
                }
            case .removed: break
            }
        }
        if let timer { loop.cancel(timer) }
        timer = querier.nextDeadline.map { deadline in
            loop.schedule(at: deadline, ticking)
        }
    }

    private func tick() {
        timer = nil
        querier.advance(to: loop.now)
        flush()
    }
}

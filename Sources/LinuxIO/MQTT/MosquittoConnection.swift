#if MQTT
    internal import Base
    internal import CMosquitto
    internal import Crypto
    internal import Glibc
    internal import MatterNode

    /// One connection to a broker, from its first octet to its end.
    @safe final class MosquittoConnection {
        private let poll: PollLoop
        private var client: OpaquePointer?
        private var watched: Int32 = -1
        private var events: [BrokerEvent] = []
        private let tell: (BrokerEvent) -> Void
        private var deadline: TimerID?
        private var tick: TimerID?

        /// - Parameter tell: called on the loop, not from within a call of this; `ended` last.
        init(
            to address: IPAddress, _ settings: BrokerSettings, as identity: BrokerIdentity,
            password: Secret?, on poll: PollLoop, tell: @escaping (BrokerEvent) -> Void
        ) throws(BrokerFailure) {
            self.poll = poll
            self.tell = tell
            var verification: Int32 = 0
            let fault = open(address, settings, identity, password, &verification)
            guard fault == CMOSQUITTO_FAULT_NONE else {
                throw BrokerFailure(fault, errno: errno, verification: verification)
            }
            deadline = poll.loop.schedule(at: poll.loop.now + Limits.brokerConnection) {
                [weak self] in self?.end(.timedOut)
            }
            scheduleTick()
            watch()
        }

        deinit { close() }

        func close() {
            for timer in [deadline, tick] { if let timer { poll.loop.cancel(timer) } }
            deadline = nil
            tick = nil
            unwatch()
            if let client = unsafe client { unsafe cmosquitto_close(client) }
            unsafe self.client = nil
        }

        func disconnect() {
            guard let client = unsafe client else { return }
            unsafe cmosquitto_disconnect(client)
            // What fits into the socket still goes out.
            _ = unsafe cmosquitto_work(client)
        }

        func publish(_ message: BrokerMessage) -> UInt16? {
            guard let client = unsafe client else { return nil }
            let id = unsafe message.payload.withUnsafeBytes { payload in
                unsafe cmosquitto_publish(
                    client, message.topic, payload.baseAddress, payload.count,
                    message.isRetained ? 1 : 0)
            }
            watch()
            return id == 0 ? nil : id
        }

        func subscribe(_ filter: String) -> Bool {
            guard let client = unsafe client else { return false }
            defer { watch() }
            return unsafe cmosquitto_subscribe(client, filter) == 0
        }

        func unsubscribe(_ filter: String) -> Bool {
            guard let client = unsafe client else { return false }
            defer { watch() }
            return unsafe cmosquitto_unsubscribe(client, filter) == 0
        }

        // MARK: Opening

        private func open(
            _ address: IPAddress, _ settings: BrokerSettings, _ identity: BrokerIdentity,
            _ password: Secret?, _ verification: inout Int32
        ) -> cmosquitto_fault {
            var calls = cmosquitto_calls()
            unsafe calls.connected = { context, code in
                unsafe MosquittoConnection.of(context)?.answered(code)
            }
            unsafe calls.published = { context, id in
                unsafe MosquittoConnection.of(context)?.add(.published(id))
            }
            unsafe calls.received = { context, topic, payload, size, isRetained in
                guard let topic = unsafe topic, size <= Limits.brokerPayload else { return }
                let octets = unsafe [UInt8](
                    UnsafeRawBufferPointer(start: payload, count: payload == nil ? 0 : size))
                let message = BrokerMessage(
                    topic: unsafe String(cString: topic), payload: octets,
                    isRetained: isRetained != 0)
                unsafe MosquittoConnection.of(context)?.add(.received(message))
            }
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            var strings = unsafe CStrings()
            defer { unsafe strings.wipe() }
            var made = unsafe cmosquitto_settings()
            unsafe made.client_id = unsafe strings.add(identity.clientID)
            unsafe made.address = unsafe strings.add(address.description)
            unsafe made.verified_name = unsafe settings.usesTLS ? strings.add(settings.host) : nil
            unsafe made.port = settings.port
            unsafe made.keep_alive_seconds = Limits.brokerKeepAliveSeconds
            unsafe made.authorities = unsafe strings.add(settings.authorities)
            unsafe made.certificate = unsafe strings.add(settings.certificate)
            unsafe made.key = unsafe strings.add(settings.key)
            unsafe made.user = unsafe strings.add(settings.user)
            unsafe made.password = unsafe strings.add(password)
            unsafe made.will_topic = unsafe strings.add(identity.willTopic)
            unsafe made.will_payload = unsafe strings.add(identity.willPayload)
            unsafe made.in_flight = Limits.brokerInFlight
            return unsafe cmosquitto_open(&made, &calls, context, &client, &verification)
        }

        @unsafe private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoConnection?
        {
            guard let context = unsafe context else { return nil }
            return unsafe Unmanaged<MosquittoConnection>.fromOpaque(context).takeUnretainedValue()
        }

        // MARK: Working

        private func answered(_ code: Int32) {
            if code == 0 {
                if let deadline { poll.loop.cancel(deadline) }
                deadline = nil
                add(.connected)
            } else {
                add(.ended(.refused(BrokerFailure.Refusal(code))))
            }
        }

        private func add(_ event: BrokerEvent) {
            if events.count < Limits.brokerEvents { events.append(event) }
        }

        private func handle(_ polled: PollEvents) {
            guard let client = unsafe client else { return }
            let fault = unsafe cmosquitto_work(client)
            let isOver = !polled.isDisjoint(with: [.hangup, .error])
            settle(fault == CMOSQUITTO_FAULT_NONE && isOver ? CMOSQUITTO_FAULT_LOST : fault)
        }

        private func keepAlive() {
            guard let client = unsafe client else { return }
            scheduleTick()
            settle(unsafe cmosquitto_keep_alive(client))
        }

        /// Tells what happened in a call of the library; the owner may close this meanwhile.
        private func settle(_ fault: cmosquitto_fault) {
            guard let client = unsafe client else { return }
            let error = errno
            let verification = unsafe cmosquitto_verification(client)
            let happened = events
            events = []
            // The library has closed the descriptor, whose number may be another's soon.
            if fault != CMOSQUITTO_FAULT_NONE { unwatch() }
            for event in happened {
                if case .ended(let failure) = event { return end(failure) }
                tell(event)
                guard unsafe self.client != nil else { return }
            }
            guard fault == CMOSQUITTO_FAULT_NONE else {
                return end(BrokerFailure(fault, errno: error, verification: verification))
            }
            watch()
        }

        private func end(_ failure: BrokerFailure) {
            close()
            tell(.ended(failure))
        }

        private func scheduleTick() {
            tick = poll.loop.schedule(at: poll.loop.now + Limits.brokerTick) { [weak self] in
                self?.keepAlive()
            }
        }

        private func watch() {
            guard let client = unsafe client else { return }
            let descriptor = unsafe cmosquitto_descriptor(client)
            let wanted: PollEvents =
                unsafe cmosquitto_wants_writing(client) != 0 ? [.readable, .writable] : .readable
            if descriptor != watched { unwatch() }
            if watched >= 0 {
                poll.update(watched, wanted)
            } else if descriptor >= 0 {
                watched = descriptor
                poll.watch(descriptor, wanted) { [weak self] events in self?.handle(events) }
            }
        }

        private func unwatch() {
            if watched >= 0 { poll.unwatch(watched) }
            watched = -1
        }
    }

    /// Texts for a C call, which are wiped behind it.
    @unsafe private struct CStrings {
        private var buffers: [UnsafeMutableBufferPointer<CChar>] = unsafe []

        mutating func add(_ text: String?) -> UnsafePointer<CChar>? {
            guard let text else { return nil }
            let octets = Array(text.utf8)
            return unsafe add(octets.span)
        }

        mutating func add(_ secret: Secret?) -> UnsafePointer<CChar>? {
            guard let secret else { return nil }
            return unsafe add(secret.span)
        }

        private mutating func add(_ octets: Span<UInt8>) -> UnsafePointer<CChar>? {
            let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: octets.count + 1)
            for index in octets.indices { unsafe buffer[index] = CChar(bitPattern: octets[index]) }
            unsafe buffer[octets.count] = 0
            unsafe buffers.append(buffer)
            return unsafe UnsafePointer(buffer.baseAddress)
        }

        mutating func wipe() {
            while let buffer = unsafe buffers.popLast() {
                if let start = buffer.baseAddress {
                    unsafe explicit_bzero(start, buffer.count)
                }
                unsafe buffer.deallocate()
            }
        }
    }

    extension BrokerFailure.Refusal {
        fileprivate init(_ code: Int32) {
            switch code {
            case 2: self = .identifier
            case 3: self = .unavailable
            case 4: self = .credentials
            case 5: self = .notAuthorized
            default: self = .other(code)
            }
        }
    }

    extension BrokerFailure {
        fileprivate init(_ fault: cmosquitto_fault, errno: Int32, verification: Int32) {
            switch fault {
            case CMOSQUITTO_FAULT_MEMORY: self = .cannotConnect(errno: ENOMEM)
            case CMOSQUITTO_FAULT_SYSTEM: self = .cannotConnect(errno: errno)
            case CMOSQUITTO_FAULT_AUTHORITIES: self = .unusable(.authorities)
            case CMOSQUITTO_FAULT_CERTIFICATE: self = .unusable(.certificate)
            case CMOSQUITTO_FAULT_KEY: self = .unusable(.key)
            case CMOSQUITTO_FAULT_TLS: self = Self.distrust(verification)
            default: self = .lost
            }
        }

        private static func distrust(_ verification: Int32) -> BrokerFailure {
            switch UInt32(bitPattern: verification) {
            case 0: .noTLS
            case CMOSQUITTO_OTHER_NAME.rawValue, CMOSQUITTO_OTHER_ADDRESS.rawValue:
                .notTrusted(.otherName)
            case CMOSQUITTO_EXPIRED.rawValue: .notTrusted(.expired)
            case CMOSQUITTO_NOT_YET_VALID.rawValue: .notTrusted(.notYetValid)
            default: .notTrusted(.unknownAuthority)
            }
        }
    }
#endif

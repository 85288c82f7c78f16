internal import Base
package import Matter

/// What was scanned and waits to be commissioned, with the labels that it was scanned after.
package struct CodeQueue: Sendable {
    package struct Entry: Equatable, Sendable {
        package let payload: SetupPayload
        package var name: String
        package var room: String
        /// Who typed it, where a console knows.
        package let user: UInt32?
    }

    package enum Answer: Equatable, Sendable {
        /// - Parameters:
        ///   - new: how many of the code were not known yet.
        ///   - waiting: how many now wait, these among them.
        case accepted(new: Int, waiting: Int)
        /// The same as before: it waits, is being commissioned, or was commissioned last.
        case repeated
        /// They do not fit, and none was taken.
        case full
    }

    private var entries: [Entry] = []
    /// Those of the code taken last, save those whose runs failed: they may be scanned again.
    private var last: [SetupPayload] = []
    private var name = ""
    /// Devices that have the name already.
    private var named = 0
    private var room = ""

    package init() {}

    package var count: Int { entries.count }

    /// Takes all devices of one code, or none.
    package mutating func add(_ payloads: [SetupPayload], by user: UInt32? = nil) -> Answer {
        let new = payloads.filter { payload in
            !last.contains(payload) && !entries.contains { $0.payload == payload }
        }
        guard !new.isEmpty else { return .repeated }
        guard entries.count + new.count <= WindowLimits.waitingDevices else { return .full }
        for payload in new {
            entries.append(Entry(payload: payload, name: nextName(), room: room, user: user))
        }
        last = payloads
        return .accepted(new: new.count, waiting: entries.count)
    }

    /// Devices scanned from here on are called so; the second gets a number behind the name.
    package mutating func label(name: String) {
        self.name = name
        named = 0
    }

    package mutating func label(room: String) { self.room = room }

    /// What was said of devices that follow holds no longer.
    package mutating func forgetLabels() {
        label(name: "")
        label(room: "")
    }

    package mutating func next() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }

    /// The device may be scanned again.
    package mutating func runFailed(_ payload: SetupPayload) {
        last.removeAll { $0 == payload }
    }

    /// Nothing waits any more.
    /// - Returns: how many did.
    package mutating func removeAll() -> Int {
        let count = entries.count
        entries = []
        last = []
        return count
    }

    private mutating func nextName() -> String {
        guard !name.isEmpty else { return "" }
        named += 1
        let numbered = named == 1 ? name : "\(name) \(named)"
        return numbered.utf8.count <= ConsoleLimits.labelBytes ? numbered : name
    }
}

internal import Base

/// How often a node listens, told to its peer when a session is established. Core §4.13.1.
package struct SessionParameters: Hashable, Sendable {
    /// SII: the longest sleep of an idle node; up to an hour.
    package var idleInterval: Duration
    /// SAI: the longest sleep of an active node; up to an hour.
    package var activeInterval: Duration
    /// SAT: how long a node stays active after its last message; up to 65,535 ms of our own.
    package var activeThreshold: Duration

    /// The defaults are what a node means that says nothing, Core §4.12.8.
    package init(
        idleInterval: Duration = .milliseconds(500),
        activeInterval: Duration = .milliseconds(300),
        activeThreshold: Duration = .milliseconds(4000)
    ) {
        self.idleInterval = idleInterval
        self.activeInterval = activeInterval
        self.activeThreshold = activeThreshold
    }

    /// These, where the peer said nothing else. What is beyond an hour counts as an hour.
    package func updated(by announced: SessionParameterStruct?) -> SessionParameters {
        SessionParameters(
            idleInterval: Self.bounded(announced?.idleInterval) ?? idleInterval,
            activeInterval: Self.bounded(announced?.activeInterval) ?? activeInterval,
            activeThreshold: Self.bounded(announced?.activeThreshold) ?? activeThreshold)
    }

    private static func bounded(_ milliseconds: UInt64?) -> Duration? {
        guard let milliseconds else { return nil }
        return min(.milliseconds(Int64(clamping: milliseconds)), Limits.sessionInterval)
    }
}

/// Tags 1 to 3 of the structure on the wire, in milliseconds. Nodes of 2023 refuse a message
/// with a tag above 3, so none is sent; none is needed, so none is read.
package struct SessionParameterStruct: TLVStructure, Hashable, Sendable {
    package var idleInterval: UInt64?
    package var activeInterval: UInt64?
    package var activeThreshold: UInt64?

    package init() {}

    package init(_ parameters: SessionParameters) {
        idleInterval = Self.milliseconds(parameters.idleInterval, atMost: Limits.sessionInterval)
        activeInterval = Self.milliseconds(
            parameters.activeInterval, atMost: Limits.sessionInterval)
        activeThreshold = Self.milliseconds(
            parameters.activeThreshold, atMost: .milliseconds(UInt16.max))
    }

    package mutating func fields<Visitor: FieldVisitor & ~Copyable & ~Escapable>(
        _ field: inout Visitor
    ) throws(TLVError) {
        try field(1, "SESSION_IDLE_INTERVAL", &idleInterval)
        try field(2, "SESSION_ACTIVE_INTERVAL", &activeInterval)
        try field(3, "SESSION_ACTIVE_THRESHOLD", &activeThreshold)
    }

    private static func milliseconds(_ duration: Duration, atMost limit: Duration) -> UInt64 {
        precondition(
            duration >= .zero && duration <= limit, "a session parameter has its bounds")
        return UInt64(duration.milliseconds)
    }
}

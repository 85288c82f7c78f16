internal import Base
internal import Matter

/// Core §11.10: the fail-safe, and the end of commissioning.
extension RootNode {
    typealias CommissioningStatus = GeneralCommissioning.CommissioningError

    mutating func generalCommissioning(
        _ invocation: CommandInvocation, at now: Instant
    ) throws(RootRefusal) -> InvocationAnswer {
        switch invocation.command {
        case GeneralCommissioning.ArmFailSafe.id:
            let status = arm(try invocation.decoded(), invocation.accessor, at: now)
            return .response(
                GeneralCommissioning.ArmFailSafeResponse { $0.errorCode = OpenEnum(status) })
        case GeneralCommissioning.SetRegulatoryConfig.id:
            let status = setRegulatoryConfig(try invocation.decoded())
            return .response(
                GeneralCommissioning.SetRegulatoryConfigResponse {
                    $0.errorCode = OpenEnum(status)
                })
        case GeneralCommissioning.CommissioningComplete.id:
            let status = complete(invocation.accessor)
            return .response(
                GeneralCommissioning.CommissioningCompleteResponse {
                    $0.errorCode = OpenEnum(status)
                })
        default: throw RootRefusal(.unsupportedCommand)
        }
    }

    /// Core §11.10.7.2.
    private mutating func arm(
        _ command: GeneralCommissioning.ArmFailSafe, _ accessor: Accessor, at now: Instant
    ) -> CommissioningStatus {
        if let failSafe {
            guard failSafe.fabricIndex == accessor.fabricIndex else { return .busyWithOtherAdmin }
            guard command.expiryLengthSeconds > 0 else {
                expireFailSafe(at: now)
                return .ok
            }
        } else {
            if window.isOpen, accessor.subject != .pase { return .busyWithOtherAdmin }
            guard command.expiryLengthSeconds > 0 else { return .ok }
        }
        guard command.expiryLengthSeconds <= settings.cumulativeFailSafeSeconds else {
            return .valueOutsideRange
        }
        arm(
            by: accessor.fabricIndex, for: .seconds(Int(command.expiryLengthSeconds)), at: now)
        breadcrumb = command.breadcrumb
        return .ok
    }

    private mutating func arm(by fabric: FabricIndex?, for length: Duration, at now: Instant) {
        if failSafe != nil {
            failSafe?.extend(by: length, at: now)
        } else {
            failSafe = FailSafe(
                by: fabric, for: length,
                atMost: .seconds(Int(settings.cumulativeFailSafeSeconds)), networks: networks,
                at: now)
        }
    }

    /// Core §5.5: whoever knew the passcode has a minute to arm it himself.
    mutating func paired(at now: Instant) {
        window.succeeded()
        if failSafe == nil { arm(by: nil, for: Limits.firstFailSafe, at: now) }
        add(.note(.paired))
    }

    /// Core §11.10.7.2.2: undoes what was done under it.
    mutating func expireFailSafe(at now: Instant) {
        guard let failSafe else { return }
        self.failSafe = nil
        breadcrumb = 0
        networks = failSafe.networks
        if let networking { finish(networking, as: .unknownError) }
        switch failSafe.change {
        case .added(let index): drop(index)
        case .updated(let before):
            fabrics.restore(before)
            stored.resumptions.removeAll { $0.fabricIndex == before.index }
        case nil: break
        }
        add(.endPASE)
        add(.note(.failSafeExpired))
    }

    private mutating func setRegulatoryConfig(
        _ command: GeneralCommissioning.SetRegulatoryConfig
    ) -> CommissioningStatus {
        guard command.newRegulatoryConfig.known != nil, command.countryCode.utf8.count == 2
        else { return .valueOutsideRange }
        stored.regulatoryConfig = command.newRegulatoryConfig
        stored.location = command.countryCode
        breadcrumb = command.breadcrumb
        return .ok
    }

    /// Core §11.10.7.6.
    private mutating func complete(_ accessor: Accessor) -> CommissioningStatus {
        guard let failSafe else { return .noFailSafe }
        guard let index = accessor.fabricIndex, accessor.subject != .pase,
            failSafe.fabricIndex == index
        else { return .invalidAuthentication }
        self.failSafe = nil
        breadcrumb = 0
        let wasOpen = window.isOpen
        window.close()
        add(.endPASE)
        if wasOpen { add(.note(.window(.windowNotOpen))) }
        add(.note(.commissioned(index)))
        return .ok
    }
}

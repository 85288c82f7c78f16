internal import Base

/// A lock's state and settings; only what reads is here. Application Clusters §5.2  Door Lock
package enum DoorLock: Cluster {
    package static let id = ClusterID(0x0101)
    package static let name: StaticString = "door-lock"

    package static let lockState = Attribute<Nullable<OpenEnum<LockState>>>(
        id, 0x0000, "lock-state")
    package static let lockType = Attribute<OpenEnum<LockType>>(id, 0x0001, "lock-type")
    package static let actuatorEnabled = Attribute<Bool>(id, 0x0002, "actuator-enabled")
    package static let doorState = Attribute<Nullable<OpenEnum<DoorState>>>(
        id, 0x0003, "door-state")
    package static let doorOpenEvents = Attribute<UInt32>(
        id, 0x0004, "door-open-events", access: .readWrite)
    package static let doorClosedEvents = Attribute<UInt32>(
        id, 0x0005, "door-closed-events", access: .readWrite)
    package static let openPeriod = Attribute<UInt16>(
        id, 0x0006, "open-period", access: .readWrite, quantity: .minutes)
    package static let numberOfTotalUsersSupported = Attribute<UInt16>(
        id, 0x0011, "number-of-total-users-supported")
    package static let numberOfPINUsersSupported = Attribute<UInt16>(
        id, 0x0012, "number-of-pin-users-supported")
    package static let numberOfRFIDUsersSupported = Attribute<UInt16>(
        id, 0x0013, "number-of-rfid-users-supported")
    package static let numberOfWeekDaySchedulesSupportedPerUser = Attribute<UInt8>(
        id, 0x0014, "number-of-week-day-schedules-supported-per-user")
    package static let numberOfYearDaySchedulesSupportedPerUser = Attribute<UInt8>(
        id, 0x0015, "number-of-year-day-schedules-supported-per-user")
    package static let numberOfHolidaySchedulesSupported = Attribute<UInt8>(
        id, 0x0016, "number-of-holiday-schedules-supported")
    package static let maxPINCodeLength = Attribute<UInt8>(id, 0x0017, "max-pin-code-length")
    package static let minPINCodeLength = Attribute<UInt8>(id, 0x0018, "min-pin-code-length")
    package static let maxRFIDCodeLength = Attribute<UInt8>(id, 0x0019, "max-rfid-code-length")
    package static let minRFIDCodeLength = Attribute<UInt8>(id, 0x001A, "min-rfid-code-length")
    package static let credentialRulesSupport = Attribute<UInt8>(
        id, 0x001B, "credential-rules-support")
    package static let numberOfCredentialsSupportedPerUser = Attribute<UInt8>(
        id, 0x001C, "number-of-credentials-supported-per-user")
    package static let language = Attribute<String>(id, 0x0021, "language", access: .readWrite)
    package static let ledSettings = Attribute<UInt8>(
        id, 0x0022, "led-settings", access: .readWrite)
    package static let autoRelockTime = Attribute<UInt32>(
        id, 0x0023, "auto-relock-time", access: .readWrite, quantity: .seconds)
    package static let soundVolume = Attribute<UInt8>(
        id, 0x0024, "sound-volume", access: .readWrite)
    package static let operatingMode = Attribute<OpenEnum<OperatingMode>>(
        id, 0x0025, "operating-mode", access: .readWrite)
    package static let supportedOperatingModes = Attribute<UInt16>(
        id, 0x0026, "supported-operating-modes")
    package static let defaultConfigurationRegister = Attribute<UInt16>(
        id, 0x0027, "default-configuration-register")
    package static let enableLocalProgramming = Attribute<Bool>(
        id, 0x0028, "enable-local-programming", access: .readWrite)
    package static let enableOneTouchLocking = Attribute<Bool>(
        id, 0x0029, "enable-one-touch-locking", access: .readWrite)
    package static let enableInsideStatusLED = Attribute<Bool>(
        id, 0x002A, "enable-inside-status-led", access: .readWrite)
    package static let enablePrivacyModeButton = Attribute<Bool>(
        id, 0x002B, "enable-privacy-mode-button", access: .readWrite)
    package static let localProgrammingFeatures = Attribute<UInt8>(
        id, 0x002C, "local-programming-features", access: .readWrite)
    package static let wrongCodeEntryLimit = Attribute<UInt8>(
        id, 0x0030, "wrong-code-entry-limit", access: .readWrite)
    package static let userCodeTemporaryDisableTime = Attribute<UInt8>(
        id, 0x0031, "user-code-temporary-disable-time", access: .readWrite, quantity: .seconds)
    package static let sendPINOverTheAir = Attribute<Bool>(
        id, 0x0032, "send-pin-over-the-air", access: .readWrite)
    package static let requirePINForRemoteOperation = Attribute<Bool>(
        id, 0x0033, "require-pin-for-remote-operation", access: .readWrite)
    package static let expiringUserTimeout = Attribute<UInt16>(
        id, 0x0035, "expiring-user-timeout", access: .readWrite, quantity: .minutes)
    package static let aliroReaderVerificationKey = Attribute<Nullable<Octets>>(
        id, 0x0080, "aliro-reader-verification-key")
    package static let aliroReaderGroupIdentifier = Attribute<Nullable<Octets>>(
        id, 0x0081, "aliro-reader-group-identifier")
    package static let aliroReaderGroupSubIdentifier = Attribute<Octets>(
        id, 0x0082, "aliro-reader-group-sub-identifier")
    package static let aliroExpeditedTransactionSupportedProtocolVersions = Attribute<[Octets]>(
        id, 0x0083, "aliro-expedited-transaction-supported-protocol-versions")
    package static let aliroGroupResolvingKey = Attribute<Nullable<Octets>>(
        id, 0x0084, "aliro-group-resolving-key")
    package static let aliroSupportedBLEUWBProtocolVersions = Attribute<[Octets]>(
        id, 0x0085, "aliro-supported-bleuwb-protocol-versions")
    package static let aliroBLEAdvertisingVersion = Attribute<UInt8>(
        id, 0x0086, "aliro-ble-advertising-version")
    package static let numberOfAliroCredentialIssuerKeysSupported = Attribute<UInt16>(
        id, 0x0087, "number-of-aliro-credential-issuer-keys-supported")
    package static let numberOfAliroEndpointKeysSupported = Attribute<UInt16>(
        id, 0x0088, "number-of-aliro-endpoint-keys-supported")

    package static let attributes = table(
        lockState, lockType, actuatorEnabled, doorState, doorOpenEvents, doorClosedEvents,
        openPeriod, numberOfTotalUsersSupported, numberOfPINUsersSupported,
        numberOfRFIDUsersSupported, numberOfWeekDaySchedulesSupportedPerUser,
        numberOfYearDaySchedulesSupportedPerUser, numberOfHolidaySchedulesSupported,
        maxPINCodeLength, minPINCodeLength, maxRFIDCodeLength, minRFIDCodeLength,
        credentialRulesSupport, numberOfCredentialsSupportedPerUser, language, ledSettings,
        autoRelockTime, soundVolume, operatingMode, supportedOperatingModes,
        defaultConfigurationRegister, enableLocalProgramming, enableOneTouchLocking,
        enableInsideStatusLED, enablePrivacyModeButton, localProgrammingFeatures,
        wrongCodeEntryLimit, userCodeTemporaryDisableTime, sendPINOverTheAir,
        requirePINForRemoteOperation, expiringUserTimeout, aliroReaderVerificationKey,
        aliroReaderGroupIdentifier, aliroReaderGroupSubIdentifier,
        aliroExpeditedTransactionSupportedProtocolVersions, aliroGroupResolvingKey,
        aliroSupportedBLEUWBProtocolVersions, aliroBLEAdvertisingVersion,
        numberOfAliroCredentialIssuerKeysSupported, numberOfAliroEndpointKeysSupported)
    package static let commands: [CommandInfo] = []
}

extension DoorLock {
    /// Application Clusters §5.2.6.11
    package enum DoorState: UInt8, NamedNumber {
        case doorOpen = 0
        case doorClosed = 1
        case doorJammed = 2
        case doorForcedOpen = 3
        case doorUnspecifiedError = 4
        case doorAjar = 5
    }

    /// Application Clusters §5.2.6.15
    package enum OperatingMode: UInt8, NamedNumber {
        case normal = 0
        case vacation = 1
        case privacy = 2
        case noRemoteLockUnlock = 3
        case passage = 4
    }

    /// Application Clusters §5.2.6.19
    package enum LockState: UInt8, NamedNumber {
        case notFullyLocked = 0
        case locked = 1
        case unlocked = 2
        case unlatched = 3
    }

    /// Application Clusters §5.2.6.20
    package enum LockType: UInt8, NamedNumber {
        case deadBolt = 0
        case magnetic = 1
        case other = 2
        case mortise = 3
        case rim = 4
        case latchBolt = 5
        case cylindricalLock = 6
        case tubularLock = 7
        case interconnectedLock = 8
        case deadLatch = 9
        case doorFurniture = 10
        case eurocylinder = 11
    }
}

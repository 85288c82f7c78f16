/// The steps of commissioning in their order, as progress, events and errors name them.
///
/// Core §5.5. Numbers are stable: they are kept with a run in progress.
package enum CommissioningStep: UInt8, CaseIterable, Sendable {
    case prepare = 1
    case discover = 2
    case establishPASE = 3
    case readCommissioningInfo = 4
    case armFailSafe = 5
    case configureRegulatory = 6
    case configureTime = 7
    case verifyAttestation = 8
    case requestCSR = 9
    case addTrustedRoot = 10
    case addNOC = 11
    case scanNetworks = 18
    case addNetwork = 19
    case connectNetwork = 20
    case findOperational = 12
    case establishCASE = 13
    case commissioningComplete = 14
    case updateFabricLabel = 15
    case interview = 16
    case store = 17

    /// What it is called on the console; the number is not shown.
    package var title: String {
        switch self {
        case .prepare: "checking the gateway"
        case .discover: "looking for the device"
        case .establishPASE: "connecting with the passcode"
        case .readCommissioningInfo: "asking what it is"
        case .armFailSafe: "arming its fail-safe"
        case .configureRegulatory: "setting the location"
        case .configureTime: "setting its clock"
        case .verifyAttestation: "checking its certificates"
        case .requestCSR: "asking for its key"
        case .addTrustedRoot: "installing our root"
        case .addNOC: "giving it its identity"
        case .scanNetworks: "having it look for the network"
        case .addNetwork: "giving it the network"
        case .connectNetwork: "having it join the network"
        case .findOperational: "finding it on the network"
        case .establishCASE: "connecting with its identity"
        case .commissioningComplete: "completing"
        case .updateFabricLabel: "labelling our fabric"
        case .interview: "reading what it can do"
        case .store: "storing it"
        }
    }
}

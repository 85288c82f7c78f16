/// The editions that section numbers in comments refer to, unless a comment names another:
/// Matter Core 1.4, Matter Application Clusters 1.4 and Matter Device Library 1.4.
package enum Specification {
    /// What Basic Information's SpecificationVersion holds for this edition. Core §11.1.5.22.
    package static let version: UInt32 = 0x0104_0000
    /// Ends every message of the interaction model. Core §8.1.1.
    package static let interactionModelRevision: UInt8 = 12
    /// Core §7.1.1.
    package static let dataModelRevision: UInt16 = 18
}

/// Every bound of the protocol code, with its reason.
package enum Limits {
    /// Containers inside containers. The deepest Matter message, a list of structures inside a
    /// chunked report, needs 9; two bits for each must fit 64.
    package static let tlvDepth = 16
}

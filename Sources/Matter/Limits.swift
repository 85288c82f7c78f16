/// Every bound of the protocol code, with its reason.
package enum Limits {
    /// Containers inside containers. The deepest Matter message, a list of structures inside a
    /// chunked report, needs 9; two bits for each must fit 64.
    package static let tlvDepth = 16

    /// Characters of a setup code: the most that one QR symbol holds (ISO/IEC 18004 version 40,
    /// alphanumeric). It also bounds the devices of one code, to 214.
    package static let setupCharacters = 4296
}

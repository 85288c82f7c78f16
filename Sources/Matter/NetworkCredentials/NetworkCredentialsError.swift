/// Why what somebody typed or pasted cannot be the credentials of a network. No case holds any of
/// it.
package enum NetworkCredentialsError: Error, Equatable {
    /// An SSID has 1 to 32 octets.
    case invalidSSIDLength(Int)
    /// No passphrase, key or PSK has as many octets.
    case invalidPassphraseLength(Int)
    /// 64 octets are a PSK, which is written in hexadecimal digits.
    case invalidPSK
    /// A dataset has 1 to 254 octets.
    case invalidDatasetLength(Int)
    /// This character, counted from zero, is no hexadecimal digit, or the last has no partner.
    case notHexadecimal(at: Int)
    /// The TLV at this octet ends after the dataset.
    case truncated(at: Int)
    /// The dataset has two TLVs of this type.
    case repeated(ThreadTLVType)
    /// The TLV has another length than its type.
    case invalidLength(ThreadTLVType, Int)
    case invalidValue(ThreadTLVType)
    /// A device cannot join without a TLV of this type.
    case missing(ThreadTLVType)
    /// It has a pending timestamp or a delay timer: not the dataset that the network uses now.
    case pendingDataset
}

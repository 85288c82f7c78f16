internal import Base
internal import Matter
internal import MatterNode

extension Gateway {
    /// What the gateway is called in topics where nobody has named it: its fabric's number.
    package nonisolated var gatewayName: String {
        let number = fabric.compressedID
        return Hex.upper(number.span)
    }
}

package import Base
package import Crypto

/// A field that holds a passphrase or a key. It never leaves as JSON nor enters from it, so that
/// no console, log or argument list can hold one.
extension Secret: TLVCodable {
    package convenience init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        self.init(try element.octets)
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.octets(span, tag: tag)
    }

    package var json: JSONValue { .string("secret") }

    package convenience init(json: JSONValue) throws(TLVError) {
        throw .wrongType(tag: nil)
    }

    static var empty: Secret { Secret(count: 0) { _ in } }
}

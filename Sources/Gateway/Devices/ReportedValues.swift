internal import Base
internal import Matter

extension [AttributeReport] {
    /// Nil where the device has none, refuses it, or gives something of another type.
    func value<Value>(_ attribute: Attribute<Value>, _ endpoint: EndpointID) -> Value? {
        let path = attribute.path(endpoint)
        guard case .data(let data)? = last(where: { $0.path == path })?.value else { return nil }
        return try? data.decoded()
    }
}

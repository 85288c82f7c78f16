/// Every bound of this module, with its reason.
enum Limits {
    /// Watched descriptors: about ten of the gateway's own, its installer inputs, and as many
    /// console clients as the socket admits.
    static let descriptors = 64
    /// Failed receptions in a row (reports of earlier sendings) passed over before the loop gets
    /// its turn again.
    static let receptionErrors = 16
    /// Interfaces with multicast: a board has two or three; each costs two sendings a query.
    static let multicastInterfaces = 8
}

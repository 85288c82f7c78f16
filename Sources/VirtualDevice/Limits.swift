/// Every bound of the virtual device, each with its reason.
enum Limits {
    /// Core §11.18.5.5: at least five fabrics; more than the least would only hide a full table
    /// from its tests.
    static let fabrics = 5
}

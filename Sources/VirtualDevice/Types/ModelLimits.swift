extension Limits {
    /// A device of a household has a handful; more would only make its reports long.
    package static let endpoints = 16
    /// Notes and events that nobody has taken yet; both are drained after each call.
    static let modelQueue = 32
    /// A day in steps of ten seconds: what is made up for after the machine slept.
    static let stepsMadeUp: Int64 = 8640
}

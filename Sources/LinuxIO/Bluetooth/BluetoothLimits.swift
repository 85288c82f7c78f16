extension Limits {
    /// Adapters looked for: one on the board, one plugged in, and numbers that moved.
    static let bluetoothAdapters = 8
    /// Numbers that an adapter's rfkill switch is looked for under: each adapter and Wi-Fi that
    /// was ever plugged in since the start has had one.
    static let rfkillNumbers = 64
    /// An event of the management socket: 20 octets before what a device advertises, and more of
    /// that than a commissionable one may say. A longer event is passed over.
    static let managementEvent = 512
    /// Events taken in one turn: a hall full of beacons starves nobody.
    static let managementEvents = 32
    /// Answers to what the kernel knows by itself. They come at once.
    static let managementAnswer = Duration.seconds(2)
    /// Answers to what the controller has to do: the kernel gives it 2 s for each of a few steps.
    static let controllerAnswer = Duration.seconds(5)
    /// Switching on: the kernel's own limit for it is 10 s.
    static let powerAnswer = Duration.seconds(12)
    /// From an answer to the event that confirms it: the kernel sends both together.
    static let discoveryConfirmation = Duration.seconds(3)
    /// Looking lasts 10 s before the kernel ends it. When it ends sooner than this, the next look
    /// waits for as long.
    static let discoveryLeast = Duration.seconds(1)
}

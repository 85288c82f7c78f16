internal import Matter

/// Every bound of the commissioning window, the button, the lamp and the installer's input, with
/// its reason.
package enum WindowLimits {
    // MARK: Window

    /// How long a window may be set to stay open: time to scan one label, and Core §5.4.2.3.1's
    /// longest window.
    package static let openSeconds: ClosedRange<Int> = 60...900
    package static let openSecondsDefault = 180
    /// However much is scanned, nobody finds a window open that was opened longer ago.
    package static let openInAll = Duration.seconds(900)

    // MARK: Button

    /// Contacts of push buttons bounce for up to 20 ms.
    package static let debounce = Duration.milliseconds(30)
    /// A press from here on is not short.
    package static let shortPress = Duration.seconds(2)
    /// Nobody leans on a button that long by accident.
    package static let holdToArm = Duration.seconds(10)
    /// From the release on, in which the short press that confirms must have ended.
    package static let confirmation = Duration.seconds(10)
    /// Thrice what anybody holds it for on purpose: the button is stuck.
    package static let stuck = Duration.seconds(30)

    // MARK: Lamp

    /// Results that wait to be shown: three minutes of looking at a lamp. The oldest goes first.
    package static let lampResults = 32

    // MARK: Installer's input

    /// Octets of a line: the longest setup code; labels are shorter.
    package static let lineBytes = Limits.setupCharacters
    /// Octets taken from a source at once.
    package static let readBytes = 512
    /// Events of one input that wait to be taken: all lines that one reading can hold.
    package static let inputEvents = readBytes / 2
    /// Devices that wait to be commissioned: all of the longest code that one symbol can hold,
    /// and more than one installer unpacks before the first is done.
    package static let waitingDevices = 256
}

package import Base

/// What a board has for people: a button and lamps, or neither. GPIO lines, or a simulation.
package protocol Board: AnyObject, Sendable {
    /// Called on the loop, outside any actor, for each change of the button's level, bounces too.
    var onButton: ((_ isPressed: Bool, _ at: Instant) -> Void)? { get set }
    /// Called on the loop, outside any actor, for each part that works from now on and did not
    /// before.
    var onPart: ((BoardPart) -> Void)? { get set }
    /// The level now; false without a button.
    var isButtonPressed: Bool { get }
    /// Otherwise the one lamp shows everything.
    var hasFaultLamp: Bool { get }
    var hasBuzzer: Bool { get }

    func show(_ lamp: Lamp, isOn: Bool)
}

package enum Lamp: Hashable, Sendable {
    /// What goes on; with one lamp also what went wrong.
    case work
    case fault
    /// What is heard of a lamp's results, once each.
    case buzzer
}

extension Board {
    package var hasBuzzer: Bool { false }
    /// All that it has works from the start.
    package var onPart: ((BoardPart) -> Void)? {
        get { nil }
        set {}
    }
}

/// Where lines of people come from: a scanner at a serial line, a pipe, a terminal.
package protocol LineSource: AnyObject, Sendable {
    /// Called on the loop, outside any actor, when `receive` has something.
    var onReadable: (() -> Void)? { get set }

    /// Takes octets that wait. Never blocks.
    /// - Returns: how many; nil when none wait, 0 at the end of the input.
    @_lifetime(buffer: copy buffer)
    func receive(into buffer: inout MutableSpan<UInt8>) -> Int?
}

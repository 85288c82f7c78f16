import Base
import Crypto
import LinuxIO
import Matter
import MatterNode

@testable import Gateway

enum TextTargets {
    /// What a scanner sends, in pieces of any size.
    static func label(_ input: [UInt8]) {
        var codes = SerialCodes()
        var pieces = Pieces(input)
        while !pieces.isEmpty {
            let part = pieces.piece()
            codes.receive(part.span)
            while let event = codes.nextEvent() { take(event) }
        }
        codes.end()
        while let event = codes.nextEvent() { take(event) }
        _ = try? InstallerLine(input.span)
    }

    private static func take(_ event: SerialCodes.Event) {
        if case .line(let line) = event { _ = try? InstallerLine(line.span) }
    }

    static func console(_ input: [UInt8]) {
        do throws(UsageError) {
            let words = try ConsoleLine.split(input.span)
            _ = try CommandParser.parse(words)
        } catch { _ = Explanation(error).line }
    }

    static func frames(_ input: [UInt8]) {
        var frames = ConsoleFrames(bodyLimit: 4096)
        var pieces = Pieces(input)
        while !pieces.isEmpty {
            let part = pieces.piece()
            guard (try? frames.receive(part.span)) != nil else { return }
            while let frame = frames.nextFrame() { _ = try? ConsoleMessage(frame) }
        }
    }

    static func configuration(_ input: [UInt8]) {
        guard let entries = try? ConfigurationText.entries(input) else { return }
        var configuration = Configuration()
        for entry in entries { try? configuration.set(entry.key, entry.value) }
    }

    static func mqtt(_ input: [UInt8]) {
        guard let document = try? JSONText.parse(input.span) else { return }
        _ = try? MQTTCommand.setting(document, of: NodeID(1))
        _ = try? MQTTCommand.commissioning(document)
    }
}

internal import Base
internal import Matter

/// What a person wants of limits.
package enum AlertOrder: Equatable, Sendable {
    case list
    /// All of a device, or one by its number.
    case clear(NodeSelector, id: UInt32?)
    case add(NodeSelector, AlertRule.Condition, seconds: Int64)
}

/// What is wrong with the words of a limit.
package enum AlertFault: Error, Equatable {
    case form
    case unknownQuantity(EchoedWord)
    case notAValue(EchoedWord, example: String)
    case notATime(EchoedWord)
    case notANumber(EchoedWord)
}

extension AlertFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .form:
            "that is no limit: give for instance alert cellar temperature above 8 for 10m, or"
                + " alert cellar offline for 30m"
        case .unknownQuantity(let word):
            "\(word.text) is nothing that devices tell: there are "
                + KeptAttribute.words.joined(separator: ", ")
        case .notAValue(let word, let example):
            "\(word.text) is no such value: give one as \(example)"
        case .notATime(let word):
            "\(word.text) is no time: give one as 90s, 10m, 2h or 1d, up to 7d"
        case .notANumber(let word):
            "\(word.text) is no number of a limit: alert list shows them"
        }
    }
}

extension AlertOrder {
    /// - Parameter words: behind `alert`.
    init(_ words: [[UInt8]]) throws(UsageError) {
        var texts: [String] = []
        for word in words { texts.append(try Words.text(word)) }
        if texts == ["list"] || texts.isEmpty {
            self = .list
            return
        }
        let selector = try NodeSelector(texts[0])
        do throws(AlertFault) { self = try AlertOrder(selector, texts.dropFirst()) } catch {
            throw .alert(error)
        }
    }

    private init(
        _ selector: NodeSelector, _ words: ArraySlice<String>
    ) throws(AlertFault) {
        var words = words
        guard let first = words.popFirst() else { throw .form }
        if first == "clear" {
            guard let word = words.popFirst() else {
                self = .clear(selector, id: nil)
                return
            }
            guard words.isEmpty, let id = UInt32(word), id > 0 else {
                throw .notANumber(EchoedWord(word))
            }
            self = .clear(selector, id: id)
            return
        }
        if first == "offline" {
            self = .add(selector, .offline, seconds: try Self.time(&words, isNeeded: true))
            return
        }
        guard let kept = KeptAttribute.all.first(where: { $0.word == first }) else {
            throw .unknownQuantity(EchoedWord(first))
        }
        let condition = try Self.condition(kept, &words)
        self = .add(selector, condition, seconds: try Self.time(&words, isNeeded: false))
    }

    private static func condition(
        _ kept: KeptAttribute, _ words: inout ArraySlice<String>
    ) throws(AlertFault) -> AlertRule.Condition {
        guard let word = words.popFirst() else { throw .form }
        if case .flag(let off, let on) = kept.meaning {
            guard word == off || word == on else {
                throw .notAValue(EchoedWord(word), example: "\(off) or \(on)")
            }
            return .value(word: kept.word, isAbove: word == on, limit: word == on ? 0 : 1)
        }
        let isAbove = word == ">" || word == "above"
        guard isAbove || word == "<" || word == "below", let number = words.popFirst() else {
            throw .form
        }
        guard let limit = kept.limit(number) else {
            let low = kept.range.lowerBound
            throw .notAValue(EchoedWord(number), example: kept.text(max(low, 15)))
        }
        return .value(word: kept.word, isAbove: isAbove, limit: limit)
    }

    private static func time(
        _ words: inout ArraySlice<String>, isNeeded: Bool
    ) throws(AlertFault) -> Int64 {
        guard let preposition = words.popFirst() else {
            if isNeeded { throw .form }
            return 0
        }
        guard preposition == "for", let word = words.popFirst(), words.isEmpty else {
            throw .form
        }
        let factor: Int
        switch word.last {
        case "s": factor = 1
        case "m": factor = 60
        case "h": factor = 3600
        case "d": factor = 86_400
        default: factor = 0
        }
        guard let number = Words.number(Array(word.utf8.dropLast(factor == 0 ? 0 : 1))),
            KeepingLimits.alertSeconds.contains(number * max(factor, 1))
        else { throw .notATime(EchoedWord(word)) }
        return Int64(number * max(factor, 1))
    }
}

extension KeptAttribute {
    /// Each once.
    package static var words: [String] {
        var words: [String] = []
        for kept in all where !words.contains(kept.word) { words.append(kept.word) }
        return words
    }

    /// `8`, `-18.5`, `15%` in the unit of a `Reading`; nil for what is no such number.
    package func limit(_ text: String) -> Int64? {
        var digits = Substring(text)
        if let unit = quantity?.unit, digits.hasSuffix(unit) { digits.removeLast(unit.count) }
        while digits.last == " " { digits.removeLast() }
        let isNegative = digits.first == "-"
        if isNegative { digits.removeFirst() }
        var decimals = quantity?.decimals ?? 0
        var value: Int64 = 0
        var isBehindPoint = false
        guard let first = digits.utf8.first, (0x30...0x39).contains(first),
            digits.utf8.count <= 12
        else { return nil }
        for octet in digits.utf8 {
            switch octet {
            case UInt8(ascii: "."):
                guard !isBehindPoint, decimals > 0 else { return nil }
                isBehindPoint = true
            case 0x30...0x39:
                if isBehindPoint {
                    guard decimals > 0 else { return nil }
                    decimals -= 1
                }
                value = value * 10 + Int64(octet - 0x30)
            default: return nil
            }
        }
        for _ in 0..<decimals { value *= 10 }
        if meaning == .halfPercent { value *= 2 }
        return isNegative ? -value : value
    }
}

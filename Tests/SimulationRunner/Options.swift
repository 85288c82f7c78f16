/// What is to be run.
struct Options {
    enum Work {
        case replay(UInt64)
        /// Shared among processes.
        case many(Range<UInt64>)
        /// The share of one process.
        case some(Range<UInt64>)
        case canary
        case month(UInt64, days: Int)
    }

    let work: Work
    private(set) var isJSON = false
    private(set) var isBluetooth = false

    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    init(_ words: [String]) throws {
        var first: UInt64 = 1
        var count: UInt64 = 100
        var seed: UInt64?
        var isCanary = false
        var isWorker = false
        var isMonth = false
        var days: UInt64 = 30
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--bluetooth": isBluetooth = true
            case "--canary": isCanary = true
            case "--worker": isWorker = true
            case "--month": isMonth = true
            case "--days": days = try Self.number(after: word, &rest)
            case "--seed": seed = try Self.number(after: word, &rest)
            case "--first": first = try Self.number(after: word, &rest)
            case "--count": count = try Self.number(after: word, &rest)
            default: throw Wrong(description: "\(word) is unknown; see scripts/sim --help")
            }
        }
        let seeds = first..<(first + count)
        if isMonth {
            work = .month(seed ?? first, days: Int(days))
        } else if let seed {
            work = .replay(seed)
        } else if isCanary {
            work = .canary
        } else {
            work = isWorker ? .some(seeds) : .many(seeds)
        }
    }

    private static func number(
        after word: String, _ rest: inout ArraySlice<String>
    ) throws -> UInt64 {
        guard let text = rest.popFirst(), let number = UInt64(text), number <= 1_000_000_000
        else { throw Wrong(description: "\(word) needs a number up to 1000000000") }
        return number
    }
}

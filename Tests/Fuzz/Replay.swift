import Base
import Foundation
import Simulation

/// Gives a target its seeds, and inputs that are made from them: the same ones every time, without
/// a sanitizer, for as long as there is time.
///
/// Each input is in a file while it is taken, which is left where the process ends by it.
struct Replay {
    private let target: FuzzTarget
    private let seeds: [[UInt8]]
    private let broken: URL

    /// - Parameters:
    ///   - seeds: a folder of files, which may be missing or empty.
    ///   - broken: the file for the input that is being taken.
    init(of target: FuzzTarget, seeds folder: String, broken: String) throws {
        self.target = target
        self.broken = URL(fileURLWithPath: broken)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        seeds = try names.sorted().map { name in
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
        }
    }

    func run(for time: Duration) throws {
        try Data().write(to: broken)
        let file = try FileHandle(forWritingTo: broken)
        let end = ContinuousClock.now + time
        var count = 0
        func take(_ input: [UInt8]) throws {
            try file.truncate(atOffset: 0)
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(input))
            target.take(input)
            count += 1
        }
        for seed in seeds { try take(seed) }
        var random = SeededRandom(seed: 1)
        while ContinuousClock.now < end {
            try take(Self.changed(seeds.randomElement(using: &random) ?? [], seeds, &random))
        }
        try FileManager.default.removeItem(at: broken)
        print(count)
    }

    /// Some changes of the kinds that find most: bits, numbers at their limits, cuts, repeats,
    /// and another seed's octets.
    private static func changed(
        _ seed: [UInt8], _ seeds: [[UInt8]], _ random: inout SeededRandom
    ) -> [UInt8] {
        var input = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...input.count, using: &random)
            let end = Int.random(in: place...input.count, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0 where place < input.count:
                input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where place < input.count:
                input[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random) ?? 0
            case 2: input.removeSubrange(place..<end)
            case 3: input.insert(contentsOf: input[place..<end], at: place)
            case 4: input.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 5: input.removeLast(input.count - place)
            default: input += (seeds.randomElement(using: &random) ?? []).suffix(64)
            }
        }
        return Array(input.prefix(4096))
    }
}

extension SeededRandom: RandomNumberGenerator {}

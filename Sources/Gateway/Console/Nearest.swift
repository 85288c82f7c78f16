/// Finds the word that a person probably meant.
enum Nearest {
    /// The candidate with the fewest slips (a letter more, less, other, or two swapped) from
    /// `word`, or nil when it takes more than a third of the letters.
    static func match<Candidate>(
        _ word: String, among candidates: [Candidate], spelling: (Candidate) -> String
    ) -> Candidate? {
        let letters = Array(word.lowercased())
        guard letters.count <= longest else { return nil }
        var best: (candidate: Candidate, slips: Int)?
        for candidate in candidates {
            let other = Array(spelling(candidate))
            let slips = distance(letters, other)
            let allowed = max(1, max(letters.count, other.count) / 3)
            if slips <= allowed, slips < best?.slips ?? .max { best = (candidate, slips) }
        }
        return best?.candidate
    }

    /// No word of ours has more letters than half of this.
    private static let longest = 40

    /// The optimal string alignment distance.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                let cost = left[i] == right[j] ? 0 : 1
                var slips = min(last[j] + cost, last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    slips = min(slips, beforeLast[j - 1] + 1)
                }
                row.append(slips)
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}

/// Text on its way to a slow line. Beyond its bound whole texts are left out, and how many lines
/// those had is said in their place.
struct OutputQueue {
    private let bound: Int
    private var waiting: [UInt8] = []
    private var lostLines = 0

    init(bound: Int) {
        self.bound = bound
    }

    var isEmpty: Bool { waiting.isEmpty && lostLines == 0 }

    mutating func add(_ text: String) {
        let bytes = Array(text.utf8)
        // While something is left out, so is all after it, up to the notice.
        guard lostLines == 0, waiting.count + bytes.count <= bound else {
            lostLines += max(1, bytes.count { $0 == 0x0A })
            return
        }
        waiting += bytes
    }

    /// - Returns: the next octets, at most `count`; empty when none wait.
    mutating func next(_ count: Int) -> [UInt8] {
        if waiting.isEmpty, lostLines > 0 {
            waiting = Array("(\(lostLines) lines left out: this line is slow)\n".utf8)
            lostLines = 0
        }
        return Array(waiting.prefix(count))
    }

    mutating func sent(_ count: Int) { waiting.removeFirst(count) }

    mutating func removeAll() {
        waiting.removeAll()
        lostLines = 0
    }
}

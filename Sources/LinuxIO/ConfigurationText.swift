internal import CINIH

/// One `key = value` of a configuration file; the line counts from 1.
package struct ConfigurationEntry: Equatable, Sendable {
    package let line: Int
    package let key: String
    package let value: String
}

/// What keeps a text from being lines of `key = value`, and where.
package enum ConfigurationTextError: Error, Equatable {
    case tooLong
    case lineTooLong(line: Int)
    /// Neither a comment nor `key = value`.
    case malformed(line: Int)
    /// A heading in brackets: there are no sections.
    case section(line: Int)
    case notUTF8(line: Int)
}

/// The lines of a configuration file.
///
/// Lines that begin with # or ; are comments, and so is what follows a blank and a ; behind a
/// value. Blanks around keys and values do not matter.
package enum ConfigurationText {
    package static func entries(
        _ text: [UInt8]
    ) throws(ConfigurationTextError) -> [ConfigurationEntry] {
        guard text.count <= Limits.configurationBytes else { throw .tooLong }
        let lines = try lines(of: text)
        let feed = Feed(lines)
        let context = unsafe Unmanaged.passUnretained(feed).toOpaque()
        let faulty = unsafe ini_parse_stream(giveLine, context, takeEntry, context)
        guard faulty == 0 else { throw .malformed(line: max(1, Int(faulty))) }
        return feed.entries
    }

    /// Blanks before a line are dropped: to the library they would continue the line above.
    private static func lines(
        of text: [UInt8]
    ) throws(ConfigurationTextError) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let number = lines.count + 1
            let bare = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard bare.count <= Limits.configurationLine else { throw .lineTooLong(line: number) }
            guard !bare.contains(0), String(validating: bare, as: UTF8.self) != nil else {
                throw .notUTF8(line: number)
            }
            guard bare.first != UInt8(ascii: "[") else { throw .section(line: number) }
            lines.append(bare)
        }
        return lines
    }
}

/// What the library reads from and writes to.
private final class Feed {
    private let lines: [ArraySlice<UInt8>]
    /// How many lines were given, hence the number of the last one.
    private var given = 0
    private(set) var entries: [ConfigurationEntry] = []

    init(_ lines: [ArraySlice<UInt8>]) {
        self.lines = lines
    }

    func next() -> ArraySlice<UInt8>? {
        guard given < lines.count else { return nil }
        given += 1
        return lines[given - 1]
    }

    func take(_ key: String, _ value: String) {
        entries.append(ConfigurationEntry(line: given, key: key, value: value))
    }
}

/// Stands for fgets(3); the line's end is not needed.
private func giveLine(
    _ target: UnsafeMutablePointer<CChar>?, _ size: Int32, _ context: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
    guard let target = unsafe target, let context = unsafe context else { return nil }
    let feed = unsafe Unmanaged<Feed>.fromOpaque(context).takeUnretainedValue()
    guard let line = feed.next() else { return nil }
    precondition(line.count < size, "lines were measured before")
    for (index, octet) in line.enumerated() { unsafe target[index] = CChar(bitPattern: octet) }
    unsafe target[line.count] = 0
    return unsafe target
}

/// - Returns: 1, for nothing is wrong with an entry as such.
private func takeEntry(
    _ context: UnsafeMutableRawPointer?, _ section: UnsafePointer<CChar>?,
    _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> Int32 {
    guard let context = unsafe context, let key = unsafe key, let value = unsafe value else {
        return 0
    }
    let feed = unsafe Unmanaged<Feed>.fromOpaque(context).takeUnretainedValue()
    feed.take(unsafe String(cString: key), unsafe String(cString: value))
    return 1
}

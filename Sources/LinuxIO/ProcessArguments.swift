internal import Glibc

/// The words of the command line.
package enum ProcessArguments {
    /// The words behind the program's name, as octets: a setup code never becomes a `String`.
    package static var words: [[UInt8]] {
        var words: [[UInt8]] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
            words.append(unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
        }
        return words
    }

    /// Blots out a word where `ps` reads it.
    package static func conceal(_ word: [UInt8]) {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let place = unsafe CommandLine.unsafeArgv[index] else { break }
            let count = unsafe strlen(place)
            let isWord =
                unsafe count == word.count
                && UnsafeRawBufferPointer(start: place, count: count).elementsEqual(word)
            if isWord { unsafe memset(place, Int32(UInt8(ascii: "*")), count) }
        }
    }
}

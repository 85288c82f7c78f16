import Foundation

/// What `scripts/sim` runs; see there.
do {
    exit(try Runner(options: Options(Array(CommandLine.arguments.dropFirst()))).run() ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(64)
}

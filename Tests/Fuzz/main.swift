import Glibc

#if FUZZER
    import CFuzzer
#endif

// fuzz TARGET [OPTIONS OF LIBFUZZER], or without libFuzzer: fuzz TARGET SECONDS FOLDER BROKEN.
// scripts/fuzz runs both.

/// Set once; libFuzzer's function has no room for it.
nonisolated(unsafe) var chosen = FuzzTarget.tlv

guard CommandLine.argc > 1,
    let target = FuzzTarget(rawValue: CommandLine.arguments[1])
else {
    print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
    exit(CommandLine.argc > 1 ? EX_USAGE : EX_OK)
}
unsafe chosen = target

#if FUZZER
    /// The name of the target is no option of libFuzzer's.
    let arguments = unsafe CommandLine.unsafeArgv
    unsafe arguments[1] = arguments[0]
    exit(
        unsafe cfuzzer_run(CommandLine.argc - 1, arguments + 1) { bytes, count in
            let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
            unsafe chosen.take([UInt8](input))
            return 0
        })
#else
    guard CommandLine.argc == 5, let seconds = Double(CommandLine.arguments[2]) else {
        exit(EX_USAGE)
    }
    let replay = try Replay(
        of: target, seeds: CommandLine.arguments[3], broken: CommandLine.arguments[4])
    try replay.run(for: .seconds(seconds))
#endif

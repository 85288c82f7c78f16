internal import Glibc
internal import LinuxIO

/// The virtual device's only entry: words in, exit code out.
exit(Program.run(ProcessArguments.words))

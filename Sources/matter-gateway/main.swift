internal import Glibc
internal import LinuxIO
internal import Wiring

/// The agent's only entry: words in, exit code out.
exit(Program.run(ProcessArguments.words))

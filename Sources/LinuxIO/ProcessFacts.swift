internal import CLinux
internal import Glibc

/// What concerns this process as a whole.
package enum ProcessFacts {
    /// No core file, and no look into this process's memory by others of the same user: it
    /// holds keys.
    package static func forbidDumps() throws(Errno) {
        try Syscall.call { clinux_forbid_dumps() }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        try Syscall.call { unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) }
        // Swift's own report of a crash would show memory in the log, and never comes to an end
        // in a process that nobody may look into.
        for fault in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
            _ = signal(fault, SIG_DFL)
        }
    }

    /// What scrypt takes for a moment is not kept for the rest of the process's life.
    package static func returnMemory() { clinux_return_memory() }

    /// Memory that is this process's alone and is written to; nil where the kernel does not tell.
    package static var privateBytes: Int? {
        guard let text = KernelFile.text("/proc/self/smaps_rollup") else { return nil }
        for line in text.split(separator: "\n") where line.hasPrefix("Private_Dirty:") {
            let words = line.split(separator: " ")
            return words.count == 3 ? Int(words[1]).map { $0 << 10 } : nil
        }
        return nil
    }

    /// Seconds since 1970 at the start of the day on which this program was built: no date
    /// before it can be today's.
    package static var buildDate: Int64 {
        parse(unsafe String(cString: clinux_build_date())) ?? 0
    }

    /// Reads the compiler's "Mmm dd yyyy".
    static func parse(_ date: String) -> Int64? {
        let parts = date.split(separator: " ")
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        guard parts.count == 3, let month = months.firstIndex(of: String(parts[0])),
            let day = Int32(parts[1]), let year = Int32(parts[2])
        else { return nil }
        var calendar = unsafe tm()
        unsafe calendar.tm_mday = day
        unsafe calendar.tm_mon = Int32(month)
        unsafe calendar.tm_year = year - 1900
        return unsafe Int64(timegm(&calendar))
    }
}

import Glibc
import Testing

@testable import LinuxIO

@Suite("ProcessFacts")
struct ProcessFactsTests {
    @Test("the build date is read as the compiler writes it")
    func buildDate() {
        #expect(ProcessFacts.parse("Jan  1 1970") == 0)
        #expect(ProcessFacts.parse("Feb 29 2024") == 1_709_164_800)
        #expect(ProcessFacts.parse("Dec 31 2037") == 2_145_830_400)
        #expect(ProcessFacts.parse("??? ?? ????") == nil)
        #expect(ProcessFacts.buildDate > 1_700_000_000)
    }

    @Test("the wall clock counts seconds since 1970 and writes them as a date")
    func wallClock() {
        #expect(WallClock.now > 1_700_000_000)
        #expect(WallClock.text(0) == "1970-01-01 00:00 UTC")
        #expect(WallClock.text(1_709_251_199) == "2024-02-29 23:59 UTC")
    }

    @Test("a process that forbids dumps writes no core")
    func dumps() async {
        await #expect(processExitsWith: .success) {
            try ProcessFacts.forbidDumps()
            var limit = rlimit()
            _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            exit(limit.rlim_max == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("the kernel tells of this process's memory and of the disk beside a file")
    func machine() throws {
        #expect(try #require(ProcessFacts.privateBytes) > 100_000)
        #expect(try #require(PrivateFile.freeBytes(beside: "/tmp/gateway.db")) >= 0)
        #expect(PrivateFile.freeBytes(beside: "/no such folder/gateway.db") == nil)
    }
}

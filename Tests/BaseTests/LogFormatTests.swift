import Testing

@testable import Base

@Suite("LogFormat")
struct LogFormatTests {
    @Test("the journal gets syslog's number, a person the word")
    func marks() {
        var format = LogFormat(isJournal: true)
        #expect(format.line(.error, "it failed") == "<3>it failed\n")
        #expect(format.line(.info, "it runs") == "<6>it runs\n")
        format.isJournal = false
        #expect(format.line(.warning, "look here") == "warning: look here\n")
    }

    @Test("what matters less than the threshold is not written", arguments: LogLevel.allCases)
    func threshold(level: LogLevel) {
        var format = LogFormat(isJournal: true)
        format.threshold = level
        for other in LogLevel.allCases {
            #expect((format.line(other, "x") != nil) == (other <= level))
        }
    }

    @Test("an event is one line, whatever a device says in it")
    func oneLine() {
        let line = LogFormat(isJournal: true).line(.info, "lamp\n<0>\u{1B}[2J")
        #expect(line == "<6>lamp\\u{A}<0>\\u{1B}[2J\n")
    }

    @Test("levels are read by their words alone", arguments: LogLevel.allCases)
    func words(level: LogLevel) {
        #expect(LogLevel(word: level.word) == level)
        #expect(LogLevel(word: level.word.uppercased()) == nil)
    }
}

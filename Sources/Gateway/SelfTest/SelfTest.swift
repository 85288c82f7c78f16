internal import Base

/// `self-test`: whether this program computes on this board as it should.
enum SelfTest {
    static func run(_ answers: [KnownAnswer] = KnownAnswers.all) -> Output {
        let results = answers.map { (name: $0.name, isRight: $0.isRight) }
        let wrong = results.count { !$0.isRight }
        let lines = results.map { "\($0.isRight ? "ok   " : "wrong")  \($0.name)" }
        let last =
            wrong == 0
            ? "All \(results.count) are as they should be."
            : "\(wrong) of \(results.count) are wrong: do not use this board until the program"
                + " and the system's libcrypto fit."
        let checks = results.map { result in
            JSONValue.object([
                ("name", .string(result.name)), ("passed", .boolean(result.isRight)),
            ])
        }
        let document = JSONValue.object([
            ("passed", .boolean(wrong == 0)), ("checks", .array(checks)),
        ])
        return Output(
            lines: lines + [last], document: document,
            exitCode: wrong == 0 ? .ok : FailureKind.ownFault.exitCode)
    }
}

import Base
import Crypto
import Matter
import MatterNode
import Testing

@testable import Gateway

@Suite("What the gateway's own operations say")
struct ConsoleGatewayTests {
    @Test("a failed command names its device")
    func gateway() {
        let errors: [GatewayError] = [
            .store(.full), .fabric(.key(.invalidPrivateKey)),
            .fabric(.certificate(.tooLong)), .connection(.notFound), .connection(.cancelled),
            .connection(.handshake(.operational(.invalidPoint))), .peer(.exchange(.noAnswer)),
            .dropsOwnAdministration, .notRemoved(OpenEnum(.invalidFabricIndex)),
        ]
        for error in errors {
            ConsoleExplanationTests.check(Explanation(error))
            ConsoleExplanationTests.check(Explanation(error, of: SampleNodes.lamp))
        }
        #expect(
            Explanation(.connection(.notFound), of: SampleNodes.lamp).line
                == "Hall lamp 灯: it does not announce itself, nor answer where it was last:"
                + " check that it has power and that it and this gateway are on the same network")
        #expect(!Explanation(.store(.full), of: SampleNodes.lamp).line.contains("Hall"))
    }

    @Test("prepare shows each check with its remedy")
    func prepare() {
        var report = PrepareReport()
        report.checks = [
            PrepareReport.Check("store", .ok("writable")),
            PrepareReport.Check("clock", .warning("it is wrong", remedy: "set it")),
        ]
        let ready = PrepareOutput.report(report)
        #expect(
            ready.lines == [
                "ok       store: writable", "warning  clock: it is wrong: set it",
                "Ready to add devices.",
            ])
        #expect(ready.exitCode == .ok)
        report.checks.append(PrepareReport.Check("network", .error("none", remedy: "plug in")))
        let broken = PrepareOutput.report(report)
        #expect(broken.exitCode == .configuration)
        #expect(
            broken.document.text == """
                {"ready":false,"checks":[{"name":"store","level":"ok","text":"writable",\
                "remedy":null},{"name":"clock","level":"warning","text":"it is wrong",\
                "remedy":"set it"},{"name":"network","level":"error","text":"none",\
                "remedy":"plug in"}]}
                """)
    }
}

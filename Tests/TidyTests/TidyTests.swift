import Testing

@Suite("Tidy: the tree follows its own rules")
struct TidyTests {
    @Test("modules import only what lies below them")
    func imports() {
        #expect(!Repository.sources.isEmpty)
        #expect(Repository.sources.flatMap(Rules.foreignImports) == [])
    }

    @Test("no Foundation, no stray tasks, no waiting in the core, unsafe only where it may be")
    func bannedWords() {
        #expect(Repository.sources.flatMap(Rules.bannedWords) == [])
    }

    @Test("lines, functions and files keep their bounds")
    func sizes() {
        #expect(Repository.everything.flatMap(Rules.sizes) == [])
    }

    @Test("nothing is left open in the code")
    func openEnds() {
        #expect(Repository.everything.flatMap(Rules.openEnds) == [])
    }

    @Test("every cluster cites its section")
    func sections() {
        #expect(Repository.sources.flatMap(Rules.missingSection) == [])
    }

    @Test("the map names every module")
    func map() {
        let map = Repository.text(of: "Sources/README.md")
        #expect(Repository.modules.filter { !map.contains("`\($0)`") } == [])
    }
}

@Suite("Tidy: the rules notice what breaks them")
struct RulesTests {
    private func file(_ module: String, _ text: String, name: String = "File") -> SourceFile {
        SourceFile(path: "Sources/\(module)/\(name).swift", text: text)
    }

    @Test(
        "an import against the direction is found",
        arguments: [
            ("Base", "import Crypto"), ("Matter", "internal import MatterNode"),
            ("Matter", "@preconcurrency import Glibc"), ("Gateway", "package import LinuxIO"),
            ("MatterNode", "import struct Glibc.timespec"), ("Unlisted", "import Base"),
        ])
    func imports(module: String, text: String) {
        #expect(Rules.foreignImports(file(module, text)).count == 1)
        #expect(Rules.foreignImports(file("Matter", "internal import Base")).isEmpty)
    }

    @Test(
        "a banned word is found in code",
        arguments: [
            ("Gateway", "import Foundation"), ("LinuxIO", "private import FoundationEssentials"),
            ("Matter", "func read() async {}"), ("Crypto", "let x = await y"),
            ("Gateway", "Task { work() }"), ("Gateway", "try await Task.sleep(for: .zero)"),
            ("MatterNode", "Task.detached { }"), ("Gateway", "Task(priority: .high) { }"),
            ("Matter", "unsafe pointer.pointee"),
        ])
    func bannedWords(module: String, text: String) {
        #expect(Rules.bannedWords(file(module, text)).count == 1)
    }

    @Test(
        "the same word in a comment, a string or its own place is none",
        arguments: [
            ("Matter", "// async is for others"), ("Matter", #"let text = "await \(Task { })""#),
            ("Matter", "/* Task { /* unsafe */ } */"), ("Gateway", "MyTask { }"),
            ("Gateway", "unsafe UnownedSerialExecutor(ordinary: loop)"),
        ])
    func allowedWords(module: String, text: String) {
        #expect(Rules.bannedWords(file(module, text)).isEmpty)
        #expect(Rules.bannedWords(file("MatterNode", "Task { }", name: "Loop")).isEmpty)
    }

    @Test("too long a line, function or file is found")
    func sizes() {
        #expect(Rules.sizes(file("Base", String(repeating: "x", count: 101))).count == 1)
        let body = String(repeating: "    work() // {\n", count: 69)
        #expect(Rules.sizes(file("Base", "func a() {\n" + body + "}\n")).count == 1)
        #expect(Rules.sizes(file("Base", "init(\n) {\n" + body + "}\n")).count == 1)
        let shorter = String(repeating: "    work(\"}\")\n", count: 68)
        #expect(Rules.sizes(file("Base", "func a() {\n" + shorter + "}\n")).isEmpty)
        #expect(Rules.sizes(file("Base", String(repeating: "\n", count: 501))).count == 1)
    }

    @Test("an open end and a cluster without a section are found")
    func others() {
        #expect(Rules.openEnds(file("Base", "// TO" + "DO later")).count == 1)
        #expect(Rules.missingSection(file("Matter/Clusters", "enum OnOff {}")).count == 1)
        #expect(Rules.missingSection(file("Matter/Clusters", "/// Core §11.10")).isEmpty)
    }
}

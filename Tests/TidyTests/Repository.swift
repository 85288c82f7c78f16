import Foundation

/// The repository this test was built from.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let sources = swiftFiles(below: "Sources")
    static let everything = sources + swiftFiles(below: "Tests")

    static func text(of path: String) -> String {
        (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }

    /// Folders below Sources: one a module.
    static var modules: [String] {
        let folder = root.appendingPathComponent("Sources")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.contains(".") }.sorted()
    }

    private static func swiftFiles(below folder: String) -> [SourceFile] {
        let base = root.appendingPathComponent(folder)
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
        return (names ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { name in
            SourceFile(path: "\(folder)/\(name)", text: text(of: "\(folder)/\(name)"))
        }
    }
}

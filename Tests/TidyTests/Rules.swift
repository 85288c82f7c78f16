/// What a file does wrong by the project's rules; each finding is one line for a person.
enum Rules {
    static let columns = 100
    static let functionLines = 70
    static let fileLines = 500

    /// Which modules a module may import. What is not listed here may import nothing.
    static let imports: [String: Set<String>] = {
        let core: Set = ["Base", "Crypto", "Matter"]
        let node = core.union(["MatterNode"])
        let system: Set = [
            "Glibc", "CLinux", "CBluetooth", "CGPIOD", "CSQLite", "CMosquitto", "CJansson",
            "CQREncode", "CINIH",
        ]
        return [
            "Base": [],
            "Crypto": ["Base", "COpenSSL", "Synchronization"],
            "Matter": ["Base", "Crypto"],
            "MatterNode": core,
            "VirtualDevice": node,
            "Gateway": node,
            "LinuxIO": node.union(system),
            "VirtualAir": node.union(["LinuxIO", "CLinux", "Glibc"]),
            "Wiring": node.union(["Gateway", "LinuxIO"]),
            "matter-gateway": ["LinuxIO", "Wiring", "Glibc"],
            "simulated-board": node.union(["Gateway", "LinuxIO", "VirtualAir", "Wiring", "Glibc"]),
            "virtual-device": node.union(["VirtualAir", "VirtualDevice", "LinuxIO", "Glibc"]),
        ]
    }()

    /// Rooms where only bytes and values live: no waiting, no operating system.
    static let belowNode: Set = ["Base", "Crypto", "Matter"]
    /// Rooms that may say `unsafe`; one more line is allowed per actor, for its executor.
    static let unsafeModules: Set = ["Base", "Crypto", "LinuxIO", "VirtualAir"]

    static func foreignImports(_ file: SourceFile) -> [String] {
        let allowed = imports[file.module] ?? []
        return file.imports.filter { !allowed.contains($0) }
            .map { "\(file.path): \(file.module) must not import \($0)" }
    }

    static func bannedWords(_ file: SourceFile) -> [String] {
        var found: [String] = []
        func ban(_ expression: String, _ why: String) {
            for line in file.lines(matching: expression) {
                found.append("\(file.path):\(line): \(why)")
            }
        }
        ban(#"\bimport\s+(Foundation\w*|Dispatch)\b"#, "neither Foundation nor Dispatch")
        if belowNode.contains(file.module) {
            ban(#"\b(async|await)\b"#, "\(file.module) does not wait")
            ban(#"\bGlibc\b"#, "\(file.module) makes no system calls")
        }
        if !file.path.hasSuffix("/Loop.swift") {
            ban(#"\bTask\s*(\{|<|\(|\.(detached|sleep|yield))"#, "tasks are made by the loop alone")
            if !unsafeModules.contains(file.module) {
                for line in file.lines(matching: #"\bunsafe\b"#)
                where !file.code[line - 1].contains("UnownedSerialExecutor") {
                    found.append("\(file.path):\(line): unsafe is not for \(file.module)")
                }
            }
        }
        return found
    }

    static func openEnds(_ file: SourceFile) -> [String] {
        // Spelled in two parts, so that this file does not find itself.
        let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        return file.lines.enumerated().flatMap { index, line in
            words.filter { line.contains($0) }.map { "\(file.path):\(index + 1): \($0)" }
        }
    }

    static func sizes(_ file: SourceFile) -> [String] {
        var found: [String] = []
        for (index, line) in file.lines.enumerated() where line.count > columns {
            found.append("\(file.path):\(index + 1): \(line.count) columns")
        }
        for function in file.functions where function.length > functionLines {
            found.append("\(file.path):\(function.line): function of \(function.length) lines")
        }
        if file.lines.count > fileLines + 1 {
            found.append("\(file.path): \(file.lines.count - 1) lines")
        }
        return found
    }

    /// A cluster is written from the specification and says from where.
    static func missingSection(_ file: SourceFile) -> [String] {
        guard file.path.hasPrefix("Sources/Matter/Clusters/") else { return [] }
        let cites = file.lines.contains { line in
            line.contains("Core §") || line.contains("Application") || line.contains("AppClusters")
        }
        return cites ? [] : ["\(file.path): cites no section"]
    }
}

internal import Matter
package import MatterNode

// The state file, and what it holds of ourselves.

extension Explanation {
    package init(_ error: StoreError) {
        switch error {
        case .cannotOpen(let errno):
            self.init(
                .storeNotOpened,
                "the state file cannot be opened (\(SystemErrorText.words(errno)))",
                remedy: "see whether its folder is there and who may write to it; --state FILE"
                    + " names another")
        case .inUse:
            self.init(
                .busy, "another matter-gateway has the state file open",
                remedy: "stop that one, or name another file with --state")
        case .damaged:
            self.init(
                .storeFailed, "the state file is damaged and there is no good copy",
                remedy: "restore a backup; without one, move it away to begin anew, and reset"
                    + " the devices")
        case .tooNew(let version):
            self.init(
                .notConfigured, "the state file has format \(version), of a newer version",
                remedy: "update matter-gateway")
        case .full:
            self.init(
                .storeFailed, "there is no room left to store anything",
                remedy: "free some space where the state file is")
        case .readOnly:
            self.init(
                .storeFailed, "the state file cannot be written",
                remedy: "see its rights, and whether the file system is mounted read-only")
        case .failed(let code):
            self.init(
                .storeFailed, "the state file failed (SQLite error \(code))",
                remedy: "see whether the card or disk is sound, and try again")
        }
    }

    package init(_ error: FabricError) {
        let detail: String
        switch error {
        case .key(let error): detail = "\(error)"
        case .certificate(let error): detail = CertificateText.words(error)
        }
        self.init(
            .storeFailed, "the stored keys of this gateway are damaged (\(detail))",
            remedy: "restore a backup")
    }
}

/// The system's error numbers that people meet. Linux has the same ones on every board here.
enum SystemErrorText {
    static func words(_ errno: Int32) -> String {
        table.first { $0.number == errno }?.words.description ?? "system error \(errno)"
    }

    private static let table: [(number: Int32, words: StaticString)] = [
        (1, "not permitted"), (2, "no such file or folder"), (5, "input/output error"),
        (13, "permission denied"), (20, "not a folder"), (21, "it is a folder"),
        (23, "too many open files"), (24, "too many open files"), (26, "the file is busy"),
        (27, "the file is too large"), (28, "no space left"), (30, "read-only file system"),
        (36, "the name is too long"), (40, "too many links"), (122, "disk quota exceeded"),
    ]
}

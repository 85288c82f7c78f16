package import Gateway
internal import LinuxIO

/// The configuration file on its way into a value.
package enum ConfigurationFile {
    /// - Parameter named: a file that must be there; nil is the standard one, which need not be.
    package static func load(_ named: String?) throws(Explanation) -> Configuration {
        let path = named ?? Configuration.standardPath
        guard named != nil || Folder.exists(path) else { return Configuration() }
        let text: [UInt8]
        do throws(Errno) { text = try Folder.read(path, limit: fileBytes) } catch {
            throw Explanation(
                .notConfigured, "\(path) cannot be read (\(error.description))",
                remedy: "name another with --config, or let this user read it")
        }
        let entries: [ConfigurationEntry]
        do throws(ConfigurationTextError) { entries = try ConfigurationText.entries(text) } catch {
            throw Explanation(error, path)
        }
        return try configuration(entries, path)
    }

    private static func configuration(
        _ entries: [ConfigurationEntry], _ path: String
    ) throws(Explanation) -> Configuration {
        var configuration = Configuration()
        for entry in entries {
            do throws(ConfigurationFault) {
                try configuration.set(entry.key, entry.value)
            } catch { throw Explanation(error, at: "\(path), line \(entry.line)") }
        }
        do throws(ConfigurationFault) { try configuration.check() } catch {
            let line = entries.last { $0.key == error.key?.rawValue }?.line
            throw Explanation(error, at: line.map { "\(path), line \($0)" } ?? path)
        }
        return configuration
    }

    /// More than the reader of its text takes.
    private static let fileBytes = 1 << 20
}

extension Explanation {
    fileprivate init(_ error: ConfigurationTextError, _ path: String) {
        switch error {
        case .tooLong:
            self.init(
                .notConfigured, "\(path) is too long", remedy: "see whether it is the right file")
        case .lineTooLong(let line):
            self.init(
                .notConfigured, "\(path), line \(line): too long",
                remedy: "break a comment in two; values are shorter")
        case .malformed(let line):
            self.init(
                .notConfigured, "\(path), line \(line): neither a comment nor key = value",
                remedy: "correct it, or put # before it")
        case .section(let line):
            self.init(
                .notConfigured, "\(path), line \(line): there are no sections",
                remedy: "take the heading away")
        case .notUTF8(let line):
            self.init(
                .notConfigured, "\(path), line \(line): no UTF-8 text",
                remedy: "save the file as UTF-8")
        }
    }
}

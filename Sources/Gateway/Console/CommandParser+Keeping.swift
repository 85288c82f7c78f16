internal import Base

// The words of the commands about what the gateway keeps.

extension CommandParser {
    static func authorities(_ words: [[UInt8]]) throws(UsageError) -> ConsoleCommand {
        guard let action = words.first else { return .authorities }
        switch String(decoding: action, as: UTF8.self) {
        case "list":
            guard words.count == 1 else { throw .tooManyArguments(.authorities) }
            return .authorities
        case "add":
            guard words.count == 2 else {
                throw .missingArgument(.authorities, placeholder: "FILE")
            }
            return .addAuthorities(path: try Words.text(words[1]))
        case "remove":
            guard words.count == 2 else {
                throw .missingArgument(.authorities, placeholder: "KEYID")
            }
            guard let octets = Hex.decode(try Words.text(words[1])),
                let keyID = FixedBytes<20>(octets.span)
            else { throw .notAKeyID }
            return .removeAuthority(keyID: keyID)
        default: throw .unknownAction(EchoedWord(action), .authorities)
        }
    }

    static func settings(_ words: [[UInt8]]) throws(UsageError) -> ConsoleCommand {
        guard let word = words.first else { return .settings(nil, value: nil) }
        guard let key = SettingKey(rawValue: String(decoding: word, as: UTF8.self)) else {
            throw .unknownSetting(EchoedWord(word))
        }
        return .settings(key, value: words.count > 1 ? try Words.text(words[1]) : nil)
    }
}

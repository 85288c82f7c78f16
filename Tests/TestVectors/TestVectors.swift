/// The public vectors in `Tests/Vectors`, read as plain JSON. Each file names its sources.
package enum TestVectors {
    /// - Parameter name: the file's name without `.json`.
    package static func load(_ name: String) -> JSON {
        let path = "\(TestFile.project)/Tests/Vectors/\(name).json"
        guard let text = TestFile.read(path) else { fatalError("no readable vector file \(path)") }
        var reader = JSONReader(text)
        return reader.document(of: path)
    }

    /// A JSON value of a vector file; what is not there is a fault of the test and stops it.
    package indirect enum JSON: Sendable {
        case null
        case boolean(Bool)
        /// As it is written.
        case number(String)
        case text(String)
        case list([JSON])
        case object([String: JSON])

        package subscript(key: String) -> JSON {
            guard let member = optional(key) else { fatalError("vector without \(key)") }
            return member
        }

        package func optional(_ key: String) -> JSON? {
            guard case .object(let members) = self, let member = members[key], !member.isNull
            else { return nil }
            return member
        }

        package var isNull: Bool { if case .null = self { true } else { false } }

        package var array: [JSON] {
            guard case .list(let elements) = self else { fatalError("vector value is no list") }
            return elements
        }

        package var keys: [String] {
            guard case .object(let members) = self else { fatalError("vector value is no object") }
            return members.keys.sorted()
        }

        package var asString: String? { if case .text(let text) = self { text } else { nil } }

        package var string: String {
            guard let text = asString else { fatalError("vector value is no text") }
            return text
        }

        package var bool: Bool {
            guard case .boolean(let value) = self else { fatalError("vector value is no boolean") }
            return value
        }

        package var double: Double {
            guard case .number(let digits) = self, let value = Double(digits) else {
                fatalError("vector value is no number")
            }
            return value
        }

        /// A number, or text with a 0x prefix.
        package var uint64: UInt64 {
            if case .text(let text) = self, text.hasPrefix("0x") {
                return UInt64(text.dropFirst(2), radix: 16) ?? 0
            }
            guard case .number(let digits) = self, let value = UInt64(digits) else {
                fatalError("vector value is no unsigned number")
            }
            return value
        }

        package var int: Int {
            guard case .number(let digits) = self, let value = Int(digits) else {
                fatalError("vector value is no whole number")
            }
            return value
        }

        /// Octets from hexadecimal text.
        package var hex: [UInt8] {
            let digits = Array(string.utf8)
            return stride(from: 0, to: digits.count, by: 2).map { index in
                let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
                guard let byte = UInt8(pair, radix: 16) else { fatalError("no hex: \(pair)") }
                return byte
            }
        }
    }
}

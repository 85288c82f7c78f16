internal import Foundation

/// The public vectors in `Tests/Vectors`, read as plain JSON. Each file names its sources.
package enum TestVectors {
    /// - Parameter name: the file's name without `.json`.
    package static func load(_ name: String) -> JSON {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let path = folder.deletingLastPathComponent().appendingPathComponent("Vectors/\(name).json")
        guard let data = try? Data(contentsOf: path),
            let object = try? JSONSerialization.jsonObject(with: data)
        else { fatalError("no readable vector file \(path.path)") }
        return JSON(object)
    }

    /// A JSON value of a vector file; what is not there is a fault of the test and stops it.
    package struct JSON: @unchecked Sendable {
        private let value: Any

        init(_ value: Any) { self.value = value }

        package subscript(key: String) -> JSON {
            guard let member = optional(key) else { fatalError("vector without \(key)") }
            return member
        }

        package func optional(_ key: String) -> JSON? {
            guard let object = value as? [String: Any], let member = object[key],
                !(member is NSNull)
            else { return nil }
            return JSON(member)
        }

        package var isNull: Bool { value is NSNull }
        package var array: [JSON] { cast([Any].self).map(JSON.init) }
        package var keys: [String] { cast([String: Any].self).keys.sorted() }
        package var string: String { cast(String.self) }
        package var bool: Bool { cast(Bool.self) }
        package var double: Double { cast(NSNumber.self).doubleValue }
        package var asString: String? { value as? String }

        /// A number, or text with a 0x prefix.
        package var uint64: UInt64 {
            if let text = value as? String, text.hasPrefix("0x") {
                return UInt64(text.dropFirst(2), radix: 16) ?? 0
            }
            return cast(NSNumber.self).uint64Value
        }

        package var int: Int { cast(NSNumber.self).intValue }

        /// Octets from hexadecimal text.
        package var hex: [UInt8] {
            let digits = Array(string.utf8)
            return stride(from: 0, to: digits.count, by: 2).map { index in
                let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
                guard let byte = UInt8(pair, radix: 16) else { fatalError("no hex: \(pair)") }
                return byte
            }
        }

        private func cast<T>(_ type: T.Type) -> T {
            guard let typed = value as? T else { fatalError("vector value is no \(type)") }
            return typed
        }
    }
}

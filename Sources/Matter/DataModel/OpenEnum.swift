package import Base

/// The numbers that the specification gives a name in one place.
package protocol NamedNumber: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue: FixedWidthInteger & UnsignedInteger & TLVCodable & Sendable {}

/// A number from a list that later editions and makers extend: what is not known here is kept.
package struct OpenEnum<Known: NamedNumber>: RawRepresentable, Hashable, Sendable {
    package let rawValue: Known.RawValue

    package init(rawValue: Known.RawValue) { self.rawValue = rawValue }
    package init(_ known: Known) { rawValue = known.rawValue }

    package var known: Known? { Known(rawValue: rawValue) }

    package static func == (value: Self, known: Known) -> Bool {
        value.rawValue == known.rawValue
    }

    /// Lower-case words joined by dashes, or the number.
    package var name: String {
        known.map { ConsoleName.dashed("\($0)") } ?? String(rawValue)
    }
}

extension OpenEnum: TLVCodable {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        rawValue = try element.integer()
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.unsigned(UInt64(rawValue), tag: tag)
    }

    package var json: JSONValue { known == nil ? rawValue.json : .string(name) }

    /// A name in any spelling, or the number.
    @_semantics("optimize.sil.specialize.generic.never")
    package init(json: JSONValue) throws(TLVError) {
        guard case .string(let text) = json else {
            self.init(rawValue: try Known.RawValue(json: json))
            return
        }
        let named = Known.allCases.first { ConsoleName.matches("\($0)", text) }
        guard let named else { throw .outOfRange(tag: nil) }
        self.init(named)
    }
}

/// A set of flags; JSON has it as the number.
package protocol Bitmap: OptionSet, TLVCodable, Hashable, Sendable
where RawValue: FixedWidthInteger & UnsignedInteger & TLVCodable & Sendable {}

extension Bitmap {
    package init(
        from element: borrowing TLVElement, _ reader: inout TLVReader
    ) throws(TLVError) {
        self.init(rawValue: try element.integer())
    }

    @_lifetime(writer: copy writer)
    package func encode(_ writer: inout TLVWriter, tag: TLVTag) throws(TLVError) {
        try writer.unsigned(UInt64(rawValue), tag: tag)
    }

    package var json: JSONValue { rawValue.json }

    package init(json: JSONValue) throws(TLVError) {
        self.init(rawValue: try RawValue(json: json))
    }
}

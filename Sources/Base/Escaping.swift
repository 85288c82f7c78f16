/// Text of others made harmless to a terminal.

extension String {
    /// Everything that could steer a terminal or reorder a line is written as `\u{1B}`. What
    /// devices, the radio or the network say passes here before a person sees it.
    package var escapingControls: String {
        if unicodeScalars.allSatisfy(\.isPlain) { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isPlain {
                text.unicodeScalars.append(scalar)
            } else {
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Neither a control nor an invisible character that reorders, joins or breaks a line, nor
    /// one whose looks nobody knows.
    package var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
            .surrogate:
            false
        default: true
        }
    }
}

extension String {
    /// A word of a command line for bash or zsh that represents exactly this text: on one line, without invisible characters or
    /// characters that change how others appear.
    var asShellWord: String {
        if !isEmpty, Self.plainBytes.contains(allOf: self) { return self }
        let isHidden = unicodeScalars.contains(where: \.isHidden)
        var word = isHidden ? "$'" : "'"
        // A quotation mark and a combining accent are one Character, but two scalars.
        for scalar in unicodeScalars {
            word += isHidden ? scalar.escapedForShell : scalar == "'" ? #"'\''"# : String(scalar)
        }
        return word + "'"
    }

    /// These bytes are never special to a shell.
    private static let plainBytes = ByteSet(ByteSet.alphanumerics)
}

extension Unicode.Scalar {
    /// Whether it is a control character (including tabs, which trigger completion when pasted), a line break of any kind, or a
    /// format character, such as those that change the text direction.
    fileprivate var isHidden: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The character for `$'…'`. Special characters, and exclamation marks, which a shell's history may expand, are written as
    /// bytes, since the meaning of `\u` depends on the locale.
    fileprivate var escapedForShell: String {
        switch self {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        case "\\": #"\\"#
        case "'", "!": bytes
        default: isHidden ? bytes : String(self)
        }
    }

    private var bytes: String {
        String(self).utf8.reduce("") { $0 + ($1 < 16 ? #"\x0"# : #"\x"#) + String($1, radix: 16, uppercase: true) }
    }
}

extension String {
    /// A word of a command line for bash or zsh that represents exactly this text: on one line, without invisible characters or
    /// characters that change how others appear.
    var asShellWord: String {
        // By scalars: a quotation mark and a combining accent are one Character.
        if unicodeScalars.contains(where: \.isHidden) {
            return "$'" + unicodeScalars.map(\.escapedForShell).joined() + "'"
        }
        if !isEmpty, utf8.allSatisfy(Self.plainBytes.contains) { return self }
        return "'" + unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }

    /// These bytes are never special to a shell.
    private static let plainBytes = ByteSet(ByteSet.alphanumerics)
}

extension Unicode.Scalar {
    /// Whether it is a control character (including tabs, which trigger completion when pasted), a line break of any kind, or a
    /// format character, such as those that change the text direction.
    fileprivate var isHidden: Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
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
        String(self).utf8.map { #"\x"# + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}

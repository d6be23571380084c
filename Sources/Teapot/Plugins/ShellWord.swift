internal import Foundation

/// A word of a command line for bash or zsh that stands for exactly one text.
struct ShellWord {
    /// How it is written: on one line, without characters that are not seen, or that change how others are seen.
    let text: String

    init(_ text: String) {
        // By scalars: a quotation mark and a combining accent are one Character.
        let scalars = text.unicodeScalars
        if scalars.contains(where: Self.isHidden) {
            self.text = "$'" + scalars.map(Self.escaped).joined() + "'"
        } else if !text.isEmpty, text.utf8.allSatisfy(Self.plainBytes.contains) {
            self.text = text
        } else {
            self.text = "'" + scalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
        }
    }

    /// Nothing in these is special to a shell, wherever they stand.
    private static let plainBytes = ByteSet(ByteSet.alphanumerics)

    /// Control characters (a tab among them, with which a shell completes names as it is pasted), line breaks of all kinds,
    /// and formats, such as those that change the direction of writing.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// In `$'…'`. What is special there or, as an exclamation mark can be, to the history of a shell is written as bytes, since
    /// what `\u` means depends on the user's language.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        case "\\": #"\\"#
        case "'", "!": bytes(scalar)
        default: isHidden(scalar) ? bytes(scalar) : String(scalar)
        }
    }

    private static func bytes(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf8.map { #"\x"# + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}

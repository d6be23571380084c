import Foundation

/// Unbuffered standard output: lines and, on a terminal, a last line that changes in place.
enum Terminal {
    /// Whether standard output is a terminal.
    static let isInteractive = isatty(STDOUT_FILENO) == 1

    enum Style: Int {
        case bold = 1
        case red = 31
        case green = 32
    }

    /// Whether text is styled; <https://no-color.org>.
    private static let isStyled =
        isInteractive && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// The text in a style on a terminal, and the plain text elsewhere.
    static func styled(_ text: String, _ style: Style) -> String {
        isStyled ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Prints a line, which replaces that of ``update(_:)``.
    static func print(_ line: String) {
        write((isInteractive ? clearing : "") + line + "\n")
    }

    /// Shows a text in the last line until the next call; does nothing if standard output is not a terminal.
    static func update(_ text: String) {
        if isInteractive { write(clearing + text) }
    }

    /// Moves to the first column and clears the line (ECMA-48).
    private static let clearing = "\r\u{1B}[K"

    private static func write(_ text: String) {
        // If the terminal has been closed, the program must not trap.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

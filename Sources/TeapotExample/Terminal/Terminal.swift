import Foundation

/// Standard output, written to at once: lines, and, if it is a terminal, a last line that changes in place.
enum Terminal {
    /// Whether somebody looks on, and no file or pipe takes it down.
    static let isInteractive = isatty(STDOUT_FILENO) == 1

    /// Prints a line, in place of what ``update(_:)`` has shown.
    static func print(_ line: String) {
        write((isInteractive ? clearing : "") + line + "\n")
    }

    /// Shows a text in the last line, until the next one; nothing if it is no terminal.
    static func update(_ text: String) {
        if isInteractive { write(clearing + text) }
    }

    /// To the first column, and clear what stands there (ECMA-48).
    private static let clearing = "\r\u{1B}[K"

    private static func write(_ text: String) {
        // A terminal that is gone is no reason to end in a trap.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

import Foundation

/// The line on standard error that says how far the benchmark is; nothing if that is no terminal.
enum ProgressLine {
    private static let isShown = isatty(STDERR_FILENO) == 1
    /// To the first column, and clear what stands there (ECMA-48).
    private static let clearing = "\r\u{1B}[K"

    static func show(_ text: String) {
        write(clearing + text)
    }

    static func clear() {
        write(clearing)
    }

    private static func write(_ text: String) {
        // A terminal that is gone is no reason to end.
        if isShown { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
    }
}

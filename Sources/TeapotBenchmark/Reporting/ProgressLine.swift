import Foundation
import Teapot

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

extension Error {
    /// The error and its place, on one line.
    var explanation: String {
        if let error = self as? TeapotError {
            return ([error.description] + (error.underlyingError.map { [$0.explanation] } ?? [])).joined(separator: " ")
        }
        // Of Foundation's own errors the description is a dump.
        let isFoundations = self is URLError || self is CocoaError || type(of: self) == NSError.self
        return (isFoundations ? localizedDescription : "\(self)").split(whereSeparator: \.isNewline).joined(
            separator: " "
        )
    }
}

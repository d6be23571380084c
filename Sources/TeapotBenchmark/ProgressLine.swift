import Foundation
import Teapot

/// Shows the progress of the benchmark on one line of standard error, if that is a terminal.
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
        // A closed terminal does not end the benchmark.
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

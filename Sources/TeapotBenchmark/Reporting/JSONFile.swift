import Foundation

/// The file of `--json`.
enum JSONFile {
    /// Writes a report, in place of what is there.
    ///
    /// - Throws: When the file cannot be written.
    static func write(_ report: some Encodable, to path: String?) throws {
        guard let path else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // What was spent can be too little to be seen.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinite",
            negativeInfinity: "-infinite",
            nan: "unknown"
        )
        do {
            try (encoder.encode(report) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CaseFailure("\(path) cannot be written: \(error.explanation)")
        }
    }
}

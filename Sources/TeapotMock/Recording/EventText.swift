import Teapot

/// Redacts an event stream. The data of an event is one text, also if it stands on several lines (HTML standard, section 9.2.6).
enum EventText {
    private typealias Line = (content: String, end: String)

    /// - Parameters:
    ///   - text: The event stream.
    ///   - redact: Redacts the data of an event, or another line; `nil` if secrets in it cannot be recognized.
    ///   - placeholder: Makes what stands in the place of such data.
    /// - Returns: The redacted stream. What holds no secret keeps its bytes.
    static func redacted(_ text: String, _ redact: (String) -> String?, else placeholder: (String) -> String) -> String
    {
        var (result, data) = ("", [Line]())
        for line in lines(of: text) + [("", "")] {
            if line.content.hasPrefix(field) {
                data.append(line)
                continue
            }
            result += redacted(data: data) { redact($0) ?? placeholder($0) }
            result += (redact(line.content) ?? placeholder(line.content)) + line.end
            data = []
        }
        return result
    }

    private static func redacted(data lines: [Line], _ redact: (String) -> String) -> String {
        let parts = lines.map { line in
            let value = line.content.trimmingPrefix(field).trimmingPrefix(" ")
            return (start: line.content.dropLast(value.count), value: value, end: line.end)
        }
        guard let last = parts.last else { return "" }
        let text = parts.map(\.value).joined(separator: "\n")
        let new = redact(text)
        guard new != text else { return lines.map { $0.content + $0.end }.joined() }
        // A value that was replaced may have had several lines.
        let values = new.split(separator: "\n", omittingEmptySubsequences: false)
        let others = zip(parts, values.dropLast()).map { $0.start + $1 + $0.end }
        return others.joined() + last.start + (values.last ?? "") + last.end
    }

    private static let field = "data:"

    /// The lines, which end in CR LF, LF or CR.
    private static func lines(of text: String) -> [Line] {
        var (lines, rest) = ([Line](), text.utf8[...])
        while !rest.isEmpty {
            let content = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            let end = rest[content.endIndex...].starts(with: [0x0D, 0x0A]) ? 2 : 1
            rest = rest[content.endIndex...]
            lines.append((String(Substring(content)), String(Substring(rest.prefix(end)))))
            rest = rest.dropFirst(end)
        }
        return lines
    }
}

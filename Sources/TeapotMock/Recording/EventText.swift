import Teapot

/// Redacts an event stream. The data of an event is one text, also if it stands on several lines (HTML standard, section 9.2.6).
enum EventText {
    private typealias Line = (content: String, end: String)

    /// The redacted stream, in which lines without a secret keep their bytes. `redact` takes the data of an event, or
    /// another line. If it returns `nil`, since secrets cannot be recognized there, `replace` makes a placeholder for
    /// all of it.
    static func redacted(_ text: String, _ redact: (String) -> String?, else replace: (String) -> String) -> String {
        var (result, event) = ("", [Line]())
        for line in lines(of: text) {
            event.append(line)
            // Only an empty line ends an event.
            guard line.content.isEmpty else { continue }
            result += redacted(event) { redact($0) ?? replace($0) }
            event = []
        }
        return result
    }

    private static func redacted(_ event: [Line], _ redact: (String) -> String) -> String {
        var data: [String] = []
        for line in event where isData(line) {
            let value = line.content.dropFirst(field.count)
            data.append(String(value.first == " " ? value.dropFirst() : value))
        }
        let text = data.joined(separator: "\n")
        let new = redact(text)
        // A value that was replaced may have had several lines.
        var values = new[...].parts(between: "\n", omittingEmpty: false)[...]
        var result = ""
        for line in event {
            if !isData(line) {
                result += redact(line.content) + line.end
            } else if new == text {
                result += line.content + line.end
            } else if let value = values.popFirst() {
                result += (line.content.hasPrefix(field + " ") ? field + " " : field) + value + line.end
            }
        }
        return result
    }

    private static let field = "data:"

    private static func isData(_ line: Line) -> Bool { line.content == "data" || line.content.hasPrefix(field) }

    /// The lines, which end in CR LF, LF or CR, and an empty one after the last.
    private static func lines(of text: String) -> [Line] {
        var (lines, rest) = ([Line](), text.utf8[...])
        while !rest.isEmpty {
            let content = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            rest = rest[content.endIndex...]
            let end = rest.prefix(rest.first == 0x0D && rest.dropFirst().first == 0x0A ? 2 : 1)
            rest = rest[end.endIndex...]
            lines.append((String(Substring(content)), String(Substring(end))))
        }
        lines.append(("", ""))
        return lines
    }
}

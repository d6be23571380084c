import Foundation

/// Redacts secrets in one text: the value of `name=value`, as in a query or a form, the user information of URLs, the members of JSON
/// wherever it begins, and known secrets. Redacting the result again changes nothing. Loops read through pointers, for debug builds.
struct TextRedactor {
    /// Shared by the redactors of a text, and of the strings in it.
    final class Context {
        let policy: SecretPolicy
        /// Makes what stands in the place of a secret; `nil` for ``SecretPolicy/replacement``.
        fileprivate let replacing: ((String) -> String)?
        /// The names that were looked up: many items and members have the same ones.
        fileprivate var names: [String: Bool] = [:]

        init(_ policy: SecretPolicy, replacing: ((String) -> String)?) {
            self.policy = policy
            self.replacing = replacing
        }
    }

    let context: Context
    let text: UnsafePointer<UInt8>
    let count: Int
    /// The number of strings around the text, each of which is JSON.
    let depth: Int
    /// The places of known secrets, and the number of those before the last token of JSON.
    let known: [Range<Int>]
    var passed = 0
    /// A part to replace, and the new text; `nil` for a known secret.
    typealias Part = (range: Range<Int>, text: String?)
    /// The parts to replace. But for known secrets, they are in order, and do not overlap.
    var edits: [Part] = []
    /// The end of the last part that was replaced or read as JSON. No name begins before it.
    private var replaced = 0
    /// No JSON begins before this position.
    var failed = 0
    /// The end of the last query of a URL.
    private var queryEnd = 0
    /// Whether everything that seems to be JSON is JSON, and nothing is a multipart form.
    var isReadable = true
    /// The position of the first visible byte of ASCII.
    private(set) lazy var first = first(of: Self.visible, from: 0)
    /// Whether the text is a request for a token in JSON, whose `code` is a secret.
    private(set) lazy var isTokenRequest = {
        let text = string(0..<count).lowercased().replacing("_", with: "")
        return ["granttype", "clientsecret", "codeverifier", "redirecturi"].contains { text.contains("\"\($0)\"") }
    }()

    /// - Returns: The text without its secrets; `nil` for a body that cannot be read but seems to be JSON, or has a secret member.
    static func redacted(_ text: String, in context: Context, isBody: Bool = false, depth: Int = 0) -> String? {
        var copy = text
        return copy.withUTF8 { bytes in
            guard let start = bytes.baseAddress, context.policy != .off else { return text }
            let known = context.policy.known?.compiled.ranges(in: bytes) ?? []
            var redactor = TextRedactor(context: context, text: start, count: bytes.count, depth: depth, known: known)
            redactor.redact()
            guard redactor.isReadable || !isBody else { return nil }
            return redactor.edits.isEmpty && known.isEmpty ? text : redactor.result
        }
    }

    private mutating func redact() {
        let (text, marks, count) = (text, Self.marks, count)
        var position = marks.first(in: text, from: 0, to: count)
        while position < count {
            switch text[position] {
            case UInt8(ascii: "?"): if position >= queryEnd { queryEnd = first(of: Self.urlEnds, from: position) }
            case UInt8(ascii: "="): replace(value(after: position))
            case UInt8(ascii: "/"): replace(userInformation(at: position))
            case UInt8(ascii: ":"):
                if isFormField(at: position) { isReadable = false }
                replace(member(at: position), isMember: true)
            default: replaced = redactJSON(at: position) ?? replaced
            }
            position = marks.first(in: text, from: max(position + 1, replaced), to: count)
        }
    }

    private mutating func replace(_ range: Range<Int>?, isMember: Bool = false) {
        guard let range else { return }
        if isMember { isReadable = false }
        let value = string(range).trimmingCharacters(in: ["\"", "'"])
        let new = replacement(of: value)
        // A part of it may be a known secret.
        guard new != value else { return }
        edits.append((range, new))
        replaced = range.upperBound
    }

    private var result: String {
        let parts = known.isEmpty ? edits : Self.joined(edits + known[passed...].map { ($0, nil) })
        var (result, done) = ([UInt8](), 0)
        result.reserveCapacity(count)
        for (range, new) in parts {
            result.append(contentsOf: UnsafeBufferPointer(start: text + done, count: range.lowerBound - done))
            result.append(contentsOf: (new ?? replacement(ofPart: string(range))).utf8)
            done = range.upperBound
        }
        result.append(contentsOf: UnsafeBufferPointer(start: text + done, count: count - done))
        return String(decoding: result, as: UTF8.self)
    }

    /// The parts in order. Those that overlap are one, to be replaced as a whole.
    static func joined(_ parts: [Part]) -> [Part] {
        var joined: [Part] = []
        for part in parts.sorted(byPlace: { parts[$0].range.lowerBound < parts[$1].range.lowerBound }) {
            if let last = joined.last?.range, part.range.lowerBound < last.upperBound {
                guard part.range.upperBound > last.upperBound else { continue }
                joined[joined.count - 1] = (last.lowerBound..<part.range.upperBound, nil)
            } else {
                joined.append(part)
            }
        }
        return joined
    }

    /// A string replaces an object, an array or a string of JSON.
    private func replacement(ofPart part: String) -> String {
        let ends = String(decoding: [part.utf8.first ?? 0, part.utf8.last ?? 0], as: UTF8.self)
        return replacement(of: part, isQuoted: part.utf8.count > 1 && ["{}", "[]", "\"\""].contains(ends))
    }

    /// The text that replaces a secret; in quotation marks, for a value of JSON.
    func replacement(of secret: String, isQuoted: Bool = false) -> String {
        let replacement = context.replacing?(secret) ?? SecretPolicy.replacement
        return isQuoted ? "\"\(replacement)\"" : replacement
    }

    func isSecret(_ name: String) -> Bool {
        if let isSecret = context.names[name] { return isSecret }
        let isSecret = context.policy.isSecret(Self.decoded(name))
        if context.names.count < 256 { context.names[name] = isSecret }
        return isSecret
    }

    /// Whether a name is a secret of a query or a form only, and stands there, not in a sentence: `exit code=1`.
    private func isSecretItem(_ name: Range<Int>, with value: Int) -> Bool {
        // `ticket`, percent-encoded, has 18 bytes.
        let decoded = name.count <= 18 ? Self.decoded(string(name)).lowercased() : ""
        guard SecretName.items.contains(decoded), context.policy.isSecret(decoded, in: .item) else { return false }
        if name.lowerBound < queryEnd || decoded == "key" { return name.lowerBound < queryEnd }
        let before = self[name.lowerBound - 1] ?? 0x20
        // As in `UMA realm="a", ticket="b"`.
        let isParameter = decoded == "ticket" && self[value] == UInt8(ascii: "\"") && Self.listStarts.contains(before)
        if isParameter || Self.itemStarts.contains(before) { return true }
        // The first item of a form. Its end is looked for once, as a word ends where another can begin.
        guard Self.formEnds.contains(before) else { return false }
        let end = first(of: Self.formEnds, from: value)
        return end < count ? text[end] == UInt8(ascii: "&") : name.lowerBound == 0
    }

    private static func decoded(_ name: String) -> String {
        name.utf8.contains(0x25) ? name.removingPercentEncoding ?? name : name
    }

    /// `token=value`, `token="a value"`, and, with blanks around the equals sign, `token = a value` to the end of its line. The name may
    /// be in quotation marks, and the sign an arrow: `"token" => "a value"`.
    private func value(after sign: Int) -> Range<Int>? {
        let (text, nameBytes, first) = (text, Self.nameBytes, max(replaced, sign - Self.maximumNameLength))
        var nameEnd = sign
        while nameEnd > first, FieldScanner.blanks.contains(text[nameEnd - 1]) { nameEnd -= 1 }
        let quote = nameEnd > first && Self.quotationMarks.contains(text[nameEnd - 1]) ? 1 : 0
        nameEnd -= quote
        var name = nameEnd
        while name > first, nameBytes.contains(text[name - 1]) || text[name - 1] > 0x7F { name -= 1 }
        var value = sign + (self[sign + 1] == UInt8(ascii: ">") ? 2 : 1)
        guard name < nameEnd, quote == 0 || name > first && text[name - 1] == text[nameEnd],
            isSecret(string(name..<nameEnd)) || isSecretItem(name..<nameEnd, with: value)
        else { return nil }
        let afterSign = value
        while let byte = self[value], FieldScanner.blanks.contains(byte) { value += 1 }
        let isSpaced = nameEnd + quote < sign || afterSign < value
        // It is compared, or was replaced.
        if isSpaced, self[value] == UInt8(ascii: "=") { return nil }
        if string(value..<min(value + 10, count)) == SecretPolicy.replacement { return nil }
        var end = value
        switch self[value] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): end = endOfQuotes(at: value)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var scanner = JSONScanner(text, value..<count)
            guard let json = scanner.takeValue() else { return value..<self.first(of: Self.lineEnds, from: value) }
            end = json.range.upperBound
        default: break
        }
        if isSpaced, end == value { return value..<self.first(of: Self.lineEnds, from: value) }
        end = self.first(of: Self.itemEnds, from: end)
        // In `token=a,pin="b c"`, the name of the second value is part of the first one.
        while end > value, self[end] == UInt8(ascii: "\""), self[end - 1] == UInt8(ascii: "=") {
            end = self.first(of: Self.itemEnds, from: endOfQuotes(at: end))
        }
        return value..<end
    }

    /// The end of text in quotation marks. A single one that is not closed in its line is an apostrophe.
    private func endOfQuotes(at start: Int) -> Int {
        let isDouble = text[start] == UInt8(ascii: "\"")
        let end = first(of: isDouble ? Self.quotes : Self.singleQuotes, from: start + 1)
        return isDouble || self[end] == UInt8(ascii: "'") ? min(end + 1, count) : start
    }

    /// `//user:password@host` (RFC 3986, section 3.2.1).
    private func userInformation(at slash: Int) -> Range<Int>? {
        guard self[slash + 1] == UInt8(ascii: "/") else { return nil }
        let start = slash + 2
        var at = first(of: Self.authorityEnds, from: start) - 1
        while at >= start, text[at] != UInt8(ascii: "@") { at -= 1 }
        return at < start ? nil : start..<at
    }

    /// `"token": "value"` in text that is not valid JSON, also in lines of an event. The value may end anywhere, so it takes the rest.
    private func member(at colon: Int) -> Range<Int>? {
        var (end, value) = (colon, colon + 1)
        while let byte = self[end - 1], ByteSet.blanks.contains(byte) { end -= 1 }
        guard let quote = self[end - 1], Self.quotationMarks.contains(quote) else { return nil }
        let first = max(replaced, end - 2 - Self.maximumNameLength)
        var start = end - 1
        while start > first, text[start - 1] != quote { start -= 1 }
        // In a string, JSON is escaped.
        let name = string(start..<end - 1).trimmingCharacters(in: ["\\"])
        guard start > first, !name.isEmpty, isSecret(name) else { return nil }
        while let byte = self[value], ByteSet.blanks.contains(byte) { value += 1 }
        if string(value..<min(value + 5, count)) == "data:" { value = self.first(of: Self.valueStarts, from: value) }
        return self[value].map(Self.valueStarts.contains) == true ? value..<count : nil
    }

    /// Whether a line begins with the field that names a part of a multipart form (RFC 7578, section 4.2): these names are not read.
    private func isFormField(at colon: Int) -> Bool {
        let start = colon - 19
        guard start >= 0, text[colon - 1] | 0x20 == UInt8(ascii: "n"), isLineEnd(start - 1) else { return false }
        return string(start..<colon).lowercased() == "content-disposition"
    }

    subscript(position: Int) -> UInt8? { position >= 0 && position < count ? text[position] : nil }
    func isLineEnd(_ position: Int) -> Bool { self[position].map { $0 < 0x20 } ?? true }

    @inline(never) func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(start: text + range.lowerBound, count: range.count), as: UTF8.self)
    }

    func first(of set: ByteSet, from start: Int) -> Int { set.first(in: text, from: min(start, count), to: count) }

    private static let maximumNameLength = 128
    static let marks = ByteSet("?=/:{[\"")
    private static let visible = ByteSet(ByteSet.alphanumerics + "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\u{7F}")
    private static let nameBytes = ByteSet(ByteSet.alphanumerics + "_-.$[]%")
    private static let itemEnds = ByteSet("&# \t\r\n\"<>")
    private static let itemStarts = ByteSet("?&#;")
    private static let listStarts = ByteSet(" \t,")
    private static let formEnds = ByteSet(" \t\r\n\"'&")
    private static let lineEnds = ByteSet("&\r\n")
    private static let quotationMarks = ByteSet("\"'")
    private static let quotes = ByteSet("\"")
    private static let singleQuotes = ByteSet("'\r\n")
    private static let urlEnds = ByteSet(" \t\r\n\"<>")
    private static let authorityEnds = ByteSet("/?# \t\r\n\"<>")
    private static let valueStarts = ByteSet("\"'\\{[-0123456789")
}

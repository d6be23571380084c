import Foundation

/// Redacts secrets in text: the value of `name=value`, as in a query or a form, the user information of URLs, the members of JSON
/// wherever it begins, and known secrets. Only this file finds items, user information, and members of JSON that is not valid.
///
/// Text that was redacted stays unchanged when it is redacted again. Loops read through pointers: in a debug build, the subscript
/// of an array takes longer than everything else.
struct TextRedactor {
    /// A text while it is redacted.
    struct Pass {
        let text: UnsafePointer<UInt8>
        /// The same bytes with blanks in place of what can stand between the lines of JSON: see ``JSONLines``.
        let json: UnsafePointer<UInt8>
        let count: Int
        /// Whether what begins like JSON must be JSON: in a body, unless it is a page, which may hold scripts.
        let isStrict: Bool
        /// The places of known secrets.
        let known: [Range<Int>]
        /// Read for each token: in a debug build, `isEmpty` takes longer than the rest.
        let hasKnown: Bool
        /// The number of those before the last token of JSON.
        var passed = 0
        /// The known secrets that are not part of a single token.
        var kept: [Range<Int>] = []
        /// The values to replace, by name or as JSON, in order, without overlaps.
        var edits: [Edit] = []
        /// The end of the last replaced value: no name begins before it.
        var replaced = 0
        /// The part before it is known not to begin JSON.
        var failed = 0
        /// The end of the last event of an event stream in which JSON was found.
        var event = 0
        /// The end of the last name that was looked for in a query, and whether it is in one.
        var query = (end: 0, isQuery: false)
        /// Whether no part of a body seems to be JSON but is not.
        var isReadable = true
        /// Whether the text is a request for a token in JSON, whose `code` is a secret.
        lazy var isTokenRequest = {
            let names = ["grant_type", "client_secret", "code_verifier", "redirect_uri"]
            let inCamelCase = ["grantType", "clientSecret", "codeVerifier", "redirectUri", "redirectURI"]
            let text = string(0..<count)
            return (names + inCamelCase).contains { text.contains("\"\($0)\"") }
        }()
    }

    /// What stands in the place of a part of the text; `nil` for a replacement of that part.
    typealias Edit = (range: Range<Int>, text: String?)

    let policy: SecretPolicy
    /// Makes what stands in the place of a secret; `nil` for ``SecretPolicy/replacement``.
    let replacing: ((String) -> String)?
    let search: SecretSearch?
    /// The names that were looked up: many items and members have the same ones.
    private var names: [String: Bool] = [:]
    /// The values that were replaced by their names, in order: without the quotation marks around them, and of JSON the strings
    /// and the numbers of 6 digits or more.
    var secrets: [String] = []
    /// The number of strings around the text, each of which is JSON.
    var depth = 0

    init(by policy: SecretPolicy, replacing: ((String) -> String)? = nil) {
        self.policy = policy
        self.replacing = replacing
        search = policy.known?.compiled
    }

    func replacement(of secret: String) -> String { replacing?(secret) ?? SecretPolicy.replacement }

    /// A string can stand in the place of an object, an array or a string of JSON.
    private func replacement(ofPart part: String) -> String {
        let isJSON = ["{}", "[]", "\"\""].contains { part.count > 1 && part.first == $0.first && part.last == $0.last }
        return isJSON ? jsonReplacement(of: part) : replacement(of: part)
    }

    /// A text without its secrets.
    mutating func redacted(_ text: String) -> String { redacted(text, isBody: false) ?? text }

    /// A body without its secrets; `nil` if it seems to be JSON, or contains a member with a secret name, but cannot be read.
    mutating func redacted(body: String) -> String? { redacted(body, isBody: true) }

    private mutating func redacted(_ text: String, isBody: Bool) -> String? {
        var copy = text
        return copy.withUTF8 { bytes in
            guard let edits = edits(in: bytes, isBody: isBody) else { return nil }
            return edits.isEmpty ? text : self.text(bytes, edits)
        }
    }

    /// The redacted form of a string of JSON without escapes; `nil` if it holds no secret.
    mutating func redacted(_ string: UnsafeBufferPointer<UInt8>, hasKnown: Bool) -> String? {
        guard let text = string.baseAddress else { return nil }
        let count = string.count
        if !hasKnown, Self.marks.first(in: text, from: 0, to: count) == count { return nil }
        let known = hasKnown ? search?.ranges(in: string) ?? [] : []
        var pass = Pass(text: text, json: text, count: count, isStrict: false, known: known, hasKnown: hasKnown)
        redactText(&pass)
        let edits = pass.allEdits
        return edits.isEmpty ? nil : self.text(string, edits)
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>, _ edits: [Edit]) -> String {
        var (result, done) = ([UInt8](), 0)
        result.reserveCapacity(bytes.count)
        for edit in edits {
            result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[done..<edit.range.lowerBound]))
            let new = edit.text ?? replacement(ofPart: String(decoding: bytes[edit.range], as: UTF8.self))
            result.append(contentsOf: new.utf8)
            done = edit.range.upperBound
        }
        result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[done...]))
        return String(decoding: result, as: UTF8.self)
    }

    /// `nil` for a body that cannot be read.
    private mutating func edits(in bytes: UnsafeBufferPointer<UInt8>, isBody: Bool) -> [Edit]? {
        guard let text = bytes.baseAddress, !bytes.isEmpty else { return [] }
        let lines = JSONLines(bytes)
        let isJSON = isBody && lines.beginsLikeJSON
        guard !isBody || isJSON || !lines.isMultipart else { return nil }
        return lines.bytes.withUnsafeBufferPointer { masked in
            let known = search?.ranges(in: bytes) ?? []
            var pass = Pass(
                text: text,
                json: masked.isEmpty ? text : masked.baseAddress ?? text,
                count: bytes.count,
                isStrict: isBody && !lines.isMarkup,
                known: known,
                hasKnown: !known.isEmpty
            )
            if isJSON {
                guard redactJSON(from: lines.start, to: pass.count, isAll: true, &pass).end != nil else { return nil }
            } else {
                redactText(&pass)
            }
            return pass.isReadable || !isBody ? pass.allEdits : nil
        }
    }

    private mutating func redactText(_ pass: inout Pass) {
        let (text, marks, count) = (pass.text, Self.marks, pass.count)
        var position = 0
        while true {
            position = marks.first(in: text, from: position, to: count)
            guard position < count else { break }
            let mark = position
            position += 1
            let secret: Range<Int>?
            switch text[mark] {
            case UInt8(ascii: "="): secret = value(after: mark, &pass)
            case UInt8(ascii: "/"): secret = userInformation(at: mark, &pass)
            case UInt8(ascii: ":"): secret = member(at: mark, &pass)
            default:
                if let end = redactJSON(in: mark, &pass) { position = end }
                continue
            }
            guard let secret, !pass.begins(with: SecretPolicy.replacement, at: secret.lowerBound) else { continue }
            var value = pass.string(secret)
            if text[mark] == UInt8(ascii: ":") {
                pass.isReadable = false
            } else {
                value = value.trimmingCharacters(in: ["\"", "'"])
                if !value.isEmpty { secrets.append(value) }
            }
            pass.edits.append((secret, replacement(of: value)))
            pass.replaced = secret.upperBound
            position = max(position, secret.upperBound)
        }
    }

    // MARK: - Names

    mutating func isSecret(_ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        policy.mayBeSecret(name, count)
            && isSecret(String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self))
    }

    mutating func isSecret(_ name: String) -> Bool {
        if let isSecret = names[name] { return isSecret }
        let isSecret = policy.isSecret(Self.decoded(name))
        if names.count < 256 { names[name] = isSecret }
        return isSecret
    }

    /// Whether a name that is no secret elsewhere is one of an item of a query or a form.
    private func isSecretItem(_ name: Range<Int>, with value: Int, _ pass: inout Pass) -> Bool {
        let (text, count) = (pass.text + name.lowerBound, name.count)
        guard policy.isOn, policy.mayBeSecret(text, count), count <= Self.maximumItemNameLength else { return false }
        let decoded = Self.decoded(pass.string(name)).lowercased()
        guard !policy.isException(decoded) else { return false }
        if decoded == "key" { return pass.isInQuery(at: name.lowerBound) }
        return SecretName.isSecretItem(decoded)
            && (pass.isItem(at: name.lowerBound, value) || pass.isTicket(name.lowerBound, count, value))
    }

    private static func decoded(_ name: String) -> String {
        name.utf8.contains(0x25) ? name.removingPercentEncoding ?? name : name
    }

    /// `token=value`, `token="a value"`, and, with blanks around the equals sign, `token = a value` to the end of its line. The name may
    /// be in quotation marks, and the sign an arrow: `"token" => "a value"`.
    private mutating func value(after equalsSign: Int, _ pass: inout Pass) -> Range<Int>? {
        let first = max(pass.replaced, equalsSign - Self.maximumNameLength)
        let nameBytes = Self.nameBytes
        var nameEnd = equalsSign
        while nameEnd > first, Self.spaces.contains(pass.text[nameEnd - 1]) { nameEnd -= 1 }
        let quote = nameEnd > first && Self.quotationMarks.contains(pass.text[nameEnd - 1]) ? 1 : 0
        nameEnd -= quote
        var name = nameEnd
        while name > first, nameBytes.contains(pass.text[name - 1]) || pass.text[name - 1] > 0x7F { name -= 1 }
        let (text, count) = (pass.text + name, nameEnd - name)
        var value = equalsSign + (pass[equalsSign + 1] == UInt8(ascii: ">") ? 2 : 1)
        guard count > 0, quote == 0 || name > first && pass.text[name - 1] == pass.text[nameEnd],
            isSecret(text, count) || isSecretItem(name..<nameEnd, with: value, &pass)
        else {
            return nil
        }
        let isSpaced = pass.skipSpaces(to: &value, after: nameEnd + quote < equalsSign)
        // It is compared.
        if isSpaced, pass[value] == UInt8(ascii: "=") { return nil }
        var end = value
        if pass[value] == UInt8(ascii: "\"") || pass[value] == UInt8(ascii: "'") {
            end = pass.endOfQuotes(at: value)
        } else if pass[value].map(Self.containers.contains) == true {
            var scanner = JSONScanner(pass.json, value..<pass.count)
            guard let close = takeSecret(&scanner)?.upperBound else {
                return value..<pass.first(of: Self.lineEnds, from: value)
            }
            end = close
        }
        if isSpaced, end == value { return value..<pass.first(of: Self.lineEnds, from: value) }
        end = pass.first(of: Self.itemEnds, from: end)
        // In `token=a,pin="b c"`, the name of the second value is part of the first one.
        while end > value, pass[end] == UInt8(ascii: "\""), pass[end - 1] == UInt8(ascii: "=") {
            end = pass.first(of: Self.itemEnds, from: pass.endOfQuotes(at: end))
        }
        return value..<end
    }

    /// `//user:password@host` (RFC 3986, section 3.2.1).
    private func userInformation(at slash: Int, _ pass: inout Pass) -> Range<Int>? {
        guard slash + 1 < pass.count, pass.text[slash + 1] == UInt8(ascii: "/") else { return nil }
        let start = slash + 2
        var at = pass.first(of: Self.authorityEnds, from: start) - 1
        while at >= start, pass.text[at] != UInt8(ascii: "@") { at -= 1 }
        return at < start ? nil : start..<at
    }

    /// `"token": "value"` in text that is not valid JSON. A value whose end is not known takes the rest of the text.
    private mutating func member(at colon: Int, _ pass: inout Pass) -> Range<Int>? {
        var end = colon
        while end > 0, pass.json[end - 1] <= 0x20, Self.blanks.contains(pass.json[end - 1]) { end -= 1 }
        guard end > 0 else { return nil }
        let quote = pass.text[end - 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let last = max(pass.replaced, end - 2 - Self.maximumNameLength)
        var start = end - 1
        while start > last, pass.text[start - 1] != quote { start -= 1 }
        guard start > last, start < end - 1 else { return nil }
        let name = pass.string(start..<end - 1)
        // In a string, JSON is escaped.
        guard isSecret(name.last == "\\" ? String(name.prefix { $0 != "\\" }) : name) else { return nil }
        var value = colon + 1
        while value < pass.count, Self.blanks.contains(pass.json[value]) { value += 1 }
        guard let begin = pass[value], Self.valueStarts.contains(begin) else { return nil }
        let isString = begin == UInt8(ascii: "\"")
        var scanner = JSONScanner(pass.json, value..<pass.count)
        guard let range = takeSecret(&scanner) else { return (isString ? value + 1 : value)..<pass.count }
        // `12ab` is two tokens.
        end = pass.first(of: Self.memberEnds, from: range.upperBound)
        guard isString else { return range.lowerBound..<end }
        return range.lowerBound + 1..<(end == range.upperBound ? end - 1 : end)
    }

    private static let maximumNameLength = 128
    /// `ticket`, percent-encoded.
    private static let maximumItemNameLength = 18
    private static let marks = ByteSet("=/:{[\"")
    private static let nameBytes = ByteSet(ByteSet.alphanumerics + "_-.$[]%")
    private static let containers = ByteSet("{[")
    private static let itemEnds = ByteSet("&# \t\r\n\"<>")
    private static let lineEnds = ByteSet("&\r\n")
    static let spaces = ByteSet(" \t")
    fileprivate static let parameterStarts = ByteSet(" \t,")
    private static let quotationMarks = ByteSet("\"'")
    private static let memberEnds = ByteSet(",;}])&<> \t\r\n")
    fileprivate static let urlEnds = ByteSet(" \t\r\n\"<>")
    private static let authorityEnds = ByteSet("/?# \t\r\n\"<>")
    private static let valueStarts = ByteSet("\"'\\{[-0123456789")
    static let blanks = ByteSet(" \t\r\n")
}

extension TextRedactor.Pass {
    /// The values to replace, with the known secrets that are not part of it.
    var allEdits: [TextRedactor.Edit] {
        guard !kept.isEmpty || passed < known.count else { return edits }
        let all = edits + (kept + known[passed...]).map { ($0, nil) }
        var merged: [TextRedactor.Edit] = []
        for edit in all.sorted(byNumber: \.range.lowerBound) {
            guard let last = merged.last, edit.range.lowerBound < last.range.upperBound else {
                merged.append(edit)
                continue
            }
            let (start, end) = (last.range.lowerBound, edit.range.upperBound)
            guard end > last.range.upperBound else { continue }
            merged[merged.count - 1] = (start..<end, start == edit.range.lowerBound ? edit.text : nil)
        }
        return merged
    }

    /// Passes the known secrets up to the end of a token of JSON, and keeps those that begin before it.
    /// - Returns: The first one that is at least partly in it.
    mutating func passKnown(in token: JSONScanner.Token) -> Range<Int>? {
        guard hasKnown, passed < known.count || !kept.isEmpty else { return nil }
        while passed < known.count, known[passed].lowerBound < token.start {
            kept.append(known[passed])
            passed += 1
        }
        var first = kept.last.flatMap { $0.upperBound > token.start ? $0 : nil }
        if passed < known.count, known[passed].lowerBound < token.end { first = first ?? known[passed] }
        while passed < known.count, known[passed].upperBound <= token.end { passed += 1 }
        return first
    }

    /// `nil` outside of the text.
    subscript(position: Int) -> UInt8? { position >= 0 && position < count ? text[position] : nil }

    func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(start: text + range.lowerBound, count: range.count), as: UTF8.self)
    }

    /// Whether a name before a value is that of an item of a query or a form, not one in a sentence: `exit code=1`.
    func isItem(at name: Int, _ value: Int) -> Bool {
        let before = self[name - 1]
        if let before, Self.itemStarts.contains(before) { return true }
        // The first item of a form. Its end is looked for once, as a word ends where another can begin.
        guard before.map(Self.formStarts.contains) ?? true else { return false }
        let end = first(of: Self.formEnds, from: value)
        return end < count ? text[end] == UInt8(ascii: "&") : before == nil
    }

    /// Whether a name is that of an item of a URL's query: a question mark stands before it, and no blank between.
    mutating func isInQuery(at name: Int) -> Bool {
        guard let before = self[name - 1], before == UInt8(ascii: "?") || before == UInt8(ascii: "&") else { return false }
        var (position, isQuery) = (name - 1, false)
        while position >= query.end, !isQuery, !TextRedactor.urlEnds.contains(text[position]) {
            isQuery = text[position] == UInt8(ascii: "?")
            position -= 1
        }
        query = (name, isQuery || position < query.end && query.isQuery)
        return query.isQuery
    }

    /// Whether a name is that of a ticket in a list of parameters, as in `UMA realm="a", ticket="b"`.
    func isTicket(_ name: Int, _ count: Int, _ value: Int) -> Bool {
        count == 6 && self[value] == UInt8(ascii: "\"")
            && self[name - 1].map(TextRedactor.parameterStarts.contains) == true
    }

    private static let itemStarts = ByteSet("?&#;")
    private static let formStarts = ByteSet(" \t\r\n\"'")
    private static let formEnds = ByteSet(" \t\r\n\"'&")

    /// The position of the first byte of a set; the end without one.
    func first(of set: ByteSet, from start: Int) -> Int { set.first(in: text, from: min(start, count), to: count) }

    /// The end of text in quotation marks. A single one that is not closed in its line is an apostrophe.
    func endOfQuotes(at start: Int) -> Int {
        guard text[start] == UInt8(ascii: "'") else { return min(first(of: Self.quotes, from: start + 1) + 1, count) }
        let end = first(of: Self.singleQuotes, from: start + 1)
        return self[end] == UInt8(ascii: "'") ? end + 1 : start
    }

    private static let quotes = ByteSet("\"")
    private static let singleQuotes = ByteSet("'\r\n")

    /// Skips the blanks after an equals sign, unless another item, or nothing, follows in the line: `token= level=info`.
    /// - Returns: Whether there are blanks around the sign.
    func skipSpaces(to value: inout Int, after hasSpace: Bool) -> Bool {
        var next = value
        while let byte = self[next], TextRedactor.spaces.contains(byte) { next += 1 }
        guard next > value, !hasSpace else {
            value = next
            return hasSpace
        }
        let end = first(of: Self.wordEnds, from: next)
        guard end > next, self[end] != UInt8(ascii: "=") || self[end + 1].map(Self.wordEnds.contains) ?? true else {
            return false
        }
        value = next
        return true
    }

    private static let wordEnds = ByteSet("= \t\r\n")

    func begins(with word: String, at position: Int) -> Bool {
        count - position >= word.utf8.count && string(position..<position + word.utf8.count) == word
    }
}

/// Checks of header fields before Teapot sends them. Depending on how a field was set, FoundationNetworking drops it
/// silently, cuts it off at a NUL, or lets a line break through (and with it a second header field).
extension HeaderFieldRules {
    /// Checks the fields of a request, and removes a correct `Content-Length`: the transport writes its own. Throws as
    /// ``check(_:)``, and with both numbers if it is not the length of the body (RFC 9110, section 8.6).
    static func checked(_ fields: [String: String], bodyLength: Int?) throws(TeapotError) -> [String: String] {
        var name: String?
        for other in fields.keys where FieldName.isSame(other, "Content-Length") { name = min(other, name ?? other) }
        var others = fields
        if let name, let digits = others.removeValue(forKey: name)?.withoutOuterBlanks {
            let isNumber = !digits.isEmpty && ByteSet.digits.contains(allOf: digits)
            guard isNumber, Int(digits) == bodyLength else {
                let length = bodyLength.map { "\($0) bytes" } ?? "an unknown length"
                let flaw = isNumber ? " is \(digits.prefix(20)), but" : " is not a number;"
                throw .invalidHeaderField(reason: name + flaw + " the body has " + length)
            }
        }
        try check(others)
        return others
    }

    /// Checks a caller's fields. Throws `invalidHeaderField` with a name and a rule, never a value: it may be a secret.
    static func check(_ fields: [String: String]) throws(TeapotError) {
        var seen: Set<String> = []
        // Sorted for the same error each time, whatever the order of the dictionary.
        for (name, value) in fields.sortedFields {
            if !isToken(name) { throw .invalidHeaderField(reason: flawOfName(name)) }
            // A wrong length from a caller would corrupt the connection for the next request on it.
            if FieldName.isSame(name, "Content-Length") || FieldName.isSame(name, "Transfer-Encoding") {
                throw .invalidHeaderField(reason: name + " is set by the transport")
            }
            if fields.count > 1, !seen.insert(name.lowercased()).inserted {
                throw .invalidHeaderField(reason: name + " is given twice, in different capitalization")
            }
            if !isValue(value) {
                throw .invalidHeaderField(reason: "the value of " + name + " contains a line break or a NUL")
            }
        }
    }

    private static func flawOfName(_ name: String) -> String {
        guard !name.isEmpty else { return "a name is empty" }
        // Only the beginning is shown, in case name and value, a secret, were swapped.
        let beginning = name.prefix { $0.utf8.allSatisfy(tokenBytes.contains) }.prefix(16)
        let which = beginning.isEmpty ? "with a character that is not allowed" : "with \"" + beginning + "\""
        return "the name that begins " + which + " is not a token"
    }
}

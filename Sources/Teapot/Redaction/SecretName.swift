/// Decides which names are those of secrets. Only this type knows words; the others ask it, through ``SecretPolicy``.
///
/// A name is split into words at capitals, digits and all other characters that are not letters: `accessToken`, `ACCESS_TOKEN`
/// and `access-token` have the same two words. It is secret if it contains a term of one or more adjacent words, in the
/// singular or the plural, or a word that ends in such a term, such as `mytoken`.
enum SecretName {
    static func isSecret(_ name: String) -> Bool {
        var name = name
        guard name.withUTF8({ bytes in bytes.baseAddress.map { mayContainTerm($0, bytes.count) } }) == true else {
            return false
        }
        let words = words(of: name)
        guard !words.isEmpty else { return false }
        if let last = lastTerm(in: words) {
            // `token_type`, `password_length` and `token_expires_in` describe a secret, and so does `token_type_hint`.
            var rest = words[last.upperBound...]
            if rest.count > 1, rest.last == "hint" { rest.removeLast() }
            let isAbout = !rest.isEmpty && rest.allSatisfy(attributes.contains)
            return !isAbout && !isCount(words, last)
        }
        return isKey(words) || isLastTerm(words) || name.contains("-") && isLastOfField(words)
    }

    /// Whether a name that is no secret elsewhere is one of a query or a form: the `code` of a grant (RFC 6749, section 4.1.2).
    static func isSecretItem(_ name: String) -> Bool { ["code", "ticket"].contains(name.lowercased()) }

    /// Whether a name that is no secret elsewhere is one of a header field: a signature (`SIGN`, `CB-ACCESS-SIGN`), a ticket.
    static func isSecretField(_ name: String) -> Bool { isLastOfField(words(of: name)) }

    private static func isLastOfField(_ words: [String]) -> Bool {
        // Of `X-Sign-V2` and `X-Sign-SHA256`.
        let last = words.last { !$0.allSatisfy(\.isNumber) && $0 != "v" && $0 != "sha" } ?? ""
        return ["sign", "ticket"].contains(last) || ["apisign", "accesssign"].contains(where: last.hasSuffix)
    }

    /// Whether a name ends in a term that is a secret only there: `assertion`, but not `assertion_method`.
    private static func isLastTerm(_ words: [String]) -> Bool {
        let words = words.last?.allSatisfy(\.isNumber) == true ? words.dropLast() : words[...]
        return (1...3).contains { isTerm(words.suffix($0).joined(), of: lastTerms) }
    }

    /// The words of a name in lower case.
    private static func words(of name: String) -> [String] {
        let characters = Array(name)
        var words = [""]
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                words.append("")
                continue
            }
            let before = characters[..<index].suffix(2)
            let endsAcronym = before.count == 2 && before.allSatisfy(\.isUppercase)
            let isFollowedByLowercase = characters[index...].dropFirst().first?.isLowercase == true
            let isCapital =
                character.isUppercase && (before.last?.isLowercase == true || endsAcronym && isFollowedByLowercase)
            if isCapital || before.last.map({ $0.isNumber != character.isNumber }) == true { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words.filter { !$0.isEmpty }
    }

    private static func lastTerm(in words: [String]) -> Range<Int>? {
        for end in stride(from: words.count, to: 0, by: -1) {
            for start in max(end - 3, 0)..<end {
                let text = words[start..<end].joined()
                if isTerm(text) || start == end - 1 && isCompound(text) { return start..<end }
            }
        }
        return nil
    }

    private static func isTerm(_ text: String, of terms: Set<String> = terms) -> Bool {
        terms.contains(text)
            || text.hasSuffix("s") && !harmlessPlurals.contains(text) && terms.contains(String(text.dropLast()))
    }

    /// Whether a single word ends in a term, or contains one that has no other meaning.
    private static func isCompound(_ word: String) -> Bool {
        guard word.utf8.count > 6, !word.hasPrefix("passwordless") else { return false }
        let singular = word.hasSuffix("s") ? word.dropLast() : word[...]
        return endings.contains { singular.hasSuffix($0) } || unmistakable.contains { word.contains($0) }
    }

    /// Whether a name is that of a cryptographic or access key.
    private static func isKey(_ words: [String]) -> Bool {
        let isNumbered = words.count > 2 && words.last?.allSatisfy(\.isNumber) == true
        let words = isNumbered ? words.dropLast() : words[...]
        return words.last == "key" && !harmlessKeys.contains(words.dropLast().last ?? "")
    }

    /// Whether a name is a number of tokens, as language models count them.
    private static func isCount(_ words: [String], _ term: Range<Int>) -> Bool {
        guard words[term].joined() == "tokens" else { return false }
        let (before, after) = (words[..<term.lowerBound].last ?? "", words[term.upperBound...].first ?? "")
        return counts.contains(before) || counts.contains(after)
    }

    /// Whether the letters of a name contain the first three of a term: most names do not, and need no more time.
    static func mayContainTerm(_ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let beginnings = beginnings
        var (key, position) = (0, 0)
        while position < count {
            let byte = name[position]
            // Other letters may be those of a term in lower case: the Kelvin sign is a `k`. So may be an encoded one.
            if byte > 0x7F || byte == 0x25 { return true }
            position += 1
            let letter = byte | 0x20
            guard letter >= 0x61, letter <= 0x7A else { continue }
            key = (key &<< 5 | Int(truncatingIfNeeded: letter & 0x1F)) & 0x7FFF
            if beginnings[key] { return true }
        }
        return false
    }

    /// Whether three letters, of five bits each, begin a term. A pointer, as in a debug build all else takes much longer.
    nonisolated(unsafe) private static let beginnings: UnsafePointer<Bool> = {
        let table = UnsafeMutablePointer<Bool>.allocate(capacity: 1 << 15)
        table.initialize(repeating: false, count: 1 << 15)
        for term in Array(terms.union(lastTerms)) + endings + unmistakable + ["key", "sign", "ticket"] {
            table[term.utf8.prefix(3).reduce(0) { $0 << 5 | Int($1 & 0x1F) }] = true
        }
        return UnsafePointer(table)
    }()

    private static let terms = Set(keys).union([
        "token", "jwt", "bearer", "secret", "password", "passwd", "passphrase", "passcode", "pass", "pwd", "pin", "otp",
        "totp", "auth", "authorization", "authentication", "credential", "signature", "sig", "session", "sid", "sessid",
        "cookie", "csrf", "xsrf", "sessionid", "codeverifier", "clientassertion", "authcode", "verificationcode",
        "recoverycode", "userpass", "dbpass", "hmac",
    ])
    /// Terms that are secrets only at the end of a name.
    private static let lastTerms: Set<String> = [
        "assertion", "samlresponse", "samlart", "dpop", "devicecode", "usercode", "facode", "mfacode", "factorcode",
        "smscode", "securitycode", "accesscode", "backupcode", "logincode", "onetimecode", "otpcode", "twofactorcode",
        "authorizationcode", "verifycode", "cvv", "cvc", "cvvcode", "cvccode", "cardnumber", "ccnumber",
        "creditcardnumber", "cardno", "cardcode", "wresult",
    ]
    /// Terms whose plural means something else.
    private static let harmlessPlurals: Set<String> = ["sessions", "pins", "assertions"]
    private static let endings =
        keys + ["token", "secret", "password", "passwd", "passphrase", "passcode", "credential", "sessid", "sessionid"]
    private static let keys = [
        "apikey", "appkey", "accesskey", "privatekey", "secretkey", "sessionkey", "authkey", "masterkey", "signingkey",
        "encryptionkey", "subscriptionkey", "licensekey", "sharedkey", "accountkey", "userkey", "clientkey",
    ]
    private static let unmistakable = [
        "password", "passwd", "passphrase", "apikey", "sessionid", "accesstoken", "refreshtoken", "clientsecret",
        "privatekey",
    ]
    /// Words before `key` that make it harmless.
    private static let harmlessKeys: Set<String> = [
        "idempotency", "primary", "foreign", "public", "cache", "partition", "sort", "row", "object", "translation",
    ]
    /// Last words of names that describe a secret.
    private static let attributes: Set<String> = [
        "type", "types", "name", "count", "length", "size", "limit", "expiry", "expires", "expire", "expired",
        "expiration", "in", "at", "on", "date", "time", "age", "ttl", "lifetime", "timeout", "endpoint", "endpoints",
        "method", "methods", "policy", "required", "enabled", "supported", "status", "version", "format", "algorithm",
        "algorithms", "alg", "min", "max",
    ]
    private static let counts: Set<String> = [
        "max", "min", "total", "prompt", "completion", "input", "output", "cached", "reasoning", "num", "number",
        "used",
    ]
}

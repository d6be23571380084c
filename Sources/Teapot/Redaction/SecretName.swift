/// Decides which names are those of secrets: of header fields, query items, form fields, members of JSON, attributes and elements of XML.
/// Only this type knows words; the others ask it, through ``SecretPolicy``.
///
/// A name is split into words at capitals, digits and all other characters that are not letters: `accessToken`, `ACCESS_TOKEN`
/// and `access-token` have the same two words. It is secret if it contains a term of one to three adjacent words, such as `token` or
/// `api key`, or a word that ends in one, such as `mytoken`, unless the other words say what else it is: a place in a list
/// (`page_token`), something about the secret (`token_type`, `has_password`), or several (`tokens`), which are counted, or have names
/// themselves.
enum SecretName {
    static func isSecret(_ name: String) -> Bool {
        var name = name
        guard name.withUTF8({ bytes in bytes.baseAddress.map { mayContainTerm($0, bytes.count) } }) == true else {
            return false
        }
        let words = words(of: name)
        guard words.count < 2 || !flags.contains(words[0]) else { return false }
        switch lastTerm(in: words) {
        case .secret(let end):
            // `token_type`, `password_length` and `token_expires_in` describe a secret, and so does `token_type_hint`.
            var rest = words[end...]
            if rest.count > 1, rest.last == "hint" { rest.removeLast() }
            return rest.isEmpty || !rest.allSatisfy(attributes.contains)
        case .harmless: return false
        case nil: return isLastTerm(words) || name.contains("-") && isSignature(words)
        }
    }

    /// Whether a name that is no secret elsewhere is one of a query: the `code` of a grant (RFC 6749, section 4.1.2), a ticket, a key.
    static func isSecretItem(_ name: String) -> Bool { ["code", "ticket", "key"].contains(name.lowercased()) }

    /// Whether a name that is no secret elsewhere is one of a header field: a signature (`SIGN`, `CB-ACCESS-SIGN`), a ticket, a key.
    static func isSecretField(_ name: String) -> Bool {
        let words = words(of: name).filter { !$0.allSatisfy(\.isNumber) }
        return isSignature(words) || words.last == "key" && !harmlessKeys.contains(words.dropLast().last ?? "")
    }

    private static func isSignature(_ words: [String]) -> Bool {
        // Of `X-Sign-V2` and `X-Sign-SHA256`.
        let last = words.last { !$0.allSatisfy(\.isNumber) && $0 != "v" && $0 != "sha" } ?? ""
        return ["sign", "ticket"].contains(last) || ["apisign", "accesssign"].contains(where: last.hasSuffix)
    }

    /// Whether a name ends in a term that is a secret only there: `assertion`, but not `assertion_method`.
    private static func isLastTerm(_ words: [String]) -> Bool {
        let words = words.last?.allSatisfy(\.isNumber) == true ? words.dropLast() : words[...]
        return (1...3).contains { count in
            let text = words.suffix(count).joined()
            return lastTerms.contains(text) || text.hasSuffix("codes") && lastTerms.contains(String(text.dropLast()))
        }
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

    private enum Term { case secret(end: Int), harmless }

    private static func lastTerm(in words: [String]) -> Term? {
        for end in stride(from: words.count, to: 0, by: -1) {
            for start in max(end - 3, 0)..<end {
                let text = words[start..<end].joined()
                let isWord = start == end - 1
                if terms.contains(text) || isWord && isCompound(text) {
                    let isPlace = text == "token" && start > 0 && places.contains(words[start - 1])
                    return isPlace ? .harmless : .secret(end: end)
                }
                guard text.hasSuffix("s") else { continue }
                let singular = String(text.dropLast())
                guard terms.contains(singular) || isWord && isCompound(singular) else { continue }
                // Codes are used up one by one.
                return text.hasSuffix("codes") ? .secret(end: end) : .harmless
            }
        }
        return nil
    }

    /// Whether a single word ends in a term, or contains one that has no other meaning.
    private static func isCompound(_ word: String) -> Bool {
        guard word.utf8.count > 6, !word.hasPrefix("passwordless"), !word.hasSuffix("s") else { return false }
        guard !word.hasSuffix("token") || !places.contains(String(word.dropLast(5))) else { return false }
        return endings.contains { word.hasSuffix($0) } || unmistakable.contains { word.contains($0) }
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
    private static let endings =
        keys + ["token", "secret", "password", "passwd", "passphrase", "passcode", "credential", "sessid", "sessionid"]
    /// Whose `key`, or what for, makes it a secret.
    private static let keys = [
        "access", "account", "admin", "aes", "api", "app", "application", "auth", "client", "consumer", "crypto",
        "decryption", "encryption", "functions", "host", "license", "master", "private", "recovery", "root", "secret",
        "server", "service", "session", "shared", "signing", "ssh", "storage", "stream", "subscription", "unlock",
        "user",
    ].map { $0 + "key" }
    private static let unmistakable = [
        "password", "passwd", "passphrase", "apikey", "sessionid", "accesstoken", "refreshtoken", "clientsecret",
        "privatekey",
    ]
    /// Words before `key` that make it harmless in a header field.
    private static let harmlessKeys: Set<String> = [
        "idempotency", "primary", "foreign", "public", "cache", "partition", "sort", "row", "object", "translation",
        "routing", "socket", "surrogate", "issue",
    ]
    /// Words before `token` that make it a place in a list, or in a stream of changes.
    private static let places: Set<String> = {
        let words = [
            "page", "next", "previous", "prev", "start", "starting", "continuation", "continue", "cursor", "sync",
            "resume", "resumption", "change", "delta", "cancellation", "pagination", "marker", "scroll", "idempotency",
        ]
        return Set(words + words.map { "next" + $0 })
    }()
    /// First words of names that say something about a secret.
    private static let flags: Set<String> = [
        "has", "is", "can", "should", "was", "needs", "requires", "require", "supports", "allow", "allows",
    ]
    /// Last words of names that describe a secret.
    private static let attributes: Set<String> = [
        "type", "types", "name", "count", "length", "size", "limit", "expiry", "expires", "expire", "expired",
        "expiration", "in", "at", "on", "date", "time", "age", "ttl", "lifetime", "timeout", "endpoint", "endpoints",
        "method", "methods", "policy", "required", "enabled", "supported", "status", "version", "format", "algorithm",
        "algorithms", "alg", "min", "max", "attempts", "set",
    ]
}

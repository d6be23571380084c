/// Decides which names are those of secrets: of header fields, query items, form fields, members of JSON, attributes and elements of XML.
/// Only this type knows words; the others ask it, through ``SecretPolicy``.
///
/// A name is split into words at capitals, digits and all other characters that are not letters: `accessToken`, `ACCESS_TOKEN`
/// and `access-token` have the same two words. It is secret if it contains a term of one to three adjacent words, such as `token` or
/// `api key`, or a word that ends in one, such as `mytoken`, unless the other words say what else it is: a place in a list
/// (`page_token`), something about the secret (`token_type`, `has_password`), or several (`tokens`).
package enum SecretName {
    /// Where a name stands. In a number, other words at the end say what it counts, as in `session_seconds`.
    package enum Place { case member, number, item, field }

    static func isSecret(_ name: String, in place: Place) -> Bool {
        let words = words(of: name)
        switch place {
        case .item where items.contains(name.lowercased()): return true
        case .field where isSignature(words) || isKey(words): return true
        case _ where name.contains("-") && isSignature(words): return true
        case .member, .number, .item, .field: break
        }
        guard words.count < 2 || !flags.contains(words[0]), let (end, isSecret) = lastTerm(in: words) else {
            return false
        }
        // `token_type`, `password_length` and `token_expires_in` describe a secret, and so does `token_type_hint`.
        var rest = words[end...].filter { !isNumber($0) }
        if rest.count > 1, rest.last == "hint" { rest.removeLast() }
        let describes = place == .number ? !rest.allSatisfy(ofNumbers.contains) : rest.allSatisfy(attributes.contains)
        return isSecret && (rest.isEmpty || !describes)
    }

    /// Names that are no secret elsewhere: the `code` of a grant (RFC 6749, section 4.1.2), a ticket, a key.
    static let items: Set = ["code", "ticket", "key"]

    private static func isKey(_ words: [String]) -> Bool {
        let words = words.filter { !isNumber($0) }
        return words.last == "key" && !harmlessKeys.contains(words.dropLast().last ?? "")
    }

    /// Of `SIGN`, `CB-ACCESS-SIGN`, `X-Sign-V2` and `X-Sign-SHA256`, or a ticket.
    private static func isSignature(_ words: [String]) -> Bool {
        let last = words.last { !isNumber($0) && $0 != "v" && $0 != "sha" } ?? ""
        return ["sign", "ticket"].contains(last) || ["apisign", "accesssign"].contains(where: last.hasSuffix)
    }

    private static func isNumber(_ word: String) -> Bool { word.allSatisfy(\.isNumber) }

    /// The words of a name in lower case.
    private static func words(of name: String) -> [String] {
        let bytes = [0, 0] + Array(name.utf8) + [0]
        var words: [[UInt8]] = [[]]
        for index in 2..<bytes.count - 1 {
            let (byte, before) = (bytes[index], bytes[index - 1])
            let endsAcronym = isCapital(bytes[index - 2]) && isCapital(before) && isSmall(bytes[index + 1])
            let isStart = isCapital(byte) && (isSmall(before) || endsAcronym)
            let isPart = isCapital(byte) || isSmall(byte) || ByteSet.digits.contains(byte)
            if !isPart || isStart || ByteSet.digits.contains(byte) != ByteSet.digits.contains(before) {
                words.append([])
            }
            if isPart { words[words.count - 1].append(byte) }
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }

    private static func isSmall(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte > 0x7F
    }

    /// The last term: the end of its words, and whether it is that of a secret.
    private static func lastTerm(in words: [String]) -> (end: Int, isSecret: Bool)? {
        let last = words.last.map(isNumber) == true ? words.count - 1 : words.count
        for end in stride(from: words.count, to: 0, by: -1) {
            for start in max(end - 3, 0)..<end {
                let (text, isWord) = (words[start..<end].joined(), start == end - 1)
                func isTerm(_ text: String) -> Bool {
                    terms.contains(text) || end == last && lastTerms.contains(text) || isWord && endsInTerm(text)
                }
                if isTerm(text) { return (end, text != "token" || start == 0 || !places.contains(words[start - 1])) }
                // Codes are used up one by one.
                if text.last == "s", isTerm(String(text.dropLast())) { return (end, text.hasSuffix("codes")) }
            }
        }
        return nil
    }

    /// Whether a single word ends in a term, or contains one that has no other meaning.
    private static func endsInTerm(_ word: String) -> Bool {
        guard word.utf8.count > 5, word.last != "s", !word.hasPrefix("passwordless") else { return false }
        guard !word.hasSuffix("token") || !places.contains(String(word.dropLast(5))) else { return false }
        return endings.contains { word.hasSuffix($0) } || unmistakable.contains { word.contains($0) }
    }

    // MARK: - Words

    private static func set(_ words: String, _ end: String = "") -> Set<String> {
        Set(words.split(separator: " ").map { $0 + end })
    }

    private static let terms = endings.union(
        set(
            """
            jwt bearer pass pwd pin otp totp auth authorization authentication signature sig session sid cookie csrf xsrf hmac \
            codeverifier clientassertion authcode verificationcode recoverycode userpass dbpass
            """
        )
    )
    /// Terms that are secrets only at the end of a name.
    private static let lastTerms = set(
        """
        assertion samlresponse samlart dpop wresult devicecode usercode facode mfacode factorcode twofactorcode smscode otpcode \
        securitycode accesscode backupcode logincode onetimecode authorizationcode verifycode cvv cvc cvvcode cvccode \
        cardnumber ccnumber creditcardnumber cardno cardcode
        """
    )
    private static let endings = keys.union(
        set("token secret password passwd passphrase passcode credential sessid sessionid")
    )
    /// Words before `key` that make it a secret: whose it is, or what it is for.
    private static let keys = set(
        """
        access account admin aes api app application auth client consumer crypto decryption encryption functions host license \
        master private recovery root secret server service session shared signing ssh storage stream subscription unlock user
        """,
        "key"
    )
    private static let unmistakable = set(
        "password passwd passphrase apikey sessionid accesstoken refreshtoken clientsecret privatekey"
    )
    /// Words before `key` that make it harmless in a header field.
    private static let harmlessKeys = set(
        "idempotency primary foreign public cache partition sort row object translation routing socket surrogate issue"
    )
    /// Words before `token` that make it a place in a list, or in a stream of changes.
    private static let places = set(
        """
        page next previous prev start starting continuation continue cursor sync resume resumption change delta cancellation \
        pagination marker scroll idempotency nextpage nextcursor nextsync nextstart nextcontinuation nextdelta nextchange
        """
    )
    /// First words of names that say something about a secret.
    private static let flags = set("has is can should was needs requires require supports allow allows")
    /// Last words of names that describe a secret.
    private static let attributes = set(
        """
        type types name count length size limit expiry expires expire expired expiration in at on date time age ttl lifetime timeout \
        duration endpoint endpoints method methods policy required enabled supported status version versions format algorithm \
        algorithms alg min max attempts set list metadata request response result results revision failed succeeded to stage stages
        """
    )
    /// Last words of names whose numbers are secrets.
    private static let ofNumbers = set("code number value confirmation")
}

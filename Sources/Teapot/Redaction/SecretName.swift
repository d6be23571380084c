/// The rule of names that ``SecretPolicy`` describes. A name is split into words at capitals, digits and all other
/// characters that are not letters: `accessToken` and `ACCESS_TOKEN` have the same two. A term is one to three words.
package enum SecretName {
    /// Where a name stands. In a number, other words at the end say what it counts, as in `session_seconds`.
    package enum Place { case member, number, item, field }

    static func isSecret(_ name: String, in place: Place) -> Bool {
        let words = words(of: name)
        if place == .item, items.contains(name.lowercased()) { return true }
        if place == .field, isKey(withoutNumbers(words[...])) { return true }
        if place == .field || name.utf8.contains(0x2D), isSignature(words) { return true }
        guard words.count < 2 || !flags.contains(words[0]), let (end, isSecret) = lastTerm(in: words)
        else { return false }
        var rest = withoutNumbers(words[end...])
        // `token_type`, `password_length` and `token_expires_in` describe a secret, and so does `token_type_hint`.
        if rest.count > 1, rest.last == "hint" { rest.removeLast() }
        guard isSecret, !rest.isEmpty else { return isSecret }
        return place == .number ? ofNumbers.isSuperset(of: rest) : !attributes.isSuperset(of: rest)
    }

    /// Names that are no secret elsewhere: the `code` of a grant (RFC 6749, section 4.1.2), a ticket, a key.
    static let items: Set = ["code", "ticket", "key"]

    private static func isKey(_ words: [String]) -> Bool {
        words.last == "key" && (words.count == 1 || !harmlessKeys.contains(words[words.count - 2]))
    }

    /// Of `SIGN`, `CB-ACCESS-SIGN`, `X-Sign-V2` and `X-Sign-SHA256`, or a ticket.
    private static func isSignature(_ words: [String]) -> Bool {
        var words = withoutNumbers(words[...])
        while words.last == "v" || words.last == "sha" { words.removeLast() }
        guard let last = words.last else { return false }
        return last == "sign" || last == "ticket" || last.hasSuffix("apisign") || last.hasSuffix("accesssign")
    }

    @inline(never) private static func withoutNumbers(_ words: ArraySlice<String>) -> [String] {
        words.filter { !$0.allSatisfy(\.isNumber) }
    }

    private static func words(of name: String) -> [String] {
        let bytes = [0, 0] + Array(name.utf8) + [0]
        var (words, word) = ([String](), [UInt8]())
        for index in 2..<bytes.count {
            let (byte, before) = (bytes[index], bytes[index - 1])
            let isPart = isCapital(byte) || isSmall(byte) || ByteSet.digits.contains(byte)
            let isInCapitals = isCapital(bytes[index - 2]) && isCapital(before)
            let isStart = isCapital(byte) && (isSmall(before) || isInCapitals && isSmall(bytes[index + 1]))
            let isOther = ByteSet.digits.contains(byte) != ByteSet.digits.contains(before)
            if !word.isEmpty, !isPart || isStart || isOther {
                words.append(String(decoding: word, as: UTF8.self).lowercased())
                word = []
            }
            if isPart { word.append(byte) }
        }
        return words
    }

    private static func isCapital(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }
    private static func isSmall(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || byte > 0x7F }

    /// The last term: the end of its words, and whether it is that of a secret.
    private static func lastTerm(in words: [String]) -> (end: Int, isSecret: Bool)? {
        let end = withoutNumbers(words.suffix(1)).isEmpty ? words.count - 1 : words.count
        for last in words.indices.reversed() {
            for start in max(last - 2, 0)...last {
                let text = Array(words[start...last]).joined()
                // Several of a kind are no secret, except codes, which are used up one by one.
                for term in text.hasSuffix("s") ? [text, String(text.dropLast())] : [text] {
                    let isLastTerm = last + 1 == end && lastTerms.contains(term)
                    guard isLastTerm || terms.contains(term) || start == last && endsInTerm(term) else { continue }
                    let isPlace = term == "token" && start > 0 && places.contains(words[start - 1])
                    return (last + 1, term == text ? !isPlace : term.hasSuffix("code"))
                }
            }
        }
        return nil
    }

    /// Whether a single word ends in a term, or contains one that has no other meaning.
    private static func endsInTerm(_ word: String) -> Bool {
        guard word.utf8.count > 5, !word.hasSuffix("s"), !word.hasPrefix("passwordless") else { return false }
        guard !word.hasSuffix("token") || !places.contains(String(word.dropLast(5))) else { return false }
        return endings.contains { word.hasSuffix($0) } || unmistakable.contains { word.contains($0) }
    }

    private static let terms = """
        jwt bearer pass pwd pin otp totp auth authorization authentication signature sig session sid cookie csrf xsrf hmac
        codeverifier clientassertion authcode verificationcode recoverycode userpass dbpass
        """.words(and: endings)
    /// Terms that are secrets only at the end of a name.
    private static let lastTerms = """
        assertion samlresponse samlart dpop wresult devicecode usercode facode mfacode factorcode twofactorcode smscode otpcode
        securitycode accesscode backupcode logincode onetimecode authorizationcode verifycode cvv cvc cvvcode cvccode
        cardnumber ccnumber creditcardnumber cardno cardcode
        """.words()
    private static let endings =
        "token secret password passwd passphrase passcode credential sessid sessionid".words(and: keys)
    /// Words before `key` that make it a secret: whose it is, or what it is for.
    private static let keys = """
        access account admin aes api app application auth client consumer crypto decryption encryption functions host license
        master private recovery root secret server service session shared signing ssh storage stream subscription unlock user
        """.words(ending: "key")
    private static let unmistakable =
        "password passwd passphrase apikey sessionid accesstoken refreshtoken clientsecret privatekey".words()
    /// Words before `key` that make it harmless in a header field.
    private static let harmlessKeys = """
        idempotency primary foreign public cache partition sort row object translation routing socket surrogate issue
        """.words()
    /// Words before `token` that make it a place in a list, or in a stream of changes.
    private static let places = """
        page next previous prev start starting continuation continue cursor sync resume resumption change delta cancellation
        pagination marker scroll idempotency nextpage nextcursor nextsync nextstart nextcontinuation nextdelta nextchange
        """.words()
    /// First words of names that say something about a secret.
    private static let flags = "has is can should was needs requires require supports allow allows".words()
    /// Last words of names that describe a secret.
    private static let attributes = """
        type types name count length size limit expiry expires expire expired expiration in at on date time age ttl lifetime timeout
        duration endpoint endpoints method methods policy required enabled supported status version versions format algorithm
        algorithms alg min max attempts set list metadata request response result results revision failed succeeded to stage stages
        """.words()
    /// Last words of names whose numbers are secrets.
    private static let ofNumbers = "code number value confirmation".words()
}

extension String {
    /// The words of the text, each with an end, and others.
    fileprivate func words(ending end: String = "", and others: Set<String> = []) -> Set<String> {
        var words = others
        for word in ByteSet(" \n").parts(of: self) { words.insert(word + end) }
        return words
    }
}

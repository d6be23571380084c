import TeapotFoundation

/// The header fields that the transports send, which are the same for both.
package enum SentFields {
    /// The content codings that both decode.
    package static let codings = "gzip, deflate"
    /// The value of `Accept-Encoding` for no coding.
    package static let identity = "identity"
    /// For libcurl, a blank value removes a field, also its own, and an empty one is sent.
    package static let removal = " "

    /// The fields of a request, with those that Teapot adds, and without those that FoundationNetworking would add. A request with a `Range`
    /// accepts no coding: a part of a compressed file cannot be decoded, and many servers send the whole if they may compress it.
    package static func fields(of request: URLRequest, accepting codings: String = codings)
        -> [(name: String, value: String)]
    {
        let given = request.allHTTPHeaderFields ?? [:]
        // FoundationNetworking looks for its names in this capitalization.
        var fields: [(name: String, value: String)] = [
            ("User-Agent", userAgent), ("Accept-Language", removal), ("Connection", removal),
            ("Content-Type", removal), ("Accept-Encoding", given[field: "Range"] == nil ? codings : identity),
        ]
        let ownCount = fields.count
        for (name, value) in given {
            let value = value.withoutOuterBlanks
            var index = 0
            while index < ownCount, !FieldName.isSame(fields[index].name, name) { index += 1 }
            if index < ownCount { fields[index].value = value } else { fields.append((name, value)) }
        }
        // An empty `User-Agent` is not valid (RFC 9110, section 10.1.5).
        if fields[0].value.isEmpty { fields[0].value = removal }
        return fields
    }

    private static let userAgent: String = {
        // Without `/proc`, `Bundle.main` ends the process.
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return userAgent(program: "", version: "")
        }
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        return userAgent(program: URL(filePath: program).lastPathComponent, version: version ?? "")
    }()

    /// Products (RFC 9110, section 10.1.5), as in `notes/2.1 Teapot/1.0.0`. A hyphen replaces an invalid character.
    static func userAgent(program: String, version: String) -> String {
        let own = "Teapot/" + Teapot.version
        if program.isEmpty { return own }
        return token(program) + (version.isEmpty ? " " : "/" + token(version) + " ") + own
    }

    private static func token(_ text: String) -> String {
        String(text.map { HeaderFieldRules.isToken(String($0)) ? $0 : "-" })
    }
}

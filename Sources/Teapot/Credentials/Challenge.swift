extension Teapot {
    /// A demand of a server for credentials, from a `WWW-Authenticate` header field (RFC 9110, section 11.6.1):
    /// `Bearer realm="…", scope="…"`.
    public struct Challenge: Sendable, Equatable, CustomStringConvertible {
        /// The scheme in lowercase, such as `bearer`.
        public let scheme: String
        /// The data of a scheme without parameters; `nil` if there is none.
        package let token68: String?
        /// The parameters, without quotation marks. Names are in lowercase; if a name repeats, the first value counts.
        public let parameters: [String: String]

        /// The scheme and parameters, secrets of ``SecretPolicy/standard`` redacted.
        public var description: String {
            var text = scheme.onOneLine
            if token68 != nil { text += " " + SecretPolicy.replacement }
            for (name, value) in parameters.sortedFields {
                text += " " + SecretPolicy.standard.redacted(line: name + "=" + value)
            }
            return text
        }

        /// Parses a list of challenges. Commas separate both challenges and their parameters.
        static func challenges(in field: String) -> [Challenge] {
            var challenges: [Challenge] = []
            var scanner = FieldScanner(field)
            while !scanner.isAtEnd {
                scanner.skip(FieldScanner.separators)
                let scheme = scanner.text(before: nameEnds)
                let hasNoBlank = scanner.isAt(",")
                scanner.skip(FieldScanner.blanks)
                guard !scheme.isEmpty, !scanner.isAt("="), !scanner.isAt("\"") else {
                    scanner.skipItem()
                    continue
                }
                let token68 = token68(&scanner)
                let parameters = parameters(&scanner)
                // Parameters follow a blank. Without it, they belong to no challenge.
                guard parameters.isEmpty || !hasNoBlank else { continue }
                challenges.append(Challenge(scheme: scheme.lowercased(), token68: token68, parameters: parameters))
                scanner.skipItem()
            }
            return challenges
        }

        /// Text without an `=`, except at its end, and with nothing after it.
        private static func token68(_ scanner: inout FieldScanner) -> String? {
            var ahead = scanner
            let text = ahead.text(before: FieldScanner.separators)
            ahead.skip(FieldScanner.blanks)
            guard ahead.isAtEnd || ahead.isAt(","), !text.isEmpty, !text.contains("\"") else { return nil }
            var bare = text
            while bare.hasSuffix("=") { bare.removeLast() }
            guard !bare.contains("=") else { return nil }
            scanner = ahead
            return text
        }

        private static func parameters(_ scanner: inout FieldScanner) -> [String: String] {
            var parameters: [String: String] = [:]
            while true {
                var ahead = scanner
                ahead.skip(FieldScanner.separators)
                let name = ahead.text(before: nameEnds).lowercased()
                ahead.skip(FieldScanner.blanks)
                // Any other text is the next challenge.
                guard !name.isEmpty, ahead.take("=") else { return parameters }
                ahead.skip(FieldScanner.blanks)
                let value = ahead.take("\"") ? ahead.quoted() : ahead.text(before: FieldScanner.separators)
                if parameters[name] == nil { parameters[name] = value }
                // Text after the value does not belong to it.
                ahead.skipItem()
                scanner = ahead
            }
        }

        private static let nameEnds = ByteSet(" \t,=\"")
    }
}

extension Teapot.Response {
    /// The challenges of the `WWW-Authenticate` header fields, in order, without text that does not parse.
    public var challenges: [Teapot.Challenge] {
        Teapot.Challenge.challenges(in: headerFields["WWW-Authenticate"] ?? "")
    }
}

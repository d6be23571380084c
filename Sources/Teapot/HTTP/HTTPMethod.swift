extension Teapot {
    /// The method of a request: `GET`, `POST`, or any other token a server understands, such as the literal
    /// `"PROPFIND"`. Methods are case-sensitive (RFC 9110, section 9.1): `"get"` is not ``get``.
    public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
    {
        /// The method in the request line.
        public let rawValue: String

        /// Makes a method from a token; `nil` if it is not one (RFC 9110, section 5.6.2), so that no space or line break can get
        /// into the request line, or if it has more than 64 characters, as FoundationNetworking traps on very long ones.
        public init?(rawValue: String) {
            guard rawValue.utf8.count <= 64, HeaderFieldRules.isToken(rawValue) else { return nil }
            self.rawValue = rawValue
        }

        /// Makes a method from a literal. A request with an invalid one fails with `invalidPayload` when it is sent.
        public init(stringLiteral value: String) { rawValue = value }

        /// `GET`
        public static let get: HTTPMethod = "GET"
        /// `HEAD`
        public static let head: HTTPMethod = "HEAD"
        /// `POST`
        public static let post: HTTPMethod = "POST"
        /// `PUT`
        public static let put: HTTPMethod = "PUT"
        /// `PATCH`
        public static let patch: HTTPMethod = "PATCH"
        /// `DELETE`
        public static let delete: HTTPMethod = "DELETE"
        /// `OPTIONS`
        public static let options: HTTPMethod = "OPTIONS"

        /// Whether a request of this method may be sent twice (RFC 9110, section 9.2.2).
        var isIdempotent: Bool { ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(rawValue) }

        /// The method in the request line.
        public var description: String { rawValue }
    }
}

public import Foundation

extension Teapot {
    /// A cookie as a value, to set, or to save and restore. No description shows its secret value; `Codable` writes it.
    public struct Cookie: Sendable, Equatable, Codable, CustomReflectable {
        /// The name.
        public var name: String
        /// The value, as it is sent.
        public var value: String
        /// The host that gets the cookie; with a leading dot, its subdomains, too. `nil` for the host of the base URL.
        public var domain: String?
        /// The path that gets the cookie, with everything below it.
        public var path: String
        /// The expiry date; `nil` for the end of the session.
        public var expires: Date?
        /// Whether the cookie is sent over https only.
        public var isSecure: Bool

        /// Makes a cookie from its properties. It is checked when it is set.
        public init(
            name: String,
            value: String,
            domain: String? = nil,
            path: String = "/",
            expires: Date? = nil,
            isSecure: Bool = false
        ) {
            self.name = name
            self.value = value
            self.domain = domain
            self.path = path
            self.expires = expires
            self.isSecure = isSecure
        }

        init(_ cookie: HTTPCookie) {
            self.init(name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path)
            expires = cookie.expiresDate
            isSecure = cookie.isSecure
        }

        var forStorage: HTTPCookie? {
            let domain = domain ?? ""
            var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .domain: domain, .path: path]
            if isSecure { properties[.secure] = "TRUE" }
            if let expires { properties[.expires] = expires }
            return HTTPCookie(properties: properties)
        }

        /// The domain without a leading dot: the same for a single host and for all of a domain.
        @inline(never) var domainWithoutDot: Substring { (domain ?? "").drop { $0 == "." } }
        func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

        /// The name, domain and path; the value is not shown.
        public var customMirror: Mirror {
            let text = "\(name)=\(SecretPolicy.replacement); Domain=\(domain ?? ""); Path=\(path)"
            return Mirror(self, shown: ["cookie": text.onOneLine])
        }
    }
}

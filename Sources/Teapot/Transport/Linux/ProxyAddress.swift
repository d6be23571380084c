#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// The address of a proxy as libcurl gets it, and what errors may show of it.
    package struct ProxyAddress {
        fileprivate static let unknown = "of the environment"
        private let text: String

        package init(_ text: String) { self.text = text }

        /// The proxy that libcurl finds in the environment for requests of a scheme; `nil` if there is none. `no_proxy` may still say that
        /// it is not used.
        package init?(environmentFor scheme: String) {
            // libcurl ignores `HTTP_PROXY`: CGI makes it of a header field.
            let names = scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
            guard let value = Self.variable(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
            text = value
        }

        /// The first of some variables that is not empty.
        private static func variable(_ names: [String]) -> String? {
            names.lazy.compactMap { getenv($0) }.first { $0.pointee != 0 }.map { String(cString: $0) }
        }

        /// Whether a connection to the host may lead through a tunnel (RFC 9110, section 9.3.6): not over SOCKS, nor to a host that
        /// `no_proxy` names. Where libcurl reads it in another way, such as ranges of addresses, there may be one.
        package func mayMakeTunnel(to host: String) -> Bool {
            guard !text.lowercased().hasPrefix("socks") else { return false }
            let list = Self.exceptions?.lowercased() ?? ""
            if list == "*" { return false }
            let host = host.lowercased()
            return !list.split { ", ".contains($0) }.contains { name in
                let name = name.hasPrefix(".") ? name.dropFirst() : name
                return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
            }
        }

        /// Whether connections to all hosts lead over the proxy.
        static var isForAllHosts: Bool { exceptions == nil }

        private static var exceptions: String? { variable(["no_proxy", "NO_PROXY"]) }

        /// Whether the connection to the proxy uses TLS.
        package var isSecure: Bool { text.lowercased().hasPrefix("https:") }

        /// User and password, up to the last `@`, and what follows them.
        private var parts: (userInformation: Substring, rest: Substring) {
            let address = text[(text.range(of: "://")?.upperBound ?? text.startIndex)...]
            guard let end = address.lastIndex(of: "@") else { return ("", address) }
            return (address[..<end], address[address.index(after: end)...])
        }

        /// Host and port, or "of the environment" if that is not what they look like.
        package var name: String {
            let name = parts.rest.prefix { !"/?#".contains($0) }
            return name.contains(/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]*)?$/) ? String(name) : Self.unknown
        }

        /// A text of libcurl without what may be the user and password of a proxy, if one is used.
        ///
        /// libcurl repeats an address that it cannot parse, and takes the user for the host if `/`, `#` or `?` follows in the password.
        package static func redacted(_ text: String, of proxy: ProxyAddress?) -> String {
            let words = text.split { " '\":,".contains($0) }
            if text.hasPrefix("Unsupported proxy") || proxy?.misreadParts.contains(where: words.contains) == true {
                let name = proxy?.name ?? unknown
                return
                    "libcurl does not support the proxy \(name): check its scheme, and percent-encode its user and password"
            }
            guard let end = text.lastIndex(of: "@") else { return text }
            return "\(text.prefix { !"'\":@".contains($0) })\(SecretPolicy.replacement)\(text[end...])"
        }

        /// What libcurl may take for the host: parts of the user and password, if these contain the end of an authority (RFC 3986).
        private var misreadParts: [Substring] {
            let user = parts.userInformation.prefix { !"/?#".contains($0) }
            return user.endIndex < parts.userInformation.endIndex ? user.split { ":@".contains($0) } : []
        }
    }

    extension URLError {
        /// The error for a proxy that refuses a tunnel (RFC 9110, section 9.3.6). Only a 5xx may be temporary.
        package init(proxyStatus: Int, of proxy: ProxyAddress?) {
            let fitting: URLError.Code =
                switch proxyStatus {
                case 407: .userAuthenticationRequired
                case 400...499: .resourceUnavailable
                case 500...599: .cannotConnectToHost
                default: .badServerResponse
                }
            let reason = "the proxy \(proxy?.name ?? ProxyAddress.unknown) answered CONNECT with status \(proxyStatus)"
            self = URLError(fitting, userInfo: [NSLocalizedDescriptionKey: reason])
        }
    }
#endif

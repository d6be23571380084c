#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// The address of a proxy as libcurl gets it, and what errors may show of it.
    package struct ProxyAddress {
        fileprivate static let unknown = "of the environment"
        private let text: String

        package init(_ text: String) { self.text = text }

        /// The proxy in the environment that libcurl uses for a scheme, but for hosts in `no_proxy`; `nil` without one.
        package init?(environmentFor scheme: String) {
            // libcurl ignores `HTTP_PROXY`: CGI makes it of a header field.
            let names = scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
            guard let value = Self.variable(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
            text = value
        }

        private static func variable(_ names: [String]) -> String? {
            for name in names { if let value = getenv(name), value.pointee != 0 { return String(cString: value) } }
            return nil
        }

        /// Whether a connection to the host of an ``Origin`` may lead through a tunnel (RFC 9110, section 9.3.6): not over SOCKS, nor to a
        /// host that `no_proxy` names. Where libcurl reads `no_proxy` in another way, such as ranges of addresses, there may be a tunnel.
        package func mayMakeTunnel(to host: String) -> Bool {
            let list = Self.exceptions?.lowercased() ?? ""
            guard !text.lowercased().hasPrefix("socks"), list != "*" else { return false }
            return !ByteSet(", ").parts(of: list).contains { name in
                let domain = name.hasPrefix(".") ? name : "." + name
                return domain != "." && ("." + host).hasSuffix(domain)
            }
        }

        /// The names of the hosts to which no connection leads over the proxy.
        static var exceptions: String? { variable(["no_proxy", "NO_PROXY"]) }

        /// Whether the connection to the proxy uses TLS.
        package var isSecure: Bool { text.lowercased().hasPrefix("https:") }

        /// User and password, up to the last `@`, and what follows them.
        private var parts: (userInformation: String, rest: String) {
            let authority = text.range(of: "://").map { String(text[$0.upperBound...]) } ?? text
            var parts = authority.components(separatedBy: "@")
            let rest = parts.popLast() ?? ""
            return (parts.joined(separator: "@"), rest)
        }

        /// Host and port, or "of the environment" if that is not what they look like.
        package var name: String {
            let name = ByteSet("/?#").parts(of: parts.rest)[0]
            return name.contains(/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]*)?$/) ? name : Self.unknown
        }

        /// A text of libcurl without the parts that may be the user and password of a proxy, if one is used.
        /// libcurl repeats an address that it cannot parse, and takes the user for the host if `/`, `#` or `?` follows in the password.
        package static func redacted(_ text: String, of proxy: ProxyAddress?) -> String {
            if text.hasPrefix("Unsupported proxy") || proxy?.wasMisread(in: text) == true {
                let name = proxy?.name ?? unknown
                return
                    "libcurl does not support the proxy \(name): check its scheme, and percent-encode its user and password"
            }
            guard let end = text.lastIndex(of: "@") else { return text }
            return ByteSet("'\":@").parts(of: text)[0] + SecretPolicy.replacement + String(text[end...])
        }

        /// Whether a text of libcurl names a part of the user and password, ended by `/`, `?` or `#`, as the host.
        private func wasMisread(in text: String) -> Bool {
            let userInformation = parts.userInformation
            let user = ByteSet("/?#").parts(of: userInformation)[0]
            guard user != userInformation else { return false }
            let words = ByteSet(" '\":,").parts(of: text)
            return ByteSet(":@").parts(of: user).contains { !$0.isEmpty && words.contains($0) }
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
            self = URLError(fitting, reason)
        }
    }
#endif

#if os(Linux)
    public import Teapot

    extension CurlTransport {
        /// The configuration of a ``CurlTransport``.
        ///
        /// An option that this libcurl does not support fails every call with `noResponse` and a reason that names the option.
        public struct Configuration: Sendable {
            /// The maximum number of connections to one host, 6 by default, at least 1 (`CURLMOPT_MAX_HOST_CONNECTIONS`);
            /// requests wait for one.
            public var maximumConnectionsPerHost = 6
            /// The maximum number of connections in all, idle ones included, 256 by default, at least 1
            /// (`CURLMOPT_MAX_TOTAL_CONNECTIONS` and `CURLMOPT_MAXCONNECTS`). Each takes a file descriptor. With more than 256 the
            /// transport waits for them by `epoll`.
            public var maximumConnections = 256
            /// The maximum time to open a connection, name lookup and TLS included, if it is less than the timeout of the request
            /// (`CURLOPT_CONNECTTIMEOUT_MS`). Of several addresses, the first gets half of the time.
            public var connectTimeout: Duration?
            /// The maximum idle time of a connection before reuse, in whole seconds, rounded down (`CURLOPT_MAXAGE_CONN`); `nil`
            /// for libcurl's 118 seconds.
            public var idleConnectionAge: Duration?
            /// The maximum age of a connection before reuse, in whole seconds, rounded down (`CURLOPT_MAXLIFETIME_CONN`, from libcurl
            /// 7.80 on); `nil` for any. The name of the host is looked up again for the next one.
            public var maximumConnectionAge: Duration?
            /// The version of HTTP (`CURLOPT_HTTP_VERSION`).
            public var httpVersion = HTTPVersion.automatic
            /// The authorities that are trusted to sign the certificates of servers, and of an `https` proxy, instead of the system's
            /// (`CURLOPT_CAINFO`, `CURLOPT_PROXY_CAINFO`, and from libcurl 7.77 on the same with `_BLOB`).
            public var certificateAuthorities: PEM?
            /// The public keys that a server can have, each as `sha256//` and the base64 of the SHA-256 of its
            /// SubjectPublicKeyInfo; any if empty (`CURLOPT_PINNEDPUBLICKEY`). The certificate must be trusted as well.
            public var pinnedPublicKeys: [String] = []
            /// The client's certificate for servers, and for an `https` proxy (`CURLOPT_SSLCERT`, `CURLOPT_SSLKEY`,
            /// `CURLOPT_KEYPASSWD`, the same with `PROXY_`, and from libcurl 7.71 on with `_BLOB`).
            public var clientCertificate: ClientCertificate?
            /// The proxy for requests (`CURLOPT_PROXY`).
            public var proxy = Proxy.environment
            /// The path of a Unix socket for all connections, whatever the host (`CURLOPT_UNIX_SOCKET_PATH`).
            public var unixSocket: String?
            /// The addresses of hosts, by name and port, in place of a lookup: `["api.example.com:443": "127.0.0.1"]`
            /// (`CURLOPT_RESOLVE`).
            public var hostOverrides: [String: String] = [:]

            /// Makes a configuration with default values.
            public init() {}
        }

        /// The HTTP versions of a ``CurlTransport``. A later version may add cases: a `switch` needs `@unknown default`.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum HTTPVersion: Sendable, Hashable {
            /// HTTP/2 over TLS if server and libcurl support it, otherwise HTTP/1.1. Without TLS, HTTP/1.1.
            case automatic
            /// HTTP/1.1 only.
            case http1_1
            /// HTTP/2, without negotiation if there is no TLS (RFC 9113, section 3.3). Over TLS, libcurl still negotiates, and
            /// accepts HTTP/1.1 from a server that offers nothing else.
            case http2
        }

        /// Certificates or a key in PEM format (RFC 7468). A later version may add cases: a `switch` needs `@unknown default`.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum PEM: Sendable, Hashable {
            /// A file.
            case file(URL)
            /// The content of such a file.
            case data(Data)
        }

        /// A client's certificate and its private key.
        public struct ClientCertificate: Sendable, Hashable {
            /// The certificate, followed by those between it and the authority.
            public var certificate: PEM
            /// The private key of the certificate.
            public var key: PEM
            /// The password of the key, if it is encrypted.
            public var password: String?

            /// Makes a client certificate.
            public init(certificate: PEM, key: PEM, password: String? = nil) {
                self.certificate = certificate
                self.key = key
                self.password = password
            }
        }

        /// The proxy of a ``CurlTransport``. A later version may add cases: a `switch` needs `@unknown default`.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Proxy: Sendable, Hashable {
            /// The proxy of the environment: `http_proxy`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, which must be set before
            /// the transport's first request.
            case environment
            /// No proxy, whatever the environment says.
            case none
            /// A proxy for every request, whatever the environment says. `https` requests go through a tunnel (`CONNECT`; RFC 9110,
            /// section 9.3.6).
            case url(URL)
        }
    }

    extension CurlTransport.Proxy {
        /// `.none` if the environment names no proxy now: libcurl would look there for each request.
        var resolved: Self {
            let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            return self == .environment && names.allSatisfy { getenv($0) == nil } ? .none : self
        }

        /// Whether the connection to a proxy may use TLS.
        var mayBeSecure: Bool { ["http", "https"].contains { address(for: $0)?.isSecure == true } }

        /// The proxy for URLs with a scheme.
        func address(for scheme: String) -> ProxyAddress? {
            switch self {
            case .url(let url): ProxyAddress(url.absoluteString)
            case .environment: ProxyAddress(environmentFor: scheme)
            case .none: nil
            }
        }
    }

    extension CurlTransport.HTTPVersion {
        /// Whether responses of an origin can be HTTP/2.
        func canBeHTTP2(_ origin: Origin, _ library: CurlLibrary) -> Bool {
            switch self {
            case .automatic: origin.scheme == "https" && library.version.supportsHTTP2
            case .http1_1: false
            case .http2: true
            }
        }
    }

    // The mirrors below show no password or key.

    extension CurlTransport.PEM: CustomReflectable {
        /// The path of the file, or the number of bytes.
        public var customMirror: Mirror {
            switch self {
            case .file(let file): Mirror(self, shown: ["file": file.path])
            case .data(let data): Mirror(self, shown: ["data": "\(data.count) bytes"])
            }
        }
    }

    extension CurlTransport.ClientCertificate: CustomReflectable {
        /// The sources of certificate and key, without the password.
        public var customMirror: Mirror { Mirror(self, shown: ["certificate": certificate, "key": key]) }
    }

    extension CurlTransport.Proxy: CustomReflectable {
        /// The kind of proxy, and the URL without user and password.
        public var customMirror: Mirror {
            var shown: [String] = []
            if case .url(let url) = self { shown = [url.withoutUserInformation.absoluteString] }
            return Mirror(self, unlabeledChildren: shown, displayStyle: .enum)
        }
    }
#endif

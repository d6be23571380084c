#if os(Linux)
    public import Teapot

    extension CurlTransport {
        /// How a ``CurlTransport`` connects.
        ///
        /// What this libcurl cannot do is not left out silently: every call fails with `noResponse`, whose reason names the option.
        public struct Configuration: Sendable {
            /// The most connections to one host, 6 at first (`CURLMOPT_MAX_HOST_CONNECTIONS`). Requests beyond that wait for one.
            public var maximumConnectionsPerHost = 6
            /// The most connections in all, idle ones included, 256 at first (`CURLMOPT_MAX_TOTAL_CONNECTIONS` and
            /// `CURLMOPT_MAXCONNECTS`).
            public var maximumConnections = 256
            /// How long a connection may take, name lookup and TLS included; `nil` for as long as the call's own timeout lets it
            /// (`CURLOPT_CONNECTTIMEOUT_MS`).
            public var connectTimeout: Duration?
            /// How long an idle connection is used again; `nil` for libcurl's 118 seconds (`CURLOPT_MAXAGE_CONN`).
            public var idleConnectionAge: Duration?
            /// The version of HTTP (`CURLOPT_HTTP_VERSION`).
            public var httpVersion = HTTPVersion.automatic
            /// Who is trusted to sign the certificates of servers, instead of the system's authorities (`CURLOPT_CAINFO`, and from
            /// libcurl 7.77 on `CURLOPT_CAINFO_BLOB`).
            public var certificateAuthorities: PEM?
            /// The public keys that a server may have, each as `sha256//` and the base64 of the SHA-256 of its
            /// SubjectPublicKeyInfo; any if empty (`CURLOPT_PINNEDPUBLICKEY`). A certificate must be trusted as well.
            public var pinnedPublicKeys: [String] = []
            /// What shows a server who the client is (`CURLOPT_SSLCERT`, `CURLOPT_SSLKEY`, `CURLOPT_KEYPASSWD`, and from libcurl
            /// 7.71 on `CURLOPT_SSLCERT_BLOB` and `CURLOPT_SSLKEY_BLOB`).
            public var clientCertificate: ClientCertificate?
            /// Through which proxy requests go (`CURLOPT_PROXY`).
            public var proxy = Proxy.environment
            /// The path of a Unix socket, to which all connections go, whatever the host (`CURLOPT_UNIX_SOCKET_PATH`).
            public var unixSocket: String?
            /// The addresses of hosts that are not looked up, by name and port: `["api.example.com:443": "127.0.0.1"]`
            /// (`CURLOPT_RESOLVE`).
            public var hostOverrides: [String: String] = [:]

            /// Makes a configuration; each property has a value to begin with.
            public init() {}
        }

        /// Which version of HTTP a ``CurlTransport`` uses.
        public enum HTTPVersion: Sendable, Hashable {
            /// HTTP/2 over TLS where server and libcurl agree on it, otherwise HTTP/1.1.
            case automatic
            /// HTTP/1.1 only.
            case http1_1
            /// HTTP/2, without asking first where there is no TLS (RFC 9113, section 3.3). Over TLS libcurl still asks, and takes
            /// HTTP/1.1 from a server that offers nothing else.
            case http2
        }

        /// Certificates or a key, in the format PEM (RFC 7468).
        public enum PEM: Sendable, Hashable {
            case file(URL)
            case pem(Data)
        }

        /// The certificate of a client, and its private key.
        public struct ClientCertificate: Sendable {
            /// The certificate, followed by those between it and the authority.
            public var certificate: PEM
            /// The private key of the certificate.
            public var key: PEM
            /// What the key is encrypted with, if it is.
            public var password: String?

            /// Makes a client certificate.
            public init(certificate: PEM, key: PEM, password: String? = nil) {
                (self.certificate, self.key, self.password) = (certificate, key, password)
            }
        }

        /// Through which proxy a ``CurlTransport`` connects.
        public enum Proxy: Sendable, Hashable {
            /// What the environment says: `http_proxy`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`.
            case environment
            /// None, whatever the environment says.
            case none
            /// A proxy for every request, whatever the environment says. `https` requests go through a tunnel (`CONNECT`; RFC 9110, section 9.3.6).
            case url(URL)
        }
    }

    // Nothing below shows a password or a key.

    extension CurlTransport.PEM: CustomStringConvertible {
        /// The path of the file, or the number of bytes.
        public var description: String {
            switch self {
            case .file(let file): file.path
            case .pem(let data): "\(data.count) bytes"
            }
        }
    }

    extension CurlTransport.ClientCertificate: CustomStringConvertible {
        /// Where certificate and key are from; not the password.
        public var description: String { "\(certificate), key: \(key)" }
    }

    extension CurlTransport.Proxy: CustomStringConvertible {
        /// The kind, and the URL without user and password.
        public var description: String {
            switch self {
            case .environment: "environment"
            case .none: "none"
            case .url(let url): url.withoutUserInformation.absoluteString
            }
        }
    }
#endif

#if os(Linux)
    import CLibcurl
    import Teapot

    /// Sets the options of all exchanges of a transport, and reports options that this libcurl does not support.
    struct CurlOptions {
        let easy: OpaquePointer
        let version: CurlTransport.Version

        func set(_ configuration: CurlTransport.Configuration, _ hostOverrides: CurlList) throws(URLError) {
            try set(CLIBCURL_NOSIGNAL, 1, "CURLOPT_NOSIGNAL")
            // Cancelling an exchange does not wait for its name lookup, for which all exchanges on this thread would wait. From libcurl
            // 7.87 on.
            let code = clibcurl_set_long(easy, CLIBCURL_QUICK_EXIT, 1)
            if code != CLIBCURL_UNKNOWN_OPTION { try check(code, "CURLOPT_QUICK_EXIT") }
            // Redirects, cookies, passwords and .netrc are off in libcurl by default.
            try set(CLIBCURL_PROTOCOLS, CLIBCURL_HTTP_AND_HTTPS, "CURLOPT_PROTOCOLS")
            try set(CLIBCURL_HTTP09_ALLOWED, 0, "CURLOPT_HTTP09_ALLOWED")
            try set(CLIBCURL_PATH_AS_IS, 1, "CURLOPT_PATH_AS_IS")
            try set(CLIBCURL_SUPPRESS_CONNECT_HEADERS, 1, "CURLOPT_SUPPRESS_CONNECT_HEADERS")
            try set(CLIBCURL_BUFFERSIZE, Self.bufferSize, "CURLOPT_BUFFERSIZE")
            try set(CLIBCURL_UPLOAD_BUFFERSIZE, Self.bufferSize, "CURLOPT_UPLOAD_BUFFERSIZE")

            if let age = configuration.idleConnectionAge {
                try set(CLIBCURL_MAXAGE_CONN, min(age.milliseconds, Self.longestTime) / 1_000, "CURLOPT_MAXAGE_CONN")
            }
            if let age = configuration.maximumConnectionAge {
                // 0 would be any.
                let seconds = max(min(age.milliseconds, Self.longestTime) / 1_000, 1)
                try set(CLIBCURL_MAXLIFETIME_CONN, seconds, "CURLOPT_MAXLIFETIME_CONN")
            }
            switch configuration.proxy {
            case .environment: break
            // With this for every host, libcurl does not look in the environment.
            case .none: try set(CLIBCURL_NOPROXY, "*", "CURLOPT_NOPROXY")
            case .url(let url):
                try set(CLIBCURL_PROXY, url.absoluteString, "CURLOPT_PROXY")
                // Without this, `no_proxy` of the environment still applies.
                try set(CLIBCURL_NOPROXY, "", "CURLOPT_NOPROXY")
            }
            if let path = configuration.unixSocket {
                try set(CLIBCURL_UNIX_SOCKET_PATH, path, "CURLOPT_UNIX_SOCKET_PATH")
            }
            if let first = hostOverrides.first {
                try check(clibcurl_set_list(easy, CLIBCURL_RESOLVE, first), "CURLOPT_RESOLVE")
            }
            try setTrust(configuration)
        }

        private func setTrust(_ configuration: CurlTransport.Configuration) throws(URLError) {
            if let authorities = configuration.certificateAuthorities {
                // The system's authorities are in a directory, too.
                try set(CLIBCURL_CAPATH, nil, "CURLOPT_CAPATH")
                try set(CLIBCURL_CAINFO, CLIBCURL_CAINFO_BLOB, authorities, "CURLOPT_CAINFO")
                if configuration.proxy.mayBeSecure {
                    try set(CLIBCURL_PROXY_CAPATH, nil, "CURLOPT_PROXY_CAPATH")
                    try set(CLIBCURL_PROXY_CAINFO, CLIBCURL_PROXY_CAINFO_BLOB, authorities, "CURLOPT_PROXY_CAINFO")
                }
            }
            if !configuration.pinnedPublicKeys.isEmpty {
                // libcurl treats any other text as the name of a file.
                for key in configuration.pinnedPublicKeys where !Self.isPin(key) {
                    let problem = "is not sha256// followed by 32 bytes in base64"
                    throw .curl(.unknown, "the pinned public key \(problem): \(key.prefix(60))")
                }
                let keys = configuration.pinnedPublicKeys.joined(separator: ";")
                try set(CLIBCURL_PINNEDPUBLICKEY, keys, "CURLOPT_PINNEDPUBLICKEY")
            }
            guard let client = configuration.clientCertificate else { return }
            try set(CLIBCURL_SSLCERT, CLIBCURL_SSLCERT_BLOB, client.certificate, "CURLOPT_SSLCERT")
            try set(CLIBCURL_SSLKEY, CLIBCURL_SSLKEY_BLOB, client.key, "CURLOPT_SSLKEY")
            if let password = client.password { try set(CLIBCURL_KEYPASSWD, password, "CURLOPT_KEYPASSWD") }
            guard configuration.proxy.mayBeSecure else { return }
            let certificate = client.certificate
            try set(CLIBCURL_PROXY_SSLCERT, CLIBCURL_PROXY_SSLCERT_BLOB, certificate, "CURLOPT_PROXY_SSLCERT")
            try set(CLIBCURL_PROXY_SSLKEY, CLIBCURL_PROXY_SSLKEY_BLOB, client.key, "CURLOPT_PROXY_SSLKEY")
            if let password = client.password { try set(CLIBCURL_PROXY_KEYPASSWD, password, "CURLOPT_PROXY_KEYPASSWD") }
        }

        /// In milliseconds: longer than needed, and short enough for libcurl.
        static let longestTime = 1_000_000_000
        /// In bytes.
        private static let bufferSize = 65_536

        private static func isPin(_ key: String) -> Bool {
            let prefix = "sha256//"
            return key.hasPrefix(prefix) && Data(base64Encoded: String(key.dropFirst(prefix.count)))?.count == 32
        }

        private func set(_ option: clibcurl_option, _ value: Int, _ name: String) throws(URLError) {
            try check(clibcurl_set_long(easy, option, value), name)
        }

        private func set(_ option: clibcurl_option, _ value: String?, _ name: String) throws(URLError) {
            try check(clibcurl_set_string(easy, option, value), name)
        }

        /// Sets the option for a file, or the one for the same in memory.
        private func set(_ file: clibcurl_option, _ blob: clibcurl_option, _ pem: CurlTransport.PEM, _ name: String)
            throws(URLError)
        {
            switch pem {
            case .file(let url): try set(file, url.path, name)
            case .data(let data):
                let code = data.withUnsafeBytes { bytes in
                    bytes.baseAddress.map { clibcurl_set_blob(easy, blob, $0, bytes.count) }
                }
                guard let code, !data.isEmpty else { throw .curl(.unknown, "the data for \(name)_BLOB is empty") }
                try check(code, "\(name)_BLOB")
            }
        }

        private func check(_ code: Int32, _ name: String) throws(URLError) {
            guard code != CLIBCURL_OK else { return }
            let library = "libcurl \(version.libcurl) with \(version.tls ?? "no TLS library")"
            throw .curl(.unknown, "\(library) does not support \(name): \(String(cString: clibcurl_easy_error(code)))")
        }
    }
#endif

#if os(Linux)
    import CLibcurl
    import Teapot

    /// The libcurl of this process, which FoundationNetworking has already loaded.
    struct CurlLibrary: Sendable {
        let version: CurlTransport.Version
        /// Whether a handle can be used for another exchange. Before 8.1.1 libcurl writes to freed memory when the header of
        /// the next response begins with a folded line (https://github.com/curl/curl/issues/11101): it keeps a pointer, which neither
        /// `curl_easy_reset` nor anything else clears, and reads the line before it passes it on.
        let reusesHandles: Bool
        /// Whether it asks before it sends a request: from 7.80 on. Otherwise nothing can be known about the connection that it uses.
        var asksBeforeRequests: Bool
        /// Whether an HTTP/2 connection without TLS can be used again: 7.88 fails the second request on it.
        let reusesCleartextHTTP2: Bool
        /// Whether there is a zlib, which libcurl needs, to decode bodies with.
        var canDecode: Bool
        /// Returns whether the process can open nothing more.
        var lacksDescriptors: @Sendable () -> Bool = {
            let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            if descriptor >= 0 { close(descriptor) }
            return descriptor < 0 && (errno == EMFILE || errno == ENFILE)
        }

        /// The library, or the error that it is missing. Loaded once.
        static let current: Result<CurlLibrary, URLError> = Result { () throws(URLError) in
            try CurlLibrary(named: "libcurl.so.4")
        }

        /// Whether a connection is used for more than one request: only if it can be found, and looked at before. A Unix socket has
        /// no ports by which it can be found. libcurl itself looks too little before 8.12, and, at the latest from 8.23 on, not
        /// within a second of the last time.
        func reusesConnections(_ configuration: CurlTransport.Configuration) -> Bool {
            asksBeforeRequests && configuration.unixSocket == nil
        }

        /// Loads a library, and initializes it.
        ///
        /// - Parameter name: The name for the dynamic linker.
        /// - Throws: An error that names the required and the available library.
        init(named name: String) throws(URLError) {
            if let reason = clibcurl_load(name) {
                let reason = String(cString: reason)
                throw .curl(.unknown, "TeapotCurl needs libcurl 7.68 or later, and cannot use \(name): \(reason)")
            }
            let found = clibcurl_version_info().pointee
            let libcurl = String(cString: found.version)
            if Int(found.features) & CLIBCURL_FEATURE_THREADSAFE == 0 {
                // Before 7.84 it must not be initialized on two threads at once. FoundationNetworking does so in a session.
                _ = URLSession(configuration: .ephemeral)
            }
            let code = clibcurl_global_init()
            guard code == CLIBCURL_OK else {
                throw .curl(
                    .unknown,
                    "libcurl \(libcurl) failed to start: \(String(cString: clibcurl_easy_error(code)))"
                )
            }
            canDecode = clibcurl_load_zlib("libz.so.1")
            asksBeforeRequests = found.number >= 0x07_50_00
            reusesHandles = found.number >= 0x08_01_01
            reusesCleartextHTTP2 = !(0x07_58_00..<0x08_00_00).contains(found.number)
            version = CurlTransport.Version(
                libcurl: libcurl,
                tls: found.tls.map { String(cString: $0) },
                supportsHTTP2: Int(found.features) & CLIBCURL_FEATURE_HTTP2 != 0
            )
        }
    }
#endif

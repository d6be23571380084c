#if os(Linux)
    import CLibcurl
    import Teapot

    /// The libcurl of this process, which FoundationNetworking has already loaded.
    struct CurlLibrary: Sendable {
        let version: CurlTransport.Version
        /// Whether a handle can be used for another exchange: ``LibcurlFault/staleHeaderLine``.
        let reusesHandles: Bool
        /// Whether libcurl asks before it sends a request: ``LibcurlFault/sendsUnasked``. Otherwise nothing is known about the connection that
        /// it uses.
        var asksBeforeRequests: Bool
        /// Whether an HTTP/2 connection without TLS can be used again: ``LibcurlFault/brokenCleartextHTTP2``.
        let reusesCleartextHTTP2: Bool
        /// Whether there is a zlib, which this transport decodes bodies with. libcurl needs one itself.
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

        /// Whether a connection is used for more than one request. Before each request it must be found and looked at
        /// (``LibcurlFault/looksTooLittle``), and a connection to a Unix socket has no ports by which it can be found.
        func reusesConnections(_ configuration: CurlTransport.Configuration) -> Bool {
            asksBeforeRequests && configuration.unixSocket == nil
        }

        /// Loads the library with a name for the dynamic linker, and initializes it. Throws an error that names the required and the
        /// available library.
        init(named name: String) throws(URLError) {
            if let reason = clibcurl_load(name) {
                let reason = String(cString: reason)
                throw .curl(.unknown, "TeapotCurl needs libcurl 7.68 or later, and cannot use \(name): \(reason)")
            }
            OpenSSL.outlivesExit
            let found = clibcurl_version_info().pointee
            let libcurl = String(cString: found.version)
            if Int(found.features) & CLIBCURL_FEATURE_THREADSAFE == 0 {
                // Before 7.84 it must not be initialized on two threads at once. FoundationNetworking does so in a session.
                _ = URLSession(configuration: .ephemeral)
            }
            let code = clibcurl_global_init()
            guard code == CLIBCURL_OK else {
                let reason = String(cString: clibcurl_easy_error(code))
                throw .curl(.unknown, "libcurl \(libcurl) failed to start: \(reason)")
            }
            canDecode = clibcurl_load_zlib("libz.so.1")
            let number = Int(found.number)
            asksBeforeRequests = !LibcurlFault.sendsUnasked.isIn(number)
            reusesHandles = !LibcurlFault.staleHeaderLine.isIn(number)
            reusesCleartextHTTP2 = !LibcurlFault.brokenCleartextHTTP2.isIn(number)
            version = CurlTransport.Version(
                libcurl: libcurl,
                tls: found.tls.map { String(cString: $0) },
                supportsHTTP2: Int(found.features) & CLIBCURL_FEATURE_HTTP2 != 0
            )
        }
    }
#endif

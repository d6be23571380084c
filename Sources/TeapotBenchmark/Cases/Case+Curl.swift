import Teapot

#if os(Linux)
    import CLibcurl
    import TeapotCurl
#endif

extension Sides where Value == Case.Maker {
    /// Calls of Teapot against the baseline, over each of its transports.
    init(
        baseline: @escaping Case.Maker,
        calls: @escaping @Sendable (Teapot) throws -> Workload,
        others: [Side: Case.Maker] = [:]
    ) {
        self.init(
            baseline: baseline,
            teapot: { server in try calls(.client(of: server)) },
            others: Case.curl { server, transport in try calls(.client(of: server, transport)) }
                .merging(others) { $1 }
        )
    }
}

extension Case {
    /// The same over `CurlTransport`, where that exists.
    static func curl(_ make: @escaping @Sendable (URL, any Transport) throws -> Workload) -> [Side: Maker] {
        #if os(Linux)
            [.curl: { server in try make(server, curlTransport) }]
        #else
            [:]
        #endif
    }

    /// A new `CurlTransport`, where that exists.
    static var curlTransport: any Transport {
        #if os(Linux)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }

    /// Requests by libcurl alone, one after the other, whose responses are not read.
    static func floor(_ path: String) -> [Side: Maker] {
        #if os(Linux)
            [
                .floor: { server in
                    guard CurlTransport.version != nil, let easy = clibcurl_easy_init() else {
                        throw PlainClient.Failure.noResponse
                    }
                    clibcurl_set_string(easy, CLIBCURL_URL, server.appending(path: path).absoluteString)
                    clibcurl_set_data_function(easy, CLIBCURL_WRITEFUNCTION) { _, size, count, _ in size * count }
                    // Used by one round at a time.
                    nonisolated(unsafe) let handle = easy
                    var workload = Workload.steps {
                        guard clibcurl_easy_perform(handle) == CLIBCURL_OK else { throw PlainClient.Failure.noResponse }
                    }
                    workload.end = { clibcurl_easy_cleanup(handle) }
                    return workload
                }
            ]
        #else
            [:]
        #endif
    }
}

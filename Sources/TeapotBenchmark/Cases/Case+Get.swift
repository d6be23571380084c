import Teapot
import TeapotMock

extension Case {
    /// A GET of a small JSON object, parsed.
    ///
    /// The baseline's handler is called on the session's own delegate queue and hops to no other.
    ///
    /// - Parameter inFlight: How many are under way at once.
    /// - Returns: The case.
    static func get(inFlight: Int = 1) -> Case {
        Case(
            name: inFlight == 1 ? "get" : "get-\(inFlight)",
            summary:
                "GET of a 150-byte JSON object, \(inFlight == 1 ? "one after the other" : "\(inFlight) in flight")",
            goal: 0.90,
            allocationRequests: inFlight == 1 ? 10 : nil,
            requests: inFlight == 1 ? 700 : 1_000,
            baseline: { server in
                plainGet(server.appending(path: SampleFiles.small), inFlight: inFlight, isArray: false)
            },
            teapot: { server in teapotGet(SampleFiles.small, from: server, inFlight: inFlight, isArray: false) },
            others: curl { server, transport in
                teapotGet(SampleFiles.small, from: server, inFlight: inFlight, isArray: false, transport)
            }.merging(inFlight == 1 ? floor(SampleFiles.small) : [:]) { $1 }
        )
    }

    /// A GET of 90 KB of JSON, parsed.
    static let getLarge = Case(
        name: "get-large",
        summary: "GET of an array of 1,000 JSON objects, 90 KB, one after the other",
        goal: 0.40,
        allocationRequests: 1,
        requests: 50,
        baseline: { server in plainGet(server.appending(path: SampleFiles.large), inFlight: 1, isArray: true) },
        teapot: { server in teapotGet(SampleFiles.large, from: server, inFlight: 1, isArray: true) },
        others: curl { teapotGet(SampleFiles.large, from: $0, inFlight: 1, isArray: true, $1) }
    )

    static func plainGet(_ url: URL, inFlight: Int, isArray: Bool) -> Workload {
        let client = PlainClient()
        return .calls(inFlight: inFlight) { completion in
            client.json(URLRequest(url: url)) { result in
                completion(failure(of: result, isArray: isArray))
            }
        }.ending(client.session)
    }

    static func teapotGet(
        _ path: String,
        from server: URL,
        inFlight: Int,
        isArray: Bool,
        _ transport: any Transport = URLSessionTransport()
    ) -> Workload {
        let teapot = Teapot.client(of: server, transport)
        return .calls(inFlight: inFlight) { completion in
            teapot.get(path) { completion($0.failure(isArray: isArray)) }
        }
    }

    /// Why a result is not the JSON object or array that was expected; `nil` if it is.
    static func failure(of result: Result<Any, any Error>, isArray: Bool) -> (any Error)? {
        switch result {
        case .success(let json):
            (isArray ? json is [[String: Any]] : json is [String: Any]) ? nil : PlainClient.Failure.notJSON
        case .failure(let error): error
        }
    }
}

extension Case {
    /// An async GET of a small JSON object, decoded.
    static let asyncDecodable = Case(
        name: "async-decodable",
        summary: "async GET of a 150-byte JSON object as a Decodable, one after the other",
        goal: 0.95,
        allocationRequests: 10,
        requests: 600,
        baseline: { server in
            let url = server.appending(path: SampleFiles.small)
            let client = PlainClient()
            return .tasks {
                _ = try await client.value(URLRequest(url: url), as: SampleFiles.User.self)
            }.ending(client.session)
        },
        teapot: { server in teapotDecode(from: server) },
        others: curl { teapotDecode(from: $0, $1) }
    )

    private static func teapotDecode(
        from server: URL,
        _ transport: any Transport = URLSessionTransport()
    ) -> Workload {
        let teapot = Teapot.client(of: server, transport)
        return .tasks { _ = try await teapot.get(SampleFiles.small, as: SampleFiles.User.self) }
    }
}

extension Case {
    /// The same as an ``Teapot/Endpoint`` with a query and a header field.
    static let endpoint = Case(
        name: "endpoint",
        summary: "async GET of the same object by an Endpoint with a query; the baseline builds the URLRequest",
        goal: nil,
        allocationRequests: 10,
        requests: 600,
        baseline: { server in
            let client = PlainClient()
            return .tasks {
                let url = server.appending(path: SampleFiles.small).appending(queryItems: UserEndpoint.queryItems)
                var request = URLRequest(url: url)
                for (name, value) in UserEndpoint.fields { request.setValue(value, forHTTPHeaderField: name) }
                _ = try await client.value(request, as: SampleFiles.User.self)
            }.ending(client.session)
        },
        teapot: { server in teapotEndpoint(from: server) },
        others: curl { teapotEndpoint(from: $0, $1) }
    )

    private struct UserEndpoint: Endpoint {
        typealias Response = SampleFiles.User
        static let queryItems = [URLQueryItem(name: "id", value: "47")]
        static let fields = ["Accept": "application/json", "X-Client": "benchmark"]

        var path: String { SampleFiles.small }
        var query: [URLQueryItem] { Self.queryItems }
        var headerFields: [String: String] { Self.fields }
    }

    private static func teapotEndpoint(
        from server: URL,
        _ transport: any Transport = URLSessionTransport()
    ) -> Workload {
        let teapot = Teapot.client(of: server, transport)
        return .tasks { _ = try await teapot.send(UserEndpoint()) }
    }
}

extension Case {
    /// A GET that fails with 503 and is sent again at once.
    static let retry = Case(
        name: "retry",
        summary: "GET of a 150-byte JSON object, answered with 503 and, sent again at once, with the object",
        goal: nil,
        requests: 300,
        baseline: { server in
            let request = URLRequest(url: server.appending(path: SampleFiles.retry))
            let client = PlainClient()
            return .calls { completion in
                client.json(request) { result in
                    guard case .failure(PlainClient.Failure.status(503)) = result else {
                        return completion(failure(of: result, isArray: false))
                    }
                    client.json(request) { completion(failure(of: $0, isArray: false)) }
                }
            }.ending(client.session)
        },
        teapot: { server in teapotRetry(from: server) },
        others: curl { teapotRetry(from: $0, $1) }
    )

    private static func teapotRetry(
        from server: URL,
        _ transport: any Transport = URLSessionTransport()
    ) -> Workload {
        let teapot = Teapot.client(of: server, transport)
        teapot.retryPolicy = RetryPolicy(baseDelay: .zero)
        return .calls { completion in
            teapot.get(SampleFiles.retry) { completion($0.failure()) }
        }
    }
}

extension Case {
    /// A GET of the small object that a mock answers.
    static let mockedGet = mocked(
        name: "mocked-get",
        of: "a 150-byte JSON object",
        goal: 0.05,
        path: SampleFiles.small,
        content: SampleFiles.smallContent,
        isArray: false,
        requests: 500
    )

    /// A GET of 90 KB of JSON that a mock answers.
    static let largeMock = mocked(
        name: "large-mock",
        of: "an array of 1,000 JSON objects",
        goal: nil,
        path: SampleFiles.large,
        content: SampleFiles.largeContent,
        isArray: true,
        requests: 25
    )

    /// A GET that a mock answers, against one over loopback by Teapot.
    private static func mocked(
        name: String,
        of content: String,
        goal: Double?,
        path: String,
        content body: Data,
        isArray: Bool,
        requests: Int
    ) -> Case {
        Case(
            name: name,
            summary: "GET of \(content) from MockTeapot; the baseline is Teapot's own over loopback",
            goal: goal,
            allocationRequests: isArray ? 1 : 10,
            requests: requests,
            teapotFactor: isArray ? 1 : 10,
            baseline: { server in teapotGet(path, from: server, inFlight: 1, isArray: isArray) },
            teapot: { _ in
                let mock = MockTeapot(strictIn: .main)
                mock.maximumRequestCount = 1_000
                try mock.overrideEndPoint(path, method: .get, with: .json(.data(body)))
                return .steps {
                    // The mock calls back before the verb returns.
                    let outcome = Locked<(any Error)?>(PlainClient.Failure.noResponse)
                    mock.get(path) { result in outcome.withLock { $0 = result.failure(isArray: isArray) } }
                    if let failure = outcome.withLock({ $0 }) { throw failure }
                }
            }
        )
    }
}

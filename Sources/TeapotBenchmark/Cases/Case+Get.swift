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
            makers: Sides(
                baseline: { plainGet($0.appending(path: SampleFiles.small), inFlight: inFlight) },
                calls: { teapot in teapotGet(SampleFiles.small, teapot, inFlight: inFlight) },
                others: inFlight == 1 ? floor(SampleFiles.small) : [:]
            )
        )
    }

    /// A GET of 90 KB of JSON, parsed.
    static let getLarge = Case(
        name: "get-large",
        summary: "GET of an array of 1,000 JSON objects, 90 KB, one after the other",
        goal: 0.40,
        allocationRequests: 1,
        requests: 50,
        makers: Sides(
            baseline: { plainGet($0.appending(path: SampleFiles.large), isArray: true) },
            calls: { teapot in teapotGet(SampleFiles.large, teapot, isArray: true) }
        )
    )

    private static func plainGet(_ url: URL, inFlight: Int = 1, isArray: Bool = false) -> Workload {
        let client = PlainClient()
        return .calls(inFlight: inFlight) { completion in
            client.json(URLRequest(url: url), isArray: isArray, completion: completion)
        }.ending(client.session)
    }

    private static func teapotGet(
        _ path: String,
        _ teapot: Teapot,
        inFlight: Int = 1,
        isArray: Bool = false
    ) -> Workload {
        .calls(inFlight: inFlight) { completion in
            teapot.get(path) { completion($0.failure(isArray: isArray)) }
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
        makers: Sides(
            baseline: { server in
                let url = server.appending(path: SampleFiles.small)
                let client = PlainClient()
                return .tasks {
                    _ = try await client.value(URLRequest(url: url), as: SampleFiles.User.self)
                }.ending(client.session)
            },
            calls: { teapot in
                .tasks { _ = try await teapot.get(Teapot.Path(SampleFiles.small), as: SampleFiles.User.self) }
            }
        )
    )
}

extension Case {
    /// The same as an ``Teapot/Endpoint`` with a query and a header field.
    static let endpoint = Case(
        name: "endpoint",
        summary: "async GET of the same object by an Endpoint with a query; the baseline builds the URLRequest",
        goal: nil,
        allocationRequests: 10,
        requests: 600,
        makers: Sides(
            baseline: { server in
                let client = PlainClient()
                return .tasks {
                    let url = server.appending(path: SampleFiles.small).appending(queryItems: UserEndpoint.queryItems)
                    var request = URLRequest(url: url)
                    for (name, value) in UserEndpoint.fields { request.setValue(value, forHTTPHeaderField: name) }
                    _ = try await client.value(request, as: SampleFiles.User.self)
                }.ending(client.session)
            },
            calls: { teapot in .tasks { _ = try await teapot.send(UserEndpoint()) } }
        )
    )

    private struct UserEndpoint: Endpoint {
        typealias Response = SampleFiles.User
        static let queryItems = [URLQueryItem(name: "id", value: "47")]
        static let fields = ["Accept": "application/json", "X-Client": "benchmark"]

        var request: Teapot.Request {
            Teapot.Request(
                path: Teapot.Path(SampleFiles.small),
                query: Teapot.QueryItems(Self.queryItems),
                headerFields: Self.fields
            )
        }
    }
}

extension Case {
    /// A GET that fails with 503 and is sent again at once.
    static let retry = Case(
        name: "retry",
        summary: "GET of a 150-byte JSON object, answered with 503 and, sent again at once, with the object",
        goal: nil,
        requests: 300,
        makers: Sides(
            baseline: { server in
                let request = URLRequest(url: server.appending(path: SampleFiles.retry))
                let client = PlainClient()
                return .calls { completion in
                    client.json(request) { failure in
                        guard case PlainClient.Failure.status(503)? = failure else { return completion(failure) }
                        client.json(request, completion: completion)
                    }
                }.ending(client.session)
            },
            calls: { teapot in
                teapot.retryPolicy = RetryPolicy(baseDelay: .zero)
                return .calls { completion in
                    teapot.get(SampleFiles.retry) { completion($0.failure()) }
                }
            }
        )
    )
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
            makers: Sides(
                baseline: { server in teapotGet(path, .client(of: server), isArray: isArray) },
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
        )
    }
}

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
        goal: 1.00,
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
    /// A GET that a mock answers, against one over loopback by Teapot.
    static let mockedGet = Case(
        name: "mocked-get",
        summary: "GET of a 150-byte JSON object from MockTeapot; the baseline is Teapot's own over loopback",
        goal: 0.05,
        allocationRequests: 10,
        requests: 500,
        teapotFactor: 10,
        baseline: { server in teapotGet(SampleFiles.small, from: server, inFlight: 1, isArray: false) },
        teapot: { _ in
            let mock = MockTeapot(strictIn: .main)
            mock.maximumRequestCount = 1_000
            let response = try MockResponse.json(.data(SampleFiles.smallContent))
            try mock.overrideEndPoint(SampleFiles.small, method: .get, with: response)
            return .steps {
                // The mock calls back before the verb returns.
                let outcome = Locked<(any Error)?>(PlainClient.Failure.noResponse)
                mock.get(SampleFiles.small) { result in outcome.withLock { $0 = result.failure() } }
                if let failure = outcome.withLock({ $0 }) { throw failure }
            }
        }
    )
}

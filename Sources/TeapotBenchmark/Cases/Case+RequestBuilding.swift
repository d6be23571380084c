import Teapot

extension Case {
    /// Building the `URLRequest` of a GET, without sending it.
    static let requestBuilding = Case(
        name: "request-building",
        summary: "a URLRequest of base URL, path, three query items and four header fields; no network",
        goal: 1.2,
        allocationRequests: 30,
        requests: 30_000,
        makers: Sides(
            baseline: { _ in
                let base = try base
                try check(plainRequest(base))
                return .steps { _ = try plainRequest(base) }
            },
            teapot: { _ in
                let teapot = Teapot(baseURL: try base)
                try check(teapotRequest(teapot))
                return .steps { _ = try teapotRequest(teapot) }
            }
        )
    )

    private static let path = "users/42/orders"
    private static let query = [("state", "open"), ("sort", "-created at"), ("limit", "50")]
    private static let headerFields = [
        "Accept": "application/json", "Accept-Language": "en", "X-Client": "benchmark",
        "X-Request-ID": "0123456789abcdef",
    ]
    private static let expectedURL =
        "https://api.example.com/v1/users/42/orders?state=open&sort=-created%20at&limit=50"

    private static var base: URL {
        get throws {
            guard let url = URL(string: "https://api.example.com/v1") else { throw URLError(.badURL) }
            return url
        }
    }

    private static func plainRequest(_ base: URL) throws -> URLRequest {
        guard var components = URLComponents(url: base, resolvingAgainstBaseURL: false) else { throw URLError(.badURL) }
        components.path += "/" + path
        components.queryItems = query.map { URLQueryItem(name: $0, value: $1) }
        guard let url = components.url else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        for (name, value) in headerFields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private static func teapotRequest(_ teapot: Teapot) throws -> URLRequest {
        try teapot.urlRequest(
            for: Teapot.Request(
                path: path,
                query: QueryItems(query.map { URLQueryItem(name: $0, value: $1) }),
                headerFields: headerFields
            )
        )
    }

    private static func check(_ request: URLRequest) throws {
        guard request.url?.absoluteString == expectedURL,
            headerFields.allSatisfy({ request.value(forHTTPHeaderField: $0.key) == $0.value })
        else {
            throw CaseFailure("unexpected request: \(request)")
        }
    }
}

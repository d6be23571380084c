import Teapot

extension Case {
    /// A POST of a dictionary, which is encoded for each request.
    static let post = Case(
        name: "post",
        summary: "POST of a 1 KB dictionary as JSON, one after the other",
        goal: 0.95,
        allocationRequests: 6,
        requests: 800,
        makers: Sides(
            baseline: { server in
                let url = server.appending(path: SampleFiles.post)
                let client = PlainClient()
                // Never changed.
                nonisolated(unsafe) let parameters = parameters
                return .calls { completion in
                    do {
                        var request = URLRequest(url: url)
                        request.httpMethod = "POST"
                        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                        request.httpBody = try JSONSerialization.data(withJSONObject: parameters)
                        client.json(request, completion: completion)
                    } catch {
                        completion(error)
                    }
                }.ending(client.session)
            },
            calls: { teapot in
                // Never changed.
                nonisolated(unsafe) let parameters = parameters
                return .calls { completion in
                    teapot.post(SampleFiles.post, parameters: parameters) { completion($0.failure()) }
                }
            }
        )
    )

    /// A dictionary that is 1 KB of JSON.
    private static var parameters: [String: Any] {
        [
            "id": 4711,
            "title": "An order of eight articles",
            "isUrgent": true,
            "total": 1249.5,
            "customer": ["id": 12, "name": "Grace Hopper", "email": "grace.hopper@example.com"],
            "articles": (1...8).map { number -> [String: Any] in
                [
                    "id": 1_000 + number, "name": "Article \(number) of the catalogue", "price": 12.25, "count": number,
                    "isInStock": number.isMultiple(of: 2),
                ]
            },
            "note": String(repeating: "Leave it at the door. ", count: 4),
        ]
    }
}

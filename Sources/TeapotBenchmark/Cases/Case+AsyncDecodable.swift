import Teapot

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
        teapot: { server in
            let teapot = Teapot.client(of: server)
            return .tasks { _ = try await teapot.get(SampleFiles.small, as: SampleFiles.User.self) }
        }
    )
}

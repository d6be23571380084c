import Teapot

extension SoakCall {
    /// The calls without Teapot, which show what the platform itself comes to hold: GETs of a small JSON object.
    static func plain(from server: URL) -> (calls: [SoakCall], connecting: SoakCall) {
        let session = URLSession(configuration: .default)
        @Sendable func get(_ path: String) async throws {
            guard let url = URL(string: path, relativeTo: server) else { throw URLError(.badURL) }
            let isSuccess = await withCheckedContinuation { continuation in
                session.dataTask(with: url) { data, response, _ in
                    let json = data.flatMap { try? JSONSerialization.jsonObject(with: $0) }
                    continuation.resume(
                        returning: (response as? HTTPURLResponse)?.statusCode == 200 && json is [String: Any]
                    )
                }.resume()
            }
            try WrongContent.unless(isSuccess, "the response")
        }
        return (
            [SoakCall(name: "GET, plain", share: 1) { _, number in try await get("get?number=\(number)") }],
            SoakCall(name: "delay, plain", share: 0) { _, _ in try await get(connectingPath) }
        )
    }
}

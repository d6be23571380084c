import Teapot

extension Case {
    /// A GET of a small JSON object, parsed and delivered on a serial queue that is not the main one.
    ///
    /// The baseline's handler is called on the session's own delegate queue and hops to no other.
    static func sequentialGet(from server: URL) -> Case {
        let url = server.appending(path: "get")
        let session = URLSession(configuration: .default)
        let teapot = Teapot(baseURL: server, defaultDeliveryQueue: DispatchQueue(label: "TeapotBenchmark.delivery"))
        return Case(
            name: "GET of a small JSON object, one after the other",
            baseline: { completion in
                session.dataTask(with: url) { data, response, _ in
                    let json = data.flatMap { try? JSONSerialization.jsonObject(with: $0) }
                    let isSuccess = (response as? HTTPURLResponse)?.statusCode == 200
                    completion(isSuccess && json is [String: Any])
                }.resume()
            },
            teapot: { completion in
                teapot.get("get") { result in
                    guard case .success(let json, _) = result else { return completion(false) }
                    completion(json?.dictionary != nil)
                }
            }
        )
    }
}

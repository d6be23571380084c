import Teapot

extension Teapot {
    /// A client that delivers on a serial queue that is not the main one, as a session's handlers are called on its own queue.
    static func client(of server: URL, _ transport: any Transport = URLSessionTransport()) -> Teapot {
        Teapot(
            baseURL: server,
            defaultDeliveryQueue: DispatchQueue(label: "TeapotBenchmark.delivery"),
            transport: transport
        )
    }
}

extension NetworkResult {
    /// Why it is not the JSON object or array that was expected; `nil` if it is.
    func failure(isArray: Bool = false) -> (any Error)? {
        switch self {
        case .success(let json, _):
            (isArray ? json?.array != nil : json?.dictionary != nil) ? nil : PlainClient.Failure.notJSON
        case .failure(_, _, let error): error
        }
    }
}

public import TeapotFoundation

/// Endpoints with closures, and for scripts. The async methods are those of ``RequestPerforming``.
extension Teapot {
    /// Sends an endpoint. The completion gets the value that the endpoint makes from the response, or an error. Queue, completion and task
    /// are those of ``get(_:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)-(String,_,_,_,_,_)``.
    @preconcurrency @discardableResult public func send<E: Endpoint>(
        _ endpoint: E,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<E.Response, TeapotError>) -> Void
    ) -> URLSessionTask? {
        send(try Request(endpoint), deliveryQueue: deliveryQueue) { outcome, _ in
            let result = outcome.flatMap { response in
                Result { () throws(TeapotError) in try endpoint.value(of: response) }
            }
            return { completion(result) }
        }
    }

    /// Sends an endpoint, and blocks the thread until its value arrives; see ``sendAndWait(_:)->Teapot.Response``.
    /// - Throws: The error of the call; `decodingFailed` if the body does not match the type.
    @available(*, noasync, message: "It would block a thread that other tasks need; use try await send(_:)")
    @discardableResult public func sendAndWait<E: Endpoint>(_ endpoint: E) throws(TeapotError) -> E.Response {
        try endpoint.value(of: waiting(for: try Request(endpoint)).get())
    }
}

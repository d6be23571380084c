public import TeapotFoundation

extension Teapot {
    /// Downloads an image; a path of `nil` is the base URL itself. The other parameters and the task are those of
    /// ``get(_:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)-(String,_,_,_,_,_)``.
    @preconcurrency @discardableResult public func downloadImage(
        path: String? = nil,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkImageResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return send(try Request(.get, path ?? "", options), deliveryQueue: deliveryQueue) { outcome, requestURL in
            // Made here, off the delivery queue, and passed on once, so that nothing else refers to the result.
            nonisolated(unsafe) let result = NetworkImageResult(outcome, requestURL: requestURL)
            return { completion(result) }
        }
    }

    /// Downloads an image; the same as
    /// ``downloadImage(path:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)``.
    @preconcurrency @discardableResult public func get(
        _ path: String? = nil,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkImageResult) -> Void
    ) -> URLSessionTask? {
        downloadImage(
            path: path,
            headerFields: headerFields,
            timeoutInterval: timeoutInterval,
            allowsCellular: allowsCellular,
            deliveryQueue: deliveryQueue,
            completion: completion
        )
    }

    /// Downloads an image; a path of `nil` is the base URL itself. The other parameters are those of ``get(_:query:headerFields:)``.
    /// - Throws: The error of the call; `missingImage` if the body is not an image.
    public func downloadImage(path: Path? = nil, query: QueryItems = [], headerFields: [String: String] = [:])
        async throws(TeapotError) -> sending TeapotImage
    {
        let response = try await send(Request(path: path ?? "", query: query, headerFields: headerFields))
        return try response.value { (response) throws(TeapotError) in try response.image() }
    }
}

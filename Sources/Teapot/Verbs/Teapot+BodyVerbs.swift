public import TeapotFoundation

/// The closure verbs with a body.
extension Teapot {
    /// Sends a `POST` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - parameters: The body: a dictionary or an array as JSON, or bytes.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    ///   - deliveryQueue: The queue for the completion; the default delivery queue if `nil`.
    ///   - completion: Called exactly once, unless the task is cancelled.
    /// - Returns: A task to suspend, resume and cancel the call; `nil` if the path is invalid, and on Apple
    ///   platforms also if the call has no task of a `URLSession`.
    @preconcurrency @discardableResult public func post(
        _ path: String,
        parameters: RequestParameter? = nil,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(try Request(.post, path, options, parameters), on: deliveryQueue, completion: completion)
    }

    /// Sends a `POST` request with a dictionary, an array of dictionaries, or the JSON of a result. Otherwise the same as with a
    /// ``RequestParameter``.
    @preconcurrency @discardableResult @_disfavoredOverload  // A literal is a `RequestParameter`.
    public func post(
        _ path: String,
        parameters: (some RequestParameterConvertible)?,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(
            try Request(.post, path, options, parameters?.requestParameter()),
            on: deliveryQueue,
            completion: completion
        )
    }

    /// Sends a `PUT` request. The parameters are those of
    /// ``post(_:parameters:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)-(_,RequestParameter?,_,_,_,_,_)``.
    @preconcurrency @discardableResult public func put(
        _ path: String,
        parameters: RequestParameter? = nil,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(try Request(.put, path, options, parameters), on: deliveryQueue, completion: completion)
    }

    /// Sends a `PUT` request with a dictionary, an array of dictionaries, or the JSON of a result. Otherwise the same as with a
    /// ``RequestParameter``.
    @preconcurrency @discardableResult @_disfavoredOverload  // A literal is a `RequestParameter`.
    public func put(
        _ path: String,
        parameters: (some RequestParameterConvertible)?,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(
            try Request(.put, path, options, parameters?.requestParameter()),
            on: deliveryQueue,
            completion: completion
        )
    }

    /// Sends a `PATCH` request. The parameters are those of
    /// ``post(_:parameters:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)-(_,RequestParameter?,_,_,_,_,_)``.
    @preconcurrency @discardableResult public func patch(
        _ path: String,
        parameters: RequestParameter? = nil,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(try Request(.patch, path, options, parameters), on: deliveryQueue, completion: completion)
    }

    /// Sends a `PATCH` request with a dictionary, an array of dictionaries, or the JSON of a result. Otherwise the same as with a
    /// ``RequestParameter``.
    @preconcurrency @discardableResult @_disfavoredOverload  // A literal is a `RequestParameter`.
    public func patch(
        _ path: String,
        parameters: (some RequestParameterConvertible)?,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(
            try Request(.patch, path, options, parameters?.requestParameter()),
            on: deliveryQueue,
            completion: completion
        )
    }

    /// Sends a `DELETE` request. The parameters are those of
    /// ``post(_:parameters:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)-(_,RequestParameter?,_,_,_,_,_)``.
    @preconcurrency @discardableResult public func delete(
        _ path: String,
        parameters: RequestParameter? = nil,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(try Request(.delete, path, options, parameters), on: deliveryQueue, completion: completion)
    }

    /// Sends a `DELETE` request with a dictionary, an array of dictionaries, or the JSON of a result. Otherwise the same as with a
    /// ``RequestParameter``.
    @preconcurrency @discardableResult @_disfavoredOverload  // A literal is a `RequestParameter`.
    public func delete(
        _ path: String,
        parameters: (some RequestParameterConvertible)?,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(
            try Request(.delete, path, options, parameters?.requestParameter()),
            on: deliveryQueue,
            completion: completion
        )
    }
}

public import TeapotFoundation

extension Teapot {
    /// Sends a `GET` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, with or without a leading slash; `""` is the base URL itself.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    ///   - deliveryQueue: The queue for the completion; the default delivery queue if `nil`.
    ///   - completion: Called exactly once, unless the task is cancelled.
    /// - Returns: A task to suspend, resume and cancel the call; `nil` if the path is invalid, and on Apple
    ///   platforms also if the call has no task of a `URLSession`.
    @preconcurrency @discardableResult public func get(
        _ path: String,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        call(.get, path, (headerFields, timeoutInterval, allowsCellular), on: deliveryQueue, completion)
    }

    /// Sends a `HEAD` request: it returns the status and header fields, but no body. The parameters are those of
    /// ``get(_:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)-(String,_,_,_,_,_)``.
    @preconcurrency @discardableResult public func head(
        _ path: String,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        call(.head, path, (headerFields, timeoutInterval, allowsCellular), on: deliveryQueue, completion)
    }

    /// Sends a `POST` request. Its body, `parameters`, is a dictionary or an array as JSON, or bytes. The other parameters and the task
    /// are those of ``get(_:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)-(String,_,_,_,_,_)``.
    @preconcurrency @discardableResult public func post(
        _ path: String,
        parameters: RequestParameter? = nil,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        call(.post, path, (headerFields, timeoutInterval, allowsCellular), parameters, on: deliveryQueue, completion)
    }

    /// Sends a `POST` request with a dictionary, an array of dictionaries, or the JSON of a result. Otherwise the same as with a
    /// ``RequestParameter``.
    @preconcurrency @discardableResult @_disfavoredOverload  // A literal is a `RequestParameter`; so too below.
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
        return call(.post, path, options, try parameters?.requestParameter(), on: deliveryQueue, completion)
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
        call(.put, path, (headerFields, timeoutInterval, allowsCellular), parameters, on: deliveryQueue, completion)
    }

    /// Sends a `PUT` request with a ``RequestParameterConvertible``. Otherwise the same as with a ``RequestParameter``.
    @preconcurrency @discardableResult @_disfavoredOverload public func put(
        _ path: String,
        parameters: (some RequestParameterConvertible)?,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(.put, path, options, try parameters?.requestParameter(), on: deliveryQueue, completion)
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
        call(.patch, path, (headerFields, timeoutInterval, allowsCellular), parameters, on: deliveryQueue, completion)
    }

    /// Sends a `PATCH` request with a ``RequestParameterConvertible``. Otherwise the same as with a ``RequestParameter``.
    @preconcurrency @discardableResult @_disfavoredOverload public func patch(
        _ path: String,
        parameters: (some RequestParameterConvertible)?,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(.patch, path, options, try parameters?.requestParameter(), on: deliveryQueue, completion)
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
        call(.delete, path, (headerFields, timeoutInterval, allowsCellular), parameters, on: deliveryQueue, completion)
    }

    /// Sends a `DELETE` request with a ``RequestParameterConvertible``. Otherwise the same as with a ``RequestParameter``.
    @preconcurrency @discardableResult @_disfavoredOverload public func delete(
        _ path: String,
        parameters: (some RequestParameterConvertible)?,
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        let options = (headerFields, timeoutInterval, allowsCellular)
        return call(.delete, path, options, try parameters?.requestParameter(), on: deliveryQueue, completion)
    }

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

    /// The options that closure verbs take besides path and body.
    typealias Options = (headerFields: [String: String]?, timeoutInterval: TimeInterval?, allowsCellular: Bool)

    func call(
        _ method: HTTPMethod,
        _ path: String,
        _ options: Options,
        _ parameter: @autoclosure () throws(TeapotError) -> RequestParameter? = nil,
        on deliveryQueue: DispatchQueue?,
        _ completion: @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask? {
        send(try Request(method, path, options, parameter()), deliveryQueue: deliveryQueue) { outcome, requestURL in
            // Parsing so few bytes takes some 0.02 ms. The thread of a transport that parses between two outcomes wakes up the
            // queue's thread for each.
            if case .success(let response) = outcome, response.data.count <= 2_048 {
                return { completion(.success(response.json, response.http)) }
            }
            // Parsed here, off the delivery queue, and passed on once, so that nothing else refers to the result.
            nonisolated(unsafe) let result = NetworkResult(outcome, requestURL: requestURL)
            return { completion(result) }
        }
    }
}

extension Teapot.Request {
    /// The request of a closure verb. The caller's own media type takes precedence, so that the body need not be examined.
    init(_ method: Teapot.HTTPMethod, _ path: String, _ options: Teapot.Options, _ parameter: RequestParameter? = nil)
        throws(TeapotError)
    {
        self.init(method, path: Teapot.Path(path), headerFields: options.headerFields ?? [:])
        timeoutInterval = options.timeoutInterval
        allowsCellular = options.allowsCellular
        guard let parameter else { return }
        body = try Body(parameter, contentType: headerFields[field: "Content-Type"])
    }
}

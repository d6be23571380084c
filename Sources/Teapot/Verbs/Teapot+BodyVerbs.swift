public import TeapotFoundation

extension Teapot {
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
}

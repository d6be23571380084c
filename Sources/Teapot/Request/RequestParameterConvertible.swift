/// Makes the body of a closure verb: a dictionary, an array of dictionaries, or ``JSON``.
public protocol RequestParameterConvertible {
    /// The body. Throws `invalidPayload` if the value is neither a JSON object nor an array of objects.
    func requestParameter() throws(TeapotError) -> RequestParameter
}

extension JSON: RequestParameterConvertible {
    /// The JSON.
    public func requestParameter() throws(TeapotError) -> RequestParameter { RequestParameter(self) }
}

extension Dictionary: RequestParameterConvertible where Key == String {
    /// A JSON object.
    public func requestParameter() throws(TeapotError) -> RequestParameter { .dictionary(self) }
}

extension Array: RequestParameterConvertible where Element: RequestParameterConvertible {
    /// An array of JSON objects.
    public func requestParameter() throws(TeapotError) -> RequestParameter {
        var objects: [[String: Any]] = []
        for (index, element) in enumerated() {
            guard case .dictionary(let object) = try element.requestParameter() else {
                throw .invalidPayload(reason: "$[\(index)]: only an array of JSON objects can be sent", isJSON: true)
            }
            objects.append(object)
        }
        return .array(objects)
    }
}

public import Foundation

/// The body of a request for the closure verbs, sent as JSON, or unchanged if it is data. There will be no other cases.
public enum RequestParameter: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// A JSON object.
    case dictionary([String: Any])
    /// An array of JSON objects.
    case array([[String: Any]])
    /// Bytes, sent unchanged.
    case data(Data)

    /// Makes a body from a dictionary that JSON can represent.
    public init(_ dictionary: [String: Any]) { self = .dictionary(dictionary) }
    /// Makes a body from an array of dictionaries that JSON can represent.
    public init(_ array: [[String: Any]]) { self = .array(array) }
    /// Makes a body from bytes.
    public init(_ data: Data) { self = .data(data) }

    /// Makes a body from JSON, for example of an earlier response.
    public init(_ json: JSON) {
        switch json {
        case .dictionary(let dictionary): self = .dictionary(dictionary)
        case .array(let array): self = .array(array)
        }
    }

    /// Makes a body from the JSON of a result; `nil` if there is none.
    public init?(_ json: JSON?) {
        guard let json else { return nil }
        self.init(json)
    }

    /// Makes a JSON object: `["title": "Tea", "count": 2]`. Of values for one name, the last is kept.
    public init(dictionaryLiteral elements: (String, Any)...) { self = .dictionary(Dictionary(elements) { $1 }) }

    /// Makes an array of JSON objects.
    public init(arrayLiteral elements: [String: Any]...) { self = .array(elements) }

    /// The dictionary; for ``data(_:)``, the JSON object in the bytes. `nil` if there is none.
    public var dictionary: [String: Any]? { parsed?.dictionary }
    /// The array; for ``data(_:)``, the array of JSON objects in the bytes. `nil` if there is none.
    public var array: [[String: Any]]? { parsed?.array }

    private var parsed: JSON? {
        switch self {
        case .dictionary(let dictionary): JSON(dictionary)
        case .array(let array): JSON(array)
        case .data(let data): try? JSON(data: data)
        }
    }

    /// The bytes of the body; `nil` if JSON cannot represent the dictionary or the array.
    ///
    /// Use these bytes for signatures: every call with the parameter sends exactly them. Equal values give equal bytes:
    /// JSON has its keys in the order of their Unicode scalars, no white space, and unescaped slashes. Those of
    /// `JSONSerialization.data(withJSONObject:)` can differ, on Linux even from one call to the next.
    public var data: Data? { try? encoded() }

    /// The bytes of the body. Throws `invalidPayload`, with the place of a value that JSON (RFC 8259) cannot represent.
    package func encoded() throws(TeapotError) -> Data {
        switch self {
        case .data(let data): data
        case .dictionary(let dictionary): try JSONWriter.data(of: dictionary)
        case .array(let array): try JSONWriter.data(of: array)
        }
    }
}

/// Makes the body of a closure verb: a dictionary, an array of dictionaries, or ``JSON``.
public protocol RequestParameterConvertible {
    /// The body. Throws `invalidPayload` if the value is neither a JSON object nor an array of objects.
    func requestParameter() throws(TeapotError) -> RequestParameter
}

extension JSON: RequestParameterConvertible {
    /// The JSON as bytes with sorted keys; `nil` if it contains a value that JSON cannot represent.
    public var data: Data? { RequestParameter(self).data }

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

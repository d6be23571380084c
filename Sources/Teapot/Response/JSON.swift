public import Foundation

/// A JSON body: an object or an array of objects.
///
/// There are exactly these two cases, so that a `switch` over both is complete. Other JSON values are not errors: a
/// response whose body is, say, `[1, 2, 3]` has no ``JSON``, but keeps its bytes.
public enum JSON {
    /// A JSON object.
    case dictionary([String: Any])
    /// An array of JSON objects.
    case array([[String: Any]])

    /// Makes JSON from a dictionary.
    public init(_ dictionary: [String: Any]) {
        self = .dictionary(dictionary)
    }

    /// Makes JSON from an array of dictionaries.
    public init(_ array: [[String: Any]]) {
        self = .array(array)
    }

    /// Parses bytes (RFC 8259).
    ///
    /// - Parameter data: UTF-8, or another encoding that `JSONSerialization` recognises.
    /// - Throws: ``TeapotError`` of type `decodingFailed` when the bytes are not a JSON object or an array of objects.
    public init(data: Data) throws(TeapotError) {
        guard let object = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else {
            throw .decodingFailed(reason: "it is not valid JSON", data: data)
        }
        switch object {
        case let dictionary as [String: Any]: self = .dictionary(dictionary)
        case let array as [[String: Any]]: self = .array(array)
        default: throw .decodingFailed(reason: "the JSON is neither an object nor an array of objects", data: data)
        }
    }

    /// The dictionary, if it is one.
    public var dictionary: [String: Any]? {
        guard case .dictionary(let dictionary) = self else { return nil }
        return dictionary
    }

    /// The array, if it is one.
    public var array: [[String: Any]]? {
        guard case .array(let array) = self else { return nil }
        return array
    }

    /// The JSON as bytes, keys in order; `nil` when it holds a value that JSON cannot hold.
    public var data: Data? {
        RequestParameter(self).data
    }
}

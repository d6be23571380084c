public import TeapotFoundation

/// A JSON body: an object or an array of objects.
///
/// There will never be other cases than these two, so that a `switch` over both is complete. Other JSON values are not
/// errors: a response whose body is, for example, `[1, 2, 3]` has no ``JSON``, but keeps its bytes.
public enum JSON {
    /// A JSON object.
    case dictionary([String: Any])
    /// An array of JSON objects.
    case array([[String: Any]])

    /// Makes JSON from a dictionary.
    public init(_ dictionary: [String: Any]) { self = .dictionary(dictionary) }
    /// Makes JSON from an array of dictionaries.
    public init(_ array: [[String: Any]]) { self = .array(array) }

    /// Parses JSON (RFC 8259) in UTF-8, or in another encoding that `JSONSerialization` recognizes. It throws
    /// `decodingFailed` if the bytes are not a JSON object or an array of objects.
    public init(data: Data) throws(TeapotError) {
        guard let object = JSONScanner.value(of: data) else {
            throw .decodingFailed(FailureReason("it is not valid JSON"), data: data)
        }
        switch object {
        case let dictionary as [String: Any]: self = .dictionary(dictionary)
        case let array as [[String: Any]]: self = .array(array)
        default:
            throw .decodingFailed(FailureReason("the JSON is neither an object nor an array of objects"), data: data)
        }
    }

    /// The JSON of a response's body; `nil` if there is none.
    init?(_ data: Data, of response: ResponseHead?) {
        guard let json = try? data.parsedAsJSON(of: response, { try JSON(data: $0) }) else { return nil }
        self = json
    }

    /// The dictionary; `nil` if this is an array.
    public var dictionary: [String: Any]? { if case .dictionary(let dictionary) = self { dictionary } else { nil } }
    /// The array; `nil` if this is a dictionary.
    public var array: [[String: Any]]? { if case .array(let array) = self { array } else { nil } }
}

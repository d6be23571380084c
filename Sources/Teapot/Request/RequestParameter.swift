public import Foundation

/// The body of a request, as the closure verbs take it.
///
/// A dictionary or an array goes out as JSON, data as it stands.
public enum RequestParameter {
    /// A JSON object.
    case dictionary([String: Any])
    /// An array of JSON objects.
    case array([[String: Any]])
    /// Bytes, sent as they stand.
    case data(Data)

    /// Makes a body from a dictionary that JSON can hold.
    public init(_ dictionary: [String: Any]) {
        self = .dictionary(dictionary)
    }

    /// Makes a body from an array of dictionaries that JSON can hold.
    public init(_ array: [[String: Any]]) {
        self = .array(array)
    }

    /// Makes a body from bytes.
    public init(_ data: Data) {
        self = .data(data)
    }

    /// Makes a body from JSON, such as that of an earlier response.
    public init(_ json: JSON) {
        switch json {
        case .dictionary(let dictionary): self = .dictionary(dictionary)
        case .array(let array): self = .array(array)
        }
    }

    /// The dictionary; for ``data(_:)``, the JSON object that the bytes hold. `nil` if there is none.
    public var dictionary: [String: Any]? {
        switch self {
        case .dictionary(let dictionary): dictionary
        case .array: nil
        case .data(let data): (try? JSON(data: data))?.dictionary
        }
    }

    /// The array; for ``data(_:)``, the array of JSON objects that the bytes hold. `nil` if there is none.
    public var array: [[String: Any]]? {
        switch self {
        case .dictionary: nil
        case .array(let array): array
        case .data(let data): (try? JSON(data: data))?.array
        }
    }

    /// The bytes of the body; `nil` when JSON cannot hold the dictionary or the array.
    ///
    /// Sign these bytes: every call that takes the parameter sends exactly them. JSON has its keys in the order of their
    /// Unicode scalars, no white space, and slashes that are not escaped, so that equal values give equal bytes. Those of
    /// `JSONSerialization.data(withJSONObject:)` can differ: on Linux, from one call to the next.
    public var data: Data? {
        try? encoded()
    }

    /// The bytes of the body.
    ///
    /// - Throws: `invalidPayload`, with the place of the value that JSON (RFC 8259) cannot hold.
    package func encoded() throws(TeapotError) -> Data {
        switch self {
        case .data(let data): data
        case .dictionary(let dictionary): try JSONWriter.data(of: dictionary)
        case .array(let array): try JSONWriter.data(of: array)
        }
    }
}

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

    /// The bytes that go out; `nil` when JSON cannot hold the dictionary or the array.
    public var data: Data? {
        try? JSONBytes.encode(self)
    }
}

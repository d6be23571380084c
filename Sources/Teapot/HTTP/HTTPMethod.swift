internal import Foundation

/// The method of a request: `GET`, `POST`, or any other token a server understands.
///
/// Methods are case-sensitive (RFC 9110, section 9.1), so `HTTPMethod(rawValue: "get")` is not ``get``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it stands in the request line.
    public let rawValue: String

    /// Makes a method from a token; `nil` if it is not one (RFC 9110, section 5.6.2), so that a method can carry no
    /// space and no line break into the request line, or if it has more than 64 characters: FoundationNetworking traps on
    /// very long ones.
    ///
    /// - Parameter rawValue: The method, say `"PURGE"`.
    public init?(rawValue: String) {
        guard rawValue.utf8.count <= 64, HeaderFieldRules.isToken(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) {
        rawValue = known
    }

    /// `GET`
    public static let get = HTTPMethod(known: "GET")
    /// `HEAD`
    public static let head = HTTPMethod(known: "HEAD")
    /// `POST`
    public static let post = HTTPMethod(known: "POST")
    /// `PUT`
    public static let put = HTTPMethod(known: "PUT")
    /// `PATCH`
    public static let patch = HTTPMethod(known: "PATCH")
    /// `DELETE`
    public static let delete = HTTPMethod(known: "DELETE")

    /// Whether a request of this method may be sent twice (RFC 9110, section 9.2.2).
    var isIdempotent: Bool { ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(rawValue) }

    /// The method as it stands in the request line.
    public var description: String { rawValue }
}

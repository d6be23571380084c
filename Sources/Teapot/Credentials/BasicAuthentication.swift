import Foundation

/// The Basic scheme (RFC 7617).
enum BasicAuthentication {
    /// The value of an `Authorization` header field.
    /// - Returns: `nil` if the username contains a colon or either contains a control character, which the scheme cannot
    ///   express (RFC 7617, section 2).
    static func value(username: String, password: String) -> String? {
        guard !username.holdsControlCharacters, !password.holdsControlCharacters else { return nil }
        guard !username.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return "Basic " + Data("\(username):\(password)".utf8).base64EncodedString()
    }
}

extension Teapot {
    /// The name of the header field that carries credentials: `Authorization`.
    public var basicAuthenticationHeaderKey: String { "Authorization" }

    /// The value of the header field for the Basic scheme (RFC 7617).
    ///
    /// - Parameters:
    ///   - username: The name of the user, without a colon.
    ///   - password: The password.
    /// - Returns: For admin and test123, `Basic YWRtaW46dGVzdDEyMw==`; `nil` if the username contains a colon, or either
    ///   contains a control character, which the scheme cannot express.
    public func basicAuthenticationValue(username: String, password: String) -> String? {
        BasicAuthentication.value(username: username, password: password)
    }

    /// The name and value of the header field for the Basic scheme (RFC 7617), to pass to a verb; empty when
    /// ``basicAuthenticationValue(username:password:)`` is `nil`.
    public func basicAuthenticationHeader(username: String, password: String) -> [String: String] {
        guard let value = basicAuthenticationValue(username: username, password: password) else { return [:] }
        return [basicAuthenticationHeaderKey: value]
    }
}

public import TeapotFoundation

/// What a client shows to be let in: the value of a header field, `Authorization` unless it is another.
///
/// It is a plugin that adds the field to requests:
///
/// ```swift
/// teapot.plugins = [.bearer(token)]
/// ```
///
/// No text of it shows the value, and the field is a secret of the call that carries it, whatever its name: it stays behind when
/// a redirect leads to another origin. Its value, and what stands behind a scheme such as `Bearer`, is shown as `<redacted>`
/// wherever Teapot writes it, also where a server repeats it: in the log, errors, cURL lines, recordings, and what a mock says of
/// requests. From 6 bytes on it is found anywhere, shorter ones in the header field. The same goes for a credential that is not a
/// plugin by itself but used by one.
public struct Credential: Sendable, Hashable {
    /// The name of the header field.
    package let name: String
    /// What the field says; `nil` for what its scheme cannot say.
    let value: String?
    /// When an ``Authenticator`` is to replace it; `nil` if only a 401 tells.
    let expires: Date?

    /// Makes a credential that is a header field of any name, such as `X-API-Key`. Nothing is checked before it is sent.
    ///
    /// - Parameters:
    ///   - headerField: The name of the field, a token (RFC 9110, section 5.6.2).
    ///   - value: Its whole value, without line breaks and NULs.
    ///   - expires: When it expires, if that is known. An ``Authenticator`` then replaces it in time; a plugin does not look.
    public init(headerField: String, value: String, expires: Date? = nil) {
        name = headerField
        self.value = value
        self.expires = expires
    }

    fileprivate init(authorization value: String?, expires: Date? = nil) {
        name = "Authorization"
        self.value = value
        self.expires = expires
    }

    /// Takes the credentials that plugins set while they prepare a request.
    @TaskLocal static var inUse: Locked<[Credential]>?

    /// Sets the header field, whatever the request has of that name.
    ///
    /// - Throws: `invalidHeaderField` for what the scheme cannot say, or a header field cannot hold.
    func apply(to request: inout URLRequest) throws(TeapotError) {
        guard let value else {
            let reason = "the username contains a colon, or the username or password contains a control character"
            throw .invalidHeaderField(reason: reason)
        }
        try HeaderFieldRules.check([name: value])
        request.setValue(value, forHTTPHeaderField: name)
    }
}

extension Credential: Teapot.Plugin {
    /// Sets the header field, unless the request has one of that name already: its own, that of the configuration, or what
    /// the user information of the base URL says.
    ///
    /// - Parameter request: The request.
    /// - Throws: `invalidHeaderField` for what the scheme cannot say, or a header field cannot hold.
    public func prepare(_ request: inout URLRequest) throws {
        // Whether or not it sets anything.
        Self.inUse?.withLock { $0.append(self) }
        guard request.value(forHTTPHeaderField: name) == nil else { return }
        try apply(to: &request)
    }
}

extension Teapot.Plugin where Self == Credential {
    /// A bearer token (RFC 6750).
    ///
    /// - Parameters:
    ///   - token: The token, without `Bearer`.
    ///   - expires: When it expires, if that is known: the `expires_in` of an OAuth server is a number of seconds from now. An
    ///     ``Authenticator`` then replaces it in time.
    /// - Returns: The credential.
    public static func bearer(_ token: String, expires: Date? = nil) -> Credential {
        Credential(authorization: "Bearer \(token)", expires: expires)
    }

    /// A username and a password in the Basic scheme (RFC 7617).
    ///
    /// - Parameters:
    ///   - username: The name of the user. One that holds a colon cannot be sent.
    ///   - password: The password. Neither may hold control characters.
    /// - Returns: The credential.
    public static func basic(username: String, password: String) -> Credential {
        Credential(authorization: BasicAuthentication.value(username: username, password: password))
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the field, without its value.
    public var description: String { "\(name.onOneLine): \(SecretPolicy.replacement)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The same, for `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name.onOneLine, "value": SecretPolicy.replacement], displayStyle: .struct)
    }
}

public import TeapotFoundation

/// A credential for a header field, by default `Authorization`.
///
/// It is a plugin that adds the field to requests:
///
/// ```swift
/// teapot.plugins = [Credential.bearer(token)]
/// ```
///
/// Its descriptions never show the value. The field is a secret of the call that carries it, whatever its name: a redirect to
/// another origin does not get it, and wherever Teapot writes the value, or the part after a scheme such as `Bearer`, it shows
/// `<redacted>`, even if a server repeats it. Values of less than 6 bytes are found only in the header field. The same applies
/// to a credential that another plugin uses.
public struct Credential: Sendable, Equatable, CustomReflectable, Teapot.Plugin {
    /// The name of the header field.
    package let name: String
    /// The value of the field; `nil` if its scheme cannot express it.
    let value: String?
    /// The time at which an ``Authenticator`` replaces it; `nil` if only a 401 shows that.
    let expires: Date?
    /// Sets the field, if its value depends on the request.
    private(set) var signer: Signer?
    /// The secrets that it adds to those of a call: the search for them is made once, not for each call.
    let secrets: KnownSecrets

    /// Makes a credential for a header field of any name, such as `X-API-Key`. Nothing is checked before it is sent.
    ///
    /// - Parameters:
    ///   - headerField: The name of the field, a token (RFC 9110, section 5.6.2).
    ///   - value: Its whole value, without line breaks and NULs.
    ///   - expires: The expiry date, if known. An ``Authenticator`` then replaces it in time; a plugin ignores it.
    public init(headerField: String, value: String, expires: Date? = nil) { self.init(headerField, value, expires) }

    private init(_ name: String, _ value: String?, _ expires: Date? = nil) {
        self.name = name
        self.value = value
        self.expires = expires
        secrets = value.map { KnownSecrets([$0]) } ?? .none
    }

    /// The name of the field, without its value.
    public var customMirror: Mirror { Mirror(self, shown: [name.onOneLine: SecretPolicy.replacement]) }

    /// Collects the credentials that plugins set while they prepare a request.
    @TaskLocal static var inUse: Locked<[Credential]>?

    /// Sets the header field, replacing any of that name.
    func apply(to request: inout URLRequest) throws(TeapotError) {
        // It signs when the request is sent.
        if signer == nil { request.setField(name, try checkedValue()) }
    }

    func checkedValue() throws(TeapotError) -> String {
        guard let value else {
            let reason = "the username contains a colon, or the username or password contains a control character"
            throw .invalidHeaderField(reason: reason)
        }
        try HeaderFieldRules.check([name: value])
        return value
    }

    /// Sets the header field, unless the request already has one of that name: its own, that of the configuration, or that from
    /// the user information of the base URL.
    /// - Throws: `invalidHeaderField` if the scheme or a header field cannot express the value.
    public func prepare(_ request: inout URLRequest) throws {
        // Whether or not it sets anything.
        Self.inUse?.withLock { $0.append(self) }
        guard request.value(forHTTPHeaderField: name) == nil else { return }
        try apply(to: &request)
    }
}

extension Credential {
    /// A bearer token (RFC 6750), given without `Bearer`. If the expiry date is known, an ``Authenticator`` replaces it in time:
    /// the `expires_in` of an OAuth server is a number of seconds from now.
    public static func bearer(_ token: String, expires: Date? = nil) -> Credential {
        Credential("Authorization", "Bearer \(token)", expires)
    }

    /// A username and a password in the Basic scheme (RFC 7617). The username cannot contain a colon, and neither can contain
    /// control characters.
    public static func basic(username: String, password: String) -> Credential {
        // What the scheme cannot express: RFC 7617, section 2.
        let hasControlCharacters = username.holdsControlCharacters || password.holdsControlCharacters
        let isInvalid = hasControlCharacters || username.utf8.contains(UInt8(ascii: ":"))
        let value = "Basic " + Data("\(username):\(password)".utf8).base64EncodedString()
        return Credential("Authorization", isInvalid ? nil : value)
    }

    /// Makes a Basic credential from the ID and secret of an OAuth client, each form-encoded (RFC 6749, section 2.3.1).
    ///
    /// Some servers do not decode them. It makes a difference if either contains other characters than letters, digits, `-`, `.`,
    /// `_` and `*`: if such a server refuses it, use ``basic(username:password:)``.
    public static func basic(clientID: String, clientSecret: String) -> Credential {
        .basic(username: PercentEncoding.encodeForm(clientID), password: PercentEncoding.encodeForm(clientSecret))
    }

    /// The closure of a credential that signs, equal to itself only.
    final class Signer: Sendable, Equatable {
        let sign: @Sendable (inout URLRequest, Teapot.Request.Body?) throws -> Void

        init(_ sign: @escaping @Sendable (inout URLRequest, Teapot.Request.Body?) throws -> Void) { self.sign = sign }

        static func == (lhs: Signer, rhs: Signer) -> Bool { lhs === rhs }
    }

    /// A credential that signs each request, such as one for AWS Signature Version 4.
    ///
    /// The closure changes the request after all plugins, before cookies are added, as they are called. It is called for
    /// each attempt, and for each redirect within the same origin, always with the request without an earlier signature. A
    /// redirect to another origin is not signed. Every header field that the closure sets, except `Host`, is a secret like that
    /// of any credential. It can also change the query, but not the origin, the method or the body.
    ///
    /// - Parameters:
    ///   - headerField: The name of the field that contains the signature. A request that already has it is not signed.
    ///   - expires: The expiry date of the key, if known. An ``Authenticator`` then replaces it in time.
    ///   - sign: Signs a request. The second argument is the body, `nil` if there is none: its `data`, its `file`, or its
    ///     `pieces`, which are sent while they are made and must not be read. An error fails the call as that of
    ///     ``Teapot/Teapot/Plugin/prepare(_:)`` does.
    /// - Returns: The credential, equal to copies of itself only.
    public static func signing(
        headerField: String = "Authorization",
        expires: Date? = nil,
        _ sign: @escaping @Sendable (_ request: inout URLRequest, _ body: Teapot.Request.Body?) throws -> Void
    ) -> Credential {
        var credential = Credential(headerField: headerField, value: "", expires: expires)
        credential.signer = Signer(sign)
        return credential
    }
}

extension SecretPolicy {
    /// A policy that also treats the names and the values of credentials as secrets; a policy that is off stays so.
    package func adding(_ credentials: [Credential]) -> SecretPolicy {
        guard let first = credentials.first else { return self }
        let known = known ?? .none
        var fields: [String] = []
        for credential in credentials where credential.name != "Authorization" { fields.append(credential.name) }
        // The search for the secrets of a single credential is made once, not for each call.
        let isFirst = credentials.count == 1 && known === KnownSecrets.none
        return adding(fields: fields, isFirst ? first.secrets : known.adding(credentials.compactMap(\.value)))
    }
}

extension Teapot {
    /// The name of the header field that carries credentials: `Authorization`.
    public var basicAuthenticationHeaderKey: String { "Authorization" }

    /// The value of the header field for the Basic scheme (RFC 7617): for admin and test123, `Basic YWRtaW46dGVzdDEyMw==`;
    /// `nil` if the username contains a colon, or either contains a control character, which the scheme cannot express.
    public func basicAuthenticationValue(username: String, password: String) -> String? {
        Credential.basic(username: username, password: password).value
    }

    /// The name and value of the header field for the Basic scheme (RFC 7617), to pass to a verb; empty when
    /// ``basicAuthenticationValue(username:password:)`` is `nil`.
    public func basicAuthenticationHeader(username: String, password: String) -> [String: String] {
        guard let value = basicAuthenticationValue(username: username, password: password) else { return [:] }
        return [basicAuthenticationHeaderKey: value]
    }
}

extension Teapot.Plugin where Self == Credential {
    /// Makes a Basic credential from the ID and secret of an OAuth client, each form-encoded (RFC 6749, section 2.3.1).
    ///
    /// - Parameters:
    ///   - clientID: The identifier of the client.
    ///   - clientSecret: Its secret.
    /// - Returns: The credential.
    public static func basic(clientID: String, clientSecret: String) -> Credential {
        .basic(
            username: PercentEncoding.encodeForm(clientID),
            password: PercentEncoding.encodeForm(clientSecret)
        )
    }
}

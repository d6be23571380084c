extension Teapot.SentRequest {
    /// A command line for bash or zsh that sends the same request by `curl`: one line, without a line break at its end.
    ///
    /// It has the method, the URL, the header fields and the body of the request; what the transport itself adds, such as
    /// `User-Agent`, is left to curl. Redirects are not followed, as each is a request of its own here. A body that is no text
    /// takes its way through `base64`. One in a file is named, not copied: a temporary file, such as that of a form with large
    /// parts, is there for as long as the call.
    ///
    /// - Parameter showsSecrets: Whether everything is shown, and so the line sends the same in any case. Otherwise it shows what
    ///   the log shows, by the ``Teapot/Teapot/secretPolicy``: `<redacted>` in the place of secrets, and of a body of which
    ///   the log only says how many bytes there are, just that.
    /// - Returns: The command line. Control characters and what changes the direction of writing are escaped, so that it looks
    ///   like what it does.
    public func curlCommand(showsSecrets: Bool = false) -> String {
        CurlCommand(of: self, showsSecrets: showsSecrets).text
    }
}

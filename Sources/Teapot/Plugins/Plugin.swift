public import TeapotFoundation

extension Teapot {
    /// What looks at requests and answers as they pass, and may change a request before it is sent: see ``Teapot/plugins``.
    ///
    /// Every call takes its way through the plugins, whatever its shape. Of each, in their order:
    ///
    /// 1. ``prepare(_:)`` may change the request, once for each attempt, before anything of it is sent. With another credential
    ///    of ``Teapot/authenticator`` it is called again.
    /// 2. ``willSend(_:)`` sees each request as it goes to the transport, redirects included.
    /// 3. ``didReceive(_:for:)`` sees what came of it, exactly once, before the caller does.
    ///
    /// They are called on the thread that the call has come to, the caller's own at first: what takes long there holds up the
    /// call, and others.
    public protocol Plugin: Sendable {
        /// Changes a request. Does nothing by default.
        ///
        /// What comes out is checked as what callers ask for is: method, header fields, and an http or https URL. A body that
        /// is set takes the place of that in a file. A `timeoutInterval` that is changed counts.
        ///
        /// - Parameter request: The request, path joined, without cookies. A body in a file is not in it.
        /// - Throws: Why it cannot be sent. A ``TeapotError`` fails the call as it is, any other error as the cause of
        ///   `preparationFailed`.
        func prepare(_ request: inout URLRequest) throws

        /// Sees a request that is about to be sent. Does nothing by default.
        func willSend(_ request: SentRequest)

        /// Sees what came of a request. Does nothing by default.
        ///
        /// - Parameters:
        ///   - result: What the caller gets, if this was the last request of the call. A redirect that is followed and an
        ///     answer that is not the last are failures here, of type `invalidResponseStatus` or whatever it was. One that was
        ///     cancelled is `cancelled`.
        ///   - request: As ``willSend(_:)`` saw it.
        func didReceive(_ result: Result<Response, TeapotError>, for request: SentRequest)
    }
}

extension Teapot.Plugin {
    /// Does nothing.
    public func prepare(_ request: inout URLRequest) throws {}

    /// Does nothing.
    public func willSend(_ request: Teapot.SentRequest) {}

    /// Does nothing.
    public func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {}
}

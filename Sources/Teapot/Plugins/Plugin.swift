public import TeapotFoundation

extension Teapot {
    /// Observes requests and responses, and can change a request before it is sent: see ``Teapot/plugins``.
    ///
    /// Every call passes through the plugins. Each plugin, in order, gets these calls:
    ///
    /// 1. ``prepare(_:)`` can change the request, once for each attempt, before it is sent. It is called again if
    ///    ``Teapot/authenticator`` provides another credential.
    /// 2. ``willSend(_:)`` sees each request as it goes to the transport, redirects included.
    /// 3. ``didReceive(_:for:)`` sees the result of each request, exactly once, before the caller does. Of a stream whose reader has
    ///    left the loop, it sees the end soon after.
    /// 4. ``willRetry(_:for:after:)`` sees that another attempt follows, and when.
    ///
    /// An async call calls them in its caller's task, with the task-local values of that: a plugin that takes its time delays this
    /// call only. A call with a closure calls them on its caller's thread at first, then on that of the transport, where a plugin
    /// that takes its time delays other calls, too.
    public protocol Plugin: Sendable {
        /// Changes a request. Does nothing by default.
        ///
        /// The result is checked like a caller's request: method, header fields, and an http or https URL. A body set here
        /// replaces a body in a file. A changed `timeoutInterval` takes effect.
        ///
        /// - Parameter request: The request, path joined, without cookies. A body in a file is not in it.
        /// - Throws: An error if the request must not be sent. A ``TeapotError`` fails the call unchanged, any other error as
        ///   the cause of `preparationFailed`.
        func prepare(_ request: inout URLRequest) throws

        /// Sees a request that is about to be sent. Does nothing by default.
        func willSend(_ request: SentRequest)

        /// Sees the result of a request that ``willSend(_:)`` saw. Does nothing by default.
        ///
        /// It is the caller's result, if this was the last request of the call. A redirect that is followed, or a response
        /// that leads to another attempt, is a failure here, for example of type `invalidResponseStatus`. A cancelled
        /// request is `cancelled`.
        func didReceive(_ result: Result<Response, TeapotError>, for request: SentRequest)

        /// Sees that another attempt follows a failed one after a delay. Does nothing by default. It is called after
        /// ``didReceive(_:for:)``, with the error and the last request of the failed attempt.
        func willRetry(_ error: TeapotError, for request: SentRequest, after delay: Duration)
    }
}

extension Teapot.Plugin {
    /// Does nothing.
    public func prepare(_ request: inout URLRequest) throws {}
    /// Does nothing.
    public func willSend(_ request: Teapot.SentRequest) {}
    /// Does nothing.
    public func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {}
    /// Does nothing.
    public func willRetry(_ error: TeapotError, for request: Teapot.SentRequest, after delay: Duration) {}
}

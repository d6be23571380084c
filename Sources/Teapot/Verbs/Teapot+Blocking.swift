extension Teapot {
    /// Sends a request, and blocks the thread until a response with a status from 200 to 299 arrives, or throws the error of the
    /// call: for scripts and command-line tools.
    ///
    /// The call needs no queue of the caller's, so it can be made on any queue, including the main one. In a plugin of a closure call, on
    /// a thread on which a transport reports events, it fails at once with `preparationFailed`. Hundreds of calls at once on Dispatch's
    /// global queues can take all of Dispatch's threads, including those of the session. Each call still ends by its timeout or deadline,
    /// because the waiting thread keeps the time; a call without either may not end. The same applies to a transport of your own that
    /// reports events on the queue of the thread that waits for them.
    @available(*, noasync, message: "It would block a thread that other tasks need; use try await send(_:)")
    @discardableResult public func sendAndWait(_ request: Request) throws(TeapotError) -> Response {
        try waiting(for: request).get()
    }

    /// Sends an endpoint, and blocks the thread until its value arrives; see ``sendAndWait(_:)->Teapot.Response``.
    /// - Throws: The error of the call; `decodingFailed` if the body does not match the type.
    @available(*, noasync, message: "It would block a thread that other tasks need; use try await send(_:)")
    @discardableResult public func sendAndWait<E: Endpoint>(_ endpoint: E) throws(TeapotError) -> E.Response {
        try endpoint.value(of: waiting(for: try Request(endpoint)).get())
    }

    func waiting(for request: @autoclosure () throws(TeapotError) -> Request) -> Outcome {
        let condition = Condition()
        let call = call(for: request, of: .thread(condition))
        call.begin()
        return call.outcome(blocking: condition)
    }
}

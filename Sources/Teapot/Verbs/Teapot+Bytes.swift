public import Foundation

extension Teapot {
    /// Sends a `GET` request, and returns the response as soon as it begins, to read its body as it arrives.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, with or without a leading slash; `""` is the base URL itself.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    /// - Returns: The response, whose body has yet to arrive.
    /// - Throws: The error of the call, until the response begins; later errors are thrown by the sequence.
    public func bytes(
        _ path: String,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> ResponseBytes {
        let options = Options(headerFields, timeoutInterval, allowsCellular)
        return try await bytes(Request(.get, path, query, options))
    }

    /// Sends a request, and returns the response as soon as it begins, to read its body as it arrives.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The response, whose body has yet to arrive.
    /// - Throws: The error of the call, until the response begins; later errors are thrown by the sequence.
    public func bytes(_ request: Request) async throws(TeapotError) -> ResponseBytes {
        try await bytes(request, isEndless: false)
    }

    func bytes(_ request: Request, isEndless: Bool) async throws(TeapotError) -> ResponseBytes {
        guard !Task.isCancelled else { throw .cancelled() }
        let stream = StreamSink()
        let settings = currentSettings
        // One handler for both: between two, a task that is cancelled would let the call go on.
        let (call, response) = await withTaskCancellationHandler {
            let call = begin(
                { request },
                .atOnce,
                hooks: Call.Hooks(sink: stream, isEndless: isEndless),
                willBegin: { stream.attach($0) },
                cancelled: { stream.close(.failure($0)) },
                prepare: { outcome, _ in { stream.close(outcome) } }
            ).call
            return (call, await stream.response())
        } onCancel: {
            stream.end(.cancelled())
        }
        let reader = BodyReader(stream: stream, call: call)
        return ResponseBytes(http: try response.get(), reader: reader, settings)
    }
}

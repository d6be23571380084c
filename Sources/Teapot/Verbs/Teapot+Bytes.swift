import Foundation

extension Teapot {
    /// Sends a request, and returns the response as soon as it begins, to read its body as it arrives.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The response, whose body has yet to arrive.
    /// - Throws: The error of the call, until the response begins; later errors are thrown by the sequence.
    public func bytes(_ request: Request) async throws(TeapotError) -> ResponseBytes {
        try await bytes(request, isEndless: false)
    }

    func bytes(_ request: Request, isEndless: Bool) async throws(TeapotError) -> ResponseBytes {
        guard !Task.isCancelled else { throw cancelled(before: request) }
        let stream = StreamSink()
        // One handler for both: between two, a task that is cancelled would let the call go on.
        let (call, response) = await withTaskCancellationHandler {
            let call = begin(
                { request },
                .atOnce,
                options: Call.Options(sink: stream, isEndless: isEndless),
                willBegin: { stream.attach($0) },
                cancelled: { stream.close(.failure($0)) },
                prepare: { outcome, _ in { stream.close(outcome) } }
            ).call
            return (call, await stream.response())
        } onCancel: {
            stream.cancel()
        }
        return ResponseBytes(try response.get(), of: call, from: stream)
    }
}

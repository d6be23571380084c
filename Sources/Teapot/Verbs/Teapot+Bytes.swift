import Foundation

extension Teapot {
    /// Sends a request, and returns the response as soon as it begins, to read its body as it arrives.
    /// - Throws: The error of the call, until the response begins; later errors are thrown by the sequence.
    public func bytes(_ request: Request) async throws(TeapotError) -> ResponseBytes {
        try await bytes(request, isEndless: false)
    }

    func bytes(_ request: Request, isEndless: Bool) async throws(TeapotError) -> ResponseBytes {
        guard !Task.isCancelled else { throw cancelled(before: request) }
        let stream = StreamSink()
        let call = call(for: { request }, of: .task, options: Call.Options(sink: stream, isEndless: isEndless))
        stream.attach(call)
        let response = await withTaskCancellationHandler {
            call.begin()
            // The call goes on while the body is read, with the values and the priority of this task.
            Task { stream.close(await call.outcome()) }
            return await stream.response()
        } onCancel: {
            stream.cancel()
        }
        return ResponseBytes(try response.get(), of: call, from: stream)
    }
}

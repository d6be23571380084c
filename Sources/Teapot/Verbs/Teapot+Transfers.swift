public import Foundation

/// Downloads to files, uploads with progress, and bodies that are read as they arrive. Their memory does not depend on the size of a body.
extension Teapot {
    /// Downloads to a file.
    ///
    /// The body is written to a file beside the destination, and moved there when it is complete. A response with a status other
    /// than 200 to 299 changes no file; its body is in the error. With `resumes`, an interrupted call leaves `NAME.partial` and
    /// `NAME.partial.json` beside the destination if the server identifies the version of the file, and the next one requests the
    /// rest: see <doc:Transfers>.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - file: The destination of the body. Its directory must exist.
    ///   - replacesExisting: Whether to replace an existing file. If not, the call fails with `fileError`. A symbolic link is
    ///     replaced, not followed.
    ///   - resumes: Whether to resume an earlier download that was interrupted, and to let a later call resume this one.
    ///   - progress: Called with the bytes received so far, on a private queue, at most ten times a second, one call after the
    ///     other; the last state is always reported, before this method returns.
    /// - Returns: The response, without its body unless its status is one of ``Request/acceptedStatuses``.
    /// - Throws: The error of the call; `fileError` if the file cannot be written, `cancelled` for a cancelled task.
    @discardableResult public func download(
        _ request: Request,
        to file: URL,
        replacesExisting: Bool = false,
        resumes: Bool = false,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(TeapotError) -> Response {
        guard !Task.isCancelled else { throw cancelled(before: request) }
        let meter = progress.map { ProgressMeter(time, $0) }
        let sink = DownloadSink(
            file,
            replacesExisting: replacesExisting,
            resumes: resumes,
            range: request.headerFields[field: "Range"],
            limit: maximumResponseSize,
            meter: meter
        )
        // The file is opened before the call is made, because a cancelled task closes it without a call.
        let prepared = Result { () throws(TeapotError) in try prepare(request, for: sink, resumes: resumes) }
        return try await response(to: prepared.get(), options: .init(sink: sink, resumes: resumes), meter: meter)
    }

    /// Opens the file of a download, and adds the header fields that request the rest of it.
    private func prepare(_ request: Request, for sink: DownloadSink, resumes: Bool) throws(TeapotError) -> Request {
        guard request.method != .head else { throw .invalidPayload(reason: "a HEAD request has no body to download") }
        if resumes {
            guard request.method == .get else { throw .invalidPayload(reason: "only a GET download can be resumed") }
            for name in ["Range", "If-Range", "Accept-Encoding"] where request.headerFields[field: name] != nil {
                throw .invalidHeaderField(reason: "\(name) must not be set: a resuming download sets it")
            }
        }
        try sink.open(source: secretPolicy.redacted(url(for: request)))
        guard resumes else { return request }
        var request = request
        // Offsets are those of the decoded bytes.
        request.headerFields["Accept-Encoding"] = "identity"
        for (name, value) in sink.partialBody?.requestFields ?? [:] { request.headerFields[name] = value }
        return request
    }

    /// Sends a request, for example with a file, and reports how much of its body was sent.
    ///
    /// `progress` gets the bytes sent so far, as in ``download(_:to:replacesExisting:resumes:progress:)``. If the body is sent
    /// again, after a redirect or in another attempt, the count begins again.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `fileError` if a file of the body is unreadable, `cancelled` if the task was cancelled.
    @discardableResult public func upload(_ request: Request, progress: (@Sendable (TransferProgress) -> Void)? = nil)
        async throws(TeapotError) -> Response
    {
        let meter = progress.map { ProgressMeter(time, $0) }
        var options = Call.Options()
        if let meter { options.sent = { meter.update(TransferProgress(bytes: $0, expectedBytes: $1)) } }
        return try await response(to: request, options: options, meter: meter)
    }

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

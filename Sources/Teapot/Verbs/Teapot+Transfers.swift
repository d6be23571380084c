public import Foundation

/// Downloads to files, and uploads with progress. The memory they use does not depend on the size of the file.
extension Teapot {
    /// Downloads to a file. Otherwise the same as ``download(_:to:replacesExisting:resumes:progress:)``.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, with or without a leading slash; `""` is the base URL itself.
    ///   - file: The destination of the body.
    ///   - replacesExisting: Whether to replace an existing file.
    ///   - resumes: Whether to resume an earlier download.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    ///   - progress: Called with the bytes received so far.
    /// - Returns: The response, without its body.
    /// - Throws: The error of the call; `fileError` if the file cannot be written.
    @discardableResult
    public func download(
        _ path: String,
        to file: URL,
        replacesExisting: Bool = false,
        resumes: Bool = false,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(TeapotError) -> Response {
        let options = Options(headerFields, timeoutInterval, allowsCellular)
        return try await download(
            Request(.get, path, query, options),
            to: file,
            replacesExisting: replacesExisting,
            resumes: resumes,
            progress: progress
        )
    }

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
    /// - Throws: The error of the call; `fileError` if the file cannot be written, `cancelled` if the waiting task was
    ///   cancelled.
    @discardableResult
    public func download(
        _ request: Request,
        to file: URL,
        replacesExisting: Bool = false,
        resumes: Bool = false,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(TeapotError) -> Response {
        guard !Task.isCancelled else { throw .cancelled() }
        let meter = progress.map { ProgressMeter($0) }
        let sink = DownloadSink(
            file,
            replacesExisting: replacesExisting,
            resumes: resumes,
            isPartAskedFor: request.headerFields[field: "Range"] != nil,
            maximumSize: maximumResponseSize,
            meter: meter
        )
        let checked = Result { () throws(TeapotError) in
            guard request.method != .head else {
                throw .invalidPayload(reason: "a HEAD request has no body to download")
            }
            guard !resumes || request.method == .get else {
                throw .invalidPayload(reason: "only a GET download can be resumed")
            }
            let own = ["Range", "If-Range", "Accept-Encoding"]
            if resumes, let name = own.first(where: { request.headerFields[field: $0] != nil }) {
                throw .invalidHeaderField(reason: "\(name) must not be set: a resuming download sets it")
            }
            let context = currentContext
            // Without a base URL, the funnel reports the error.
            guard let base = context.base(for: request) else { return request }
            let source = try base.appending(request.path, query: request.query)
            try sink.open(source: context.settings.secretPolicy.redacted(source))
            guard resumes else { return request }
            var request = request
            // Offsets are those of the decoded bytes.
            request.headerFields["Accept-Encoding"] = "identity"
            request.headerFields.merge(sink.kept?.requestFields ?? [:]) { _, new in new }
            return request
        }
        return try await response(to: try checked.get(), hooks: Call.Hooks(sink: sink, resumes: resumes), meter: meter)
    }

    /// Uploads a file, which is streamed. Otherwise the same as ``upload(_:progress:)``.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - file: The body, a regular file.
    ///   - method: The method, `POST` by default.
    ///   - contentType: The media type of the file; if `nil`, `application/octet-stream`.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    ///   - isIdempotent: Whether the request may be sent again: see ``Teapot/Teapot/Request/isIdempotent``.
    ///   - progress: Called with the bytes sent so far.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `fileError` if the file cannot be read.
    @discardableResult
    public func upload(
        _ path: String,
        fromFile file: URL,
        method: HTTPMethod = .post,
        contentType: String? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(TeapotError) -> Response {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        let body = Request.Body(file: file, contentType: contentType)
        return try await upload(Request(method, path, query, options, body: body), progress: progress)
    }

    /// Sends a request, for example with a form, and reports how much of its body was sent.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - progress: Called with the bytes sent so far, on a private queue, at most ten times a second, one call after the
    ///     other; the last state is always reported, before this method returns. If the body is sent again, after a redirect or
    ///     in another attempt, the count begins again.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `fileError` if a file of the body cannot be read, `cancelled` if the waiting task was
    ///   cancelled.
    @discardableResult
    public func upload(
        _ request: Request,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(TeapotError) -> Response {
        let meter = progress.map { ProgressMeter($0) }
        var hooks = Call.Hooks()
        if let meter {
            hooks.sent = { meter.update(TransferProgress(bytes: $0, expectedBytes: $1)) }
        }
        return try await response(to: request, hooks: hooks, meter: meter)
    }
}

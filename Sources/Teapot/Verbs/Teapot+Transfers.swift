public import Foundation

/// Downloads to files, and uploads that tell how far they are. Both take memory that does not grow with the size of the file.
extension Teapot {
    /// Downloads to a file. The rest is as with ``download(_:to:replacesExisting:resumes:progress:)``.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, with or without a leading slash; `""` is the base URL itself.
    ///   - file: Where the body goes.
    ///   - replacesExisting: Whether a file that is there is replaced.
    ///   - resumes: Whether to go on with what an earlier call has left.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    ///   - progress: Called with the bytes received so far.
    /// - Returns: The response, without its body.
    /// - Throws: What went wrong; `fileError` when the file cannot be written.
    @discardableResult
    public func download(
        _ path: String,
        to file: URL,
        replacesExisting: Bool = false,
        resumes: Bool = false,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(TeapotError) -> Response {
        let request = Request(
            path: path,
            query: query,
            headerFields: headerFields ?? [:],
            timeoutInterval: timeoutInterval,
            allowsCellular: allowsCellular
        )
        return try await download(
            request,
            to: file,
            replacesExisting: replacesExisting,
            resumes: resumes,
            progress: progress
        )
    }

    /// Downloads to a file.
    ///
    /// The body is written to a file beside the place, which is moved there when it is complete: a file that is there is whole.
    /// When the call fails or is cancelled nothing is left behind, unless it can be resumed. A response with another status than
    /// 200 to 299 touches no file; its body is in the error.
    ///
    /// With `resumes`, `NAME.partial` and `NAME.partial.json` stay beside the place when the call breaks off, if the server says
    /// by an entity tag or a date how to tell whether its file is still the same. The next call with `resumes` asks for the
    /// rest with `Range` and `If-Range` (RFC 9110, sections 14.2 and 13.1.5), and gets the whole if the file has changed. Only a
    /// `GET` can be resumed. URLs that differ only in secrets, as signed ones do, count as the same.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - file: Where the body goes. Its directory must exist.
    ///   - replacesExisting: Whether a file that is there is replaced. If not, the call fails with `fileError`. A symbolic link
    ///     is replaced, not followed.
    ///   - resumes: Whether to go on with what an earlier call that broke off has left, and to leave what this one gets.
    ///   - progress: Called with the bytes received so far, on a private queue, at most ten times a second, one call after the
    ///     other; the last state always, before this method returns.
    /// - Returns: The response, without its body.
    /// - Throws: What went wrong; `fileError` when the file cannot be written, `cancelled` when the task that waits was
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
            isPartAskedFor: request.headerFields.keys.contains { $0.lowercased() == "range" },
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
            if resumes, let name = request.headerFields.keys.first(where: Self.isForResuming) {
                throw .invalidHeaderField(reason: "\(name) must not be set: a resuming download sets it")
            }
            let settings = currentSettings
            // Without one the funnel says so.
            guard let base = settings.base(for: request) else { return request }
            let source = try base.appending(request.path, query: request.query)
            let fields = try sink.prepare(source: settings.secretPolicy.redacted(source))
            var request = request
            request.headerFields.merge(fields) { _, new in new }
            return request
        }
        return try await response(to: checked, hooks: Call.Hooks(sink: sink), meter: meter)
    }

    /// Uploads a file, which is streamed. The rest is as in ``upload(_:progress:)``.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - file: The body, a regular file.
    ///   - method: `POST`, unless the API wants another.
    ///   - contentType: The media type of the file; when `nil`, `application/octet-stream`.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    ///   - isIdempotent: Whether the request may be sent again: see ``Teapot/Teapot/Request/isIdempotent``.
    ///   - progress: Called with the bytes sent so far.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong; `fileError` when the file cannot be read.
    @discardableResult
    public func upload(
        _ path: String,
        fromFile file: URL,
        method: HTTPMethod = .post,
        contentType: String? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(TeapotError) -> Response {
        let request = Request(
            method,
            path: path,
            query: query,
            headerFields: headerFields ?? [:],
            body: Request.Body(file: file, contentType: contentType),
            timeoutInterval: timeoutInterval,
            allowsCellular: allowsCellular,
            isIdempotent: isIdempotent
        )
        return try await upload(request, progress: progress)
    }

    /// Sends a request, such as one with a form, and tells how much of its body is sent.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - progress: Called with the bytes sent so far, on a private queue, at most ten times a second, one call after the
    ///     other; the last state always, before this method returns. Where the body is sent again, after a redirect
    ///     or in another attempt, it begins anew.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong; `fileError` when a file of the body cannot be read, `cancelled` when the task that waits was
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
        return try await response(to: .success(request), hooks: hooks, meter: meter)
    }

    private static func isForResuming(_ name: String) -> Bool {
        ["range", "if-range", "accept-encoding"].contains(name.lowercased())
    }
}

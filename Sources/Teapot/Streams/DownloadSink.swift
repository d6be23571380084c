import TeapotFoundation

/// The destination of a download: a file beside its place, moved there when it is complete.
final class DownloadSink: BodySink {
    private struct State {
        var partial: PartialFile?
        /// The size of the file with the part that a `Content-Range` announces.
        var end: Int?
        var isOver = false
    }

    private let target: URL
    private let replacesExisting: Bool
    private let resumes: Bool
    /// The `Range` of a caller who requested a part of a file, which is then the whole download.
    private let askedRange: String?
    /// Of the whole file, in bytes.
    private let maximumSize: Int?
    private let meter: ProgressMeter?
    private let state = Serial(State(), label: "Teapot.DownloadSink")

    init(_ target: URL, replacesExisting: Bool, resumes: Bool, range: String?, limit: Int?, meter: ProgressMeter?) {
        self.target = target
        maximumSize = limit
        askedRange = range
        self.replacesExisting = replacesExisting
        self.resumes = resumes
        self.meter = meter
    }

    func open(source: String) throws(TeapotError) {
        try checkPlace()
        guard resumes else { return }
        try state.sync { (state) throws(TeapotError) in
            state.partial = try PartialFile(resuming: target, from: source)
        }
    }

    private func checkPlace() throws(TeapotError) {
        guard target.isFileURL else { throw .fileError(target, "it is not a file URL") }
        var status = stat()
        guard stat(target.deletingLastPathComponent().path, &status) == 0 else {
            throw .fileError(target, "its directory: " + String(cString: strerror(errno)))
        }
        guard lstat(target.path, &status) == 0 else { return }
        guard [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else {
            throw .fileError(target, "something that is not a file already exists there")
        }
        guard replacesExisting else { throw .fileError(target, "it exists") }
    }

    // MARK: - BodySink

    var isReader: Bool { false }
    func started() {}

    func begin(_ response: ResponseHead) throws(TeapotError) {
        let headers = Teapot.HeaderFields(response)
        let isEncoded = headers["Content-Encoding"]?.lowercased() ?? "identity" != "identity"
        let length = isEncoded ? nil : Int(headers["Content-Length"] ?? "")
        try state.sync { (state) throws(TeapotError) in
            guard !state.isOver else { return }
            if state.partial == nil { state.partial = try PartialFile(beside: target) }
            guard let partial = state.partial else { return }
            // Of an encoded part, the bytes that arrive are others.
            let range = response.status == 206 && !isEncoded ? ContentRange(headers["Content-Range"] ?? "") : nil
            if let range, let asked = askedRange ?? partial.body.requestFields["Range"] {
                guard range.answers(asked), length ?? range.count == range.count else { throw refusal(of: partial) }
            }
            if response.status == 206, askedRange == nil {
                // The server may send less than the rest, so the end of a part is not the end of the file.
                let knownSize = partial.body.expectedLength
                guard resumes, let range, let size = range.size ?? knownSize, size == knownSize ?? size,
                    range.last < size, !partial.body.requestFields.isEmpty, partial.isOfSameFile(headers)
                else { throw refusal(of: partial) }
                try partial.resume(size: size)
                state.end = range.last + 1
            } else {
                try partial.startAnew(validator: isEncoded ? nil : ResumeValidator.of(response), size: length)
                // An earlier attempt may have received a part of another version.
                state.end = range?.count
            }
        }
        report(isFirst: true)
    }

    func receive(_ piece: Data) throws(TeapotError) {
        try state.sync { (state) throws(TeapotError) in
            guard !state.isOver, let partial = state.partial else { return }
            if let maximumSize, partial.body.length + piece.count > maximumSize {
                throw .responseTooLarge(limit: maximumSize)
            }
            guard partial.body.length + piece.count <= state.end ?? .max, partial.isContinued(by: piece) else {
                throw refusal(of: partial)
            }
            try partial.append(piece)
        }
        report()
    }

    /// Forgets the partial file, of which no part can be trusted any more.
    private func refusal(of partial: PartialFile) -> TeapotError {
        partial.forget()
        return .fileError(target, "the server sent a different part than was requested, or than its fields say")
    }

    var partialBody: PartialBody? { state.sync { $0.partial?.body ?? PartialBody() } }

    func finish(_ outcome: Teapot.Outcome, then: @escaping @Sendable (Teapot.Outcome) -> Void) {
        state.async { state in then(self.end(outcome, &state)) }
    }

    private func end(_ outcome: Teapot.Outcome, _ state: inout State) -> Teapot.Outcome {
        state.isOver = true
        guard let partial = state.partial.take() else { return outcome }
        do throws(TeapotError) {
            let response = try outcome.get()
            let isSuccess = response.head.isSuccess
            if isSuccess { try complete(partial, state, response) } else { partial.close(after: response.status) }
            return outcome
        } catch {
            partial.close(after: error.responseStatus)
            return .failure(error)
        }
    }

    private func complete(_ partial: PartialFile, _ state: State, _ response: Teapot.Response) throws(TeapotError) {
        let body = partial.body
        if let end = state.end, body.length < body.expectedLength ?? end {
            if body.length < end { partial.forget() }
            let reason = "only \(body.length) of \(body.expectedLength ?? end) bytes were received"
            let cause = URLError(.networkConnectionLost, reason)
            throw .dataTaskError(cause, reason: reason, response: response.head, data: Data())
        }
        // The place may have been taken meanwhile.
        try checkPlace()
        try partial.move(to: target, replacesExisting: replacesExisting)
    }

    private func report(isFirst: Bool = false) {
        guard let meter, let body = state.sync({ $0.partial?.body }) else { return }
        meter.update(.init(bytes: body.length, expectedBytes: body.expectedLength), isFirst: isFirst)
    }
}

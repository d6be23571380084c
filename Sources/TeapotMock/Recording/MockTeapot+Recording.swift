public import Teapot

extension MockTeapot {
    /// Makes a mock that answers from a recording: a file of a ``RecordingTransport``, or an HTTP Archive (HAR 1.2) that a
    /// browser or another tool exported.
    ///
    /// A request matches an entry if its method, its whole URL (with query items in any order) and, if it was recorded,
    /// its body are equal: JSON is compared by value, anything else byte for byte. A placeholder of a secret matches
    /// itself, and one other value in the whole replay, the first that is met there. Header fields are ignored. If
    /// several entries match, the entry of which most was compared answers: an entry whose body was recorded comes
    /// before one whose body was not, such as a multipart form. Equal entries answer in order, and the last of them
    /// repeats. Redirects are followed by the client, hop by hop.
    ///
    /// The mock is strict (see ``isStrict``): any other request fails with `unexpectedRequest`, which names the nearest entry.
    /// Endpoints declared in code take precedence over the recording. A call whose response was recorded without its body fails
    /// with `invalidMockFile` and the reason.
    ///
    /// - Parameters:
    ///   - file: The recording.
    ///   - baseURL: The URL to which paths are appended; if `nil`, that of the recorded client, or, in a file of
    ///     another tool, the scheme, host and port of the first request.
    ///   - clock: The clock that measures delays and timeouts, such as a ``TestClock``; the system's monotonic time if `nil`.
    /// - Throws: `missingMockFile` if the file cannot be read; `invalidMockFile` if it is not a valid archive, with the place
    ///   of the invalid member.
    public convenience init(har file: URL, baseURL: URL? = nil, clock: (any Clock<Duration>)? = nil) throws(TeapotError)
    {
        let replay = try Replay(file)
        self.init(strictIn: .main, clock: clock)
        self.baseURL = baseURL ?? replay.baseURL
        mock.replay(replay.overrides)
    }

    /// Makes a mock that answers from a recording, and sends and records the requests that neither an entry nor a declared endpoint answers.
    ///
    /// ```swift
    /// let recorder = RecordingTransport()
    /// let mock = try MockTeapot(har: file, recordingMissingOver: recorder)
    /// let notes = try await mock.get("notes")
    /// try recorder.write(to: file)
    /// ```
    ///
    /// ``RecordingTransport/write(to:)`` writes the entries of the file first, and then the new ones. A token that was recorded is a
    /// placeholder in its replay, which no server accepts: if the missing requests need a token, record everything again.
    ///
    /// - Parameters:
    ///   - file: The recording.
    ///   - recorder: Sends the missing requests, and records them.
    ///   - baseURL: As for ``init(har:baseURL:clock:)``.
    ///   - clock: The clock that measures delays and timeouts; the system's monotonic time if `nil`.
    /// - Throws: As ``init(har:baseURL:clock:)``.
    public convenience init(
        har file: URL,
        recordingMissingOver recorder: RecordingTransport,
        baseURL: URL? = nil,
        clock: (any Clock<Duration>)? = nil
    ) throws(TeapotError) {
        let replay = try Replay(file)
        self.init(strictIn: .main, clock: clock)
        self.baseURL = baseURL ?? replay.baseURL
        mock.replay(replay.overrides, over: recorder)
        recorder.add(to: replay)
        answersAtOnce = false
    }
}

public import Teapot

extension MockTeapot {
    /// Makes a mock that answers by a recording: what a ``RecordingTransport`` wrote, or an HTTP Archive (HAR 1.2) that a browser
    /// or another tool exported.
    ///
    /// A request is answered when its method, its whole URL (the items of its query in any order) and, where the recording
    /// has it, its body are those that were recorded: JSON is compared as values, anything else byte for byte. What was
    /// redacted stands for any text. Header fields are not compared. The same request gets what was recorded for it in order,
    /// and the last of it again and again. Redirects are followed by the client, hop by hop.
    ///
    /// The mock is strict (see ``isStrict``): any other request fails with `unexpectedRequest`, which names the nearest entry.
    /// Endpoints that are declared in code go before the recording. A call whose answer was recorded without its body fails
    /// with `invalidMockFile`, and says why.
    ///
    /// - Parameters:
    ///   - file: The recording.
    ///   - baseURL: The URL to which paths are appended; if `nil`, scheme, host and port of the first request that was
    ///     recorded.
    ///   - clock: What delays and timeouts are measured by, such as a ``TestClock``; the system's monotonic time if `nil`.
    /// - Throws: `missingMockFile` when the file cannot be read; `invalidMockFile` when it is no such archive, with the place of
    ///   the member that is wrong.
    public convenience init(har file: URL, baseURL: URL? = nil, clock: (any Clock<Duration>)? = nil) throws(TeapotError)
    {
        let replay = try Replay(file)
        self.init(strictIn: .main, clock: clock)
        self.baseURL = baseURL ?? replay.baseURL
        mock.replay(replay.overrides)
    }
}

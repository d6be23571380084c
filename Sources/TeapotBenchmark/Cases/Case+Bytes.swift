import Teapot

extension Case {
    /// The lines of a stream.
    static let bytes = Case(
        name: "bytes",
        summary: "the lines of a stream of 100 MB, each as a String; the baseline splits them in a delegate",
        goal: nil,
        rounds: 11,
        requests: 1,
        isSlow: true,
        makers: Sides(
            baseline: { server in
                let url = server.appending(path: SampleFiles.lines)
                let counter = LineCounter()
                let session = URLSession(configuration: .default, delegate: counter, delegateQueue: nil)
                return .calls { completion in
                    counter.begin(completion)
                    session.dataTask(with: url).resume()
                }.ending(session)
            },
            calls: { teapot in
                .tasks {
                    var count = 0
                    for try await line in try await teapot.bytes(Teapot.Request(path: Teapot.Path(SampleFiles.lines)))
                        .lines
                    where !line.isEmpty {
                        count += 1
                    }
                    if let failure = failure(ofLines: count) { throw failure }
                }
            }
        )
    )

    fileprivate static func failure(ofLines count: Int) -> (any Error)? {
        count == SampleFiles.lineCount
            ? nil : CaseFailure("\(count) lines arrived instead of \(SampleFiles.lineCount)")
    }
}

/// Splits what arrives into lines, as one would by hand. One transfer at a time.
private final class LineCounter: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var rest = Data()
        var count = 0
        var completion: (@Sendable ((any Error)?) -> Void)?
    }

    private let state = Locked(State())

    func begin(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLock { $0 = State(completion: completion) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { state in
            state.rest += data
            let (lines, length) = Self.split(state.rest)
            state.count += lines.count { !$0.isEmpty }
            state.rest.removeFirst(length)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (count, completion) = state.withLock { ($0.count, $0.completion) }
        completion?(error ?? Case.failure(ofLines: count))
    }

    /// The whole lines at the beginning, and how many bytes they are.
    private static func split(_ data: Data) -> ([String], Int) {
        data.withUnsafeBytes { bytes in
            var lines: [String] = []
            var start = 0
            while start < bytes.count, let base = bytes.baseAddress,
                let end = memchr(base + start, 0x0A, bytes.count - start)
            {
                let length = base.distance(to: UnsafeRawPointer(end)) - start
                lines.append(String(decoding: bytes[start..<start + length], as: UTF8.self))
                start += length + 1
            }
            return (lines, start)
        }
    }
}

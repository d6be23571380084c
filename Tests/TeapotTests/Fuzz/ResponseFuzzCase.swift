internal import Foundation
internal import LoopbackServer
internal import Teapot
internal import TestSupport

/// One call of some kind, answered by a hostile server, and what it comes to.
struct ResponseFuzzCase {
    enum Shape: CaseIterable {
        case get, post, head, async, upload, image, download, resume, chunks, lines
    }

    /// What a call came to, however it was made.
    struct Ending: Sendable {
        var status: Int?
        var error: TeapotError?
        /// That of the closure's response.
        var shownStatus: Int?
        var task: URLSessionTask?
    }

    let shape: Shape
    let response: HostileResponse
    private let script: Script
    private let limit: Int?

    init(_ generator: inout SeededGenerator) {
        shape = generator.pick(Shape.allCases)
        response = HostileResponse(&generator)
        script = response.script(&generator)
        limit = generator.oneIn(8) ? 100 : nil
    }

    /// Seconds; no call is to take so long, since the server hangs up at once.
    private static let timeout: TimeInterval = 20

    /// Makes the call, and a good one after it.
    ///
    /// - Returns: What is wrong.
    func problems(over transport: any Transport = URLSessionTransport()) async throws -> [String] {
        let server = try LoopbackServer(scripts: [script], recordsRequests: false)
        let folder = try TemporaryFolder()
        let transport = SingleOriginTransport(port: server.port, transport)
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
        teapot.maximumResponseSize = limit
        let completions = Locked(0)
        let ending = await end(of: teapot, folder) { completions.withLock { $0 += 1 } }
        var problems = check(ending) + check(folder, ending)
        teapot.maximumResponseSize = nil
        // What came after the response may be taken for that of the next call on the connection, but not of two.
        let good = Teapot.Request(path: "get", timeoutInterval: Self.timeout)
        _ = await outcome(of: good, from: teapot)
        if case .failure(let error) = await outcome(of: good, from: teapot) {
            problems.append("the calls after it failed: \(error.debugDescription)")
        }
        if let task = ending.task, task.state != .completed { problems.append("the task is \(task.state)") }
        let count = completions.withLock { $0 }
        if count != 1 { problems.append("\(count) completions") }
        return (problems + transport.problems).map { "\(shape): \($0)" }
    }

    // MARK: - Calls

    private func end(
        of teapot: Teapot,
        _ folder: TemporaryFolder,
        complete: @escaping @Sendable () -> Void
    ) async -> Ending {
        switch shape {
        case .get, .post, .head:
            let done = Signal()
            let result = Locked<Ending?>(nil)
            let take: @Sendable (NetworkResult) -> Void = { outcome in
                let outcome = CallResult(outcome)
                result.withLock { $0 = Ending(outcome) }
                complete()
                done.fire()
            }
            let task = call(teapot, take)
            await done.wait()
            // A second completion would be on this queue by now.
            await Self.queue.drain()
            var ending = result.withLock { $0 } ?? Ending()
            ending.task = task
            return ending
        case .image:
            let result = await imageResult {
                teapot.downloadImage(
                    path: "get",
                    timeoutInterval: Self.timeout,
                    deliveryQueue: Self.queue,
                    completion: $0
                )
            }
            complete()
            return Ending(result)
        case .async, .upload, .download, .resume, .chunks, .lines:
            do {
                let status = try await asyncStatus(of: teapot, folder.file("file"))
                complete()
                return Ending(status: status)
            } catch {
                complete()
                return Ending(error: error)
            }
        }
    }

    private static let queue = DispatchQueue(label: "delivery")

    private func call(_ teapot: Teapot, _ take: @escaping @Sendable (NetworkResult) -> Void) -> URLSessionTask? {
        let (time, queue) = (Self.timeout, Self.queue)
        return switch shape {
        case .post:
            teapot.post(
                "post",
                parameters: ["a": 1],
                timeoutInterval: time,
                deliveryQueue: queue,
                completion: take
            )
        case .head: teapot.head("get", timeoutInterval: time, deliveryQueue: queue, completion: take)
        default: teapot.get("get", timeoutInterval: time, deliveryQueue: queue, completion: take)
        }
    }

    private func asyncStatus(of teapot: Teapot, _ file: URL) async throws(TeapotError) -> Int {
        let time = Self.timeout
        switch shape {
        case .download, .resume:
            let resumes = shape == .resume
            return try await teapot.download("get", to: file, resumes: resumes, timeoutInterval: time).status
        case .upload:
            let body = Teapot.Request.Body(Data(repeating: 0x61, count: 100_000), contentType: "text/plain")
            return try await teapot.upload(Teapot.Request(.put, path: "put", body: body, timeoutInterval: time)).status
        case .chunks:
            let bytes = try await teapot.bytes("get", timeoutInterval: time)
            for try await _ in bytes.chunks {}
            return bytes.status
        case .lines:
            let bytes = try await teapot.bytes("get", timeoutInterval: time)
            for try await _ in bytes.lines {}
            return bytes.status
        default:
            return try await teapot.get("get", timeoutInterval: time).status
        }
    }

    // MARK: - Checks

    private func check(_ ending: Ending) -> [String] {
        if let sent = response.status, let came = ending.status ?? ending.error?.responseStatus, came != sent {
            return ["\(came) instead of \(sent)"]
        }
        guard let error = ending.error else {
            return ending.status.map((200...299).contains) == true
                ? [] : ["a success with status \(ending.status ?? -1)"]
        }
        var problems: [String] = []
        func expect(_ isRight: Bool, _ problem: String) {
            if !isRight { problems.append("\(problem): \(error.debugDescription)") }
        }
        let status = error.responseStatus
        switch error.type {
        case .noResponse:
            expect(error.response == nil && status == nil && error.data == nil, "noResponse with a response")
            expect(error.underlyingError is URLError, "no cause")
        case .dataTaskError, .responseTooLarge:
            expect(error.response != nil && status == error.response?.statusCode, "no response")
            expect(error.underlyingError is URLError, "no cause")
        case .invalidResponseStatus:
            expect(error.response != nil && status == error.response?.statusCode, "no response")
            expect(status.map((200...299).contains) == false, "a good status")
        case .missingImage:
            expect(shape == .image && status.map((200...299).contains) == true, "no image asked for")
        case .fileError:
            expect(shape == .resume || shape == .download, "no file asked for")
            expect(error.response?.statusCode == 206, "not a wrong part")
        default: expect(false, "another error")
        }
        expect(error.type == .noResponse || error.data != nil, "no data")
        if let limit { expect(error.data.map { $0.count <= limit } ?? true, "past the limit") }
        expect((error.underlyingError as? URLError)?.code != .timedOut, "a timeout")
        if let shown = ending.shownStatus { expect(shown == error.response?.statusCode ?? 400, "another response") }
        expect(!error.description.isEmpty && !error.description.hasPrefix("Teapot:"), "no sentence")
        return problems
    }

    /// A download leaves the whole file, or nothing but what can be gone on with.
    private func check(_ folder: TemporaryFolder, _ ending: Ending) -> [String] {
        let expected: [[String]] =
            switch shape {
            case .download: [ending.error == nil ? ["file"] : []]
            case .resume: ending.error == nil ? [["file"]] : [[], ["file.partial", "file.partial.json"]]
            default: [[]]
            }
        return expected.contains(folder.names) ? [] : ["left \(folder.names)"]
    }
}

extension ResponseFuzzCase.Ending {
    init(_ result: CallResult) {
        (error, shownStatus) = (result.error, result.response.status)
        status = result.isSuccess ? result.response.status : nil
    }
}

import Foundation
import LoopbackServer
import Teapot
import TestSupport

/// One call of some kind, answered by a hostile server, and its outcome.
struct ResponseFuzzCase {
    private static let shapes = CallShape.closures + CallShape.transfers + [.get]

    let shape: CallShape
    let response: HostileResponse
    private let script: Script
    private let limit: Int?

    init(_ generator: inout SeededGenerator) {
        shape = generator.pick(Self.shapes)
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
        let teapot = Teapot(baseURL: server.baseURL, defaultDeliveryQueue: Self.queue, transport: transport)
        teapot.maximumResponseSize = limit
        let ending = await shape.outcome(of: "anything", from: teapot, timeoutInterval: Self.timeout, in: folder)
        // A second completion, which would trap, would be on this queue by now.
        await Self.queue.drain()
        var problems = check(ending) + check(folder, ending)
        teapot.maximumResponseSize = nil
        // Bytes after the response may be taken for the response to the next call on the connection, but not to two calls.
        let good = Teapot.Request(path: "get").with { $0.timeoutInterval = Self.timeout }
        _ = await outcome(of: good, from: teapot)
        if case .failure(let error) = await outcome(of: good, from: teapot) {
            problems.append("the calls after it failed: \(error.debugDescription)")
        }
        if let task = ending.task, task.state != .completed { problems.append("the task is \(task.state)") }
        return (problems + transport.problems).map { "\(shape): \($0)" }
    }

    private static let queue = DispatchQueue(label: "delivery")

    // MARK: - Checks

    private func check(_ ending: CallOutcome) -> [String] {
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
            expect([.download, .resumed].contains(shape), "no file asked for")
            expect(error.response?.statusCode == 206, "not a wrong part")
        default: expect(false, "another error")
        }
        expect(error.type == .noResponse || error.data != nil, "no data")
        if let limit { expect(error.data.map { $0.count <= limit } ?? true, "past the limit") }
        expect(error.code != .timedOut, "a timeout")
        if let shown = ending.response { expect(shown.status == error.response?.statusCode ?? 400, "another response") }
        expect(!error.description.isEmpty && !error.description.hasPrefix("Teapot:"), "no sentence")
        return problems
    }

    /// A download leaves the whole file, or nothing but what can be gone on with.
    private func check(_ folder: TemporaryFolder, _ ending: CallOutcome) -> [String] {
        let expected: [[String]] =
            switch shape {
            case .download: [ending.error == nil ? ["file"] : []]
            case .resumed: ending.error == nil ? [["file"]] : [[], ["file.partial", "file.partial.json"]]
            default: [[]]
            }
        return expected.contains(folder.names) ? [] : ["left \(folder.names)"]
    }
}

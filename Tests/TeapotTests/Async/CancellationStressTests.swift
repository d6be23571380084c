import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Cancellation that races completion, many times. In a process of its own, as it keeps the queue busy that all sessions share.
@Suite(.inTurn, .exitTests)
struct CancellationStressTests {
    struct Tally: Sendable {
        var successes = 0
        var cancelled = 0
        /// Anything else, which there must not be.
        var others: [String] = []
    }

    /// Where calls go, how many of a hundred, and about how many microseconds one takes there.
    private struct Target: Sendable {
        let teapot: Teapot
        let share: Int
        let time: Int
    }

    private static let redirecting = AnsweringTransport { request in
        request.url?.lastPathComponent == "redirect" ? (302, ["Location": "get"]) : (200, [:])
    }

    /// Makes calls, at most 64 at a time, and cancels most of them at some moment.
    static func race(_ count: Int, seed: UInt64, server: LoopbackServer) async throws -> Tally {
        let url = try #require(URL(string: "http://api.example"))
        let atOnce = ManualTransport { $0.answer(200, body: "[1,2,3]") }
        let targets = [
            Target(teapot: Teapot(baseURL: server.baseURL), share: 15, time: 20_000),
            Target(teapot: Teapot(baseURL: url, transport: redirecting), share: 65, time: 1_000),
            Target(teapot: Teapot(baseURL: url, transport: atOnce), share: 20, time: 300),
        ]
        var generator = SeededGenerator(seed: seed)
        var tally = Tally()
        await withTaskGroup(of: Result<Int, TeapotError>.self) { group in
            for index in 0..<count {
                if index >= 64, let result = await group.next() { tally.count(result) }
                var draw = Int.random(in: 0..<100, using: &generator)
                let target = targets.first { target in
                    draw -= target.share
                    return draw < 0
                }
                guard let target else { continue }
                // One in eight at once, one in eight never, and the others at some moment of the call.
                let time = Int.random(in: 0..<target.time, using: &generator)
                let moment = [0, nil, time, time, time, time, time, time][index % 8]
                let path = Bool.random(using: &generator) ? "get" : "redirect"
                group.addTask { await call(target.teapot, path, cancelledAfter: moment) }
            }
            for await result in group { tally.count(result) }
        }
        return tally
    }

    private static let hand = DispatchQueue(label: "hand", attributes: .concurrent)

    /// One call, cancelled after some microseconds, or not at all.
    private static func call(
        _ teapot: Teapot,
        _ path: String,
        cancelledAfter time: Int?
    ) async -> Result<Int, TeapotError> {
        let path = path == "redirect" && teapot.baseURL.port != nil ? "redirect/1" : path
        let task = Task { await result(of: path, from: teapot) }
        switch time {
        case 0: task.cancel()
        case let time?: hand.asyncAfter(deadline: .now() + .microseconds(time)) { task.cancel() }
        case nil: break
        }
        return await task.value
    }

    private static func result(of path: String, from teapot: Teapot) async -> Result<Int, TeapotError> {
        do {
            return .success(try await teapot.get(path, timeoutInterval: 60).status)
        } catch {
            return .failure(error)
        }
    }

    static var count: Int {
        ProcessInfo.processInfo.environment["TEAPOT_STRESS_CALLS"].flatMap(Int.init).map { max(500, $0) } ?? 8_000
    }

    @Test func `each call ends once, with success or cancelled`() async {
        await #expect(processExitsWith: .success) {
            let (seed, count) = (UInt64.random(in: 0 ... .max), CancellationStressTests.count)
            let server = try LoopbackServer(recordsRequests: false)
            let tally = try await CancellationStressTests.race(count, seed: seed, server: server)
            #expect(tally.others.isEmpty, "seed \(seed)")
            #expect(tally.successes + tally.cancelled == count, "seed \(seed)")
            #expect(tally.successes > count / 10, "seed \(seed)")
            #expect(tally.cancelled > count / 10, "seed \(seed)")
        }
    }
}

extension CancellationStressTests.Tally {
    mutating func count(_ result: Result<Int, TeapotError>) {
        switch result {
        case .success(200): successes += 1
        case .failure(let error) where error.type == .cancelled: cancelled += 1
        default: others.append("\(result)")
        }
    }
}

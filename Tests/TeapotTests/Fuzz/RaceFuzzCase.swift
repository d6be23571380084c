import Foundation
import LoopbackServer
import Teapot
import TestSupport
import Testing

/// One call of some kind, to a transport that reports from a thread of its own at random moments, while other threads suspend,
/// resume and cancel it.
struct RaceFuzzCase {
    enum Shape: CaseIterable {
        case closure, image, async, download, chunks
    }

    private enum Action { case suspend, resume, cancel }

    private let shape: Shape
    private let schedule: ScheduledTransport.Schedule
    private let timeout: TimeInterval
    /// The actions of the other threads, and their times in microseconds.
    private let actions: [(time: Int, action: Action)]

    init(_ generator: inout SeededGenerator) {
        shape = generator.pick(Shape.allCases)
        schedule = ScheduledTransport.Schedule(&generator)
        timeout = generator.oneIn(10) ? 0.001 : .infinity
        let (mayBeCancelled, duration) = (generator.oneIn(2), max(schedule.duration, 1))
        actions = (0..<generator.number(0...6)).map { _ in
            let time = generator.number(0...duration)
            return (time, generator.pick(mayBeCancelled ? [.suspend, .resume, .cancel] : [.suspend, .resume]))
        }
    }

    private var isCancelled: Bool { actions.contains { $0.action == .cancel } }

    /// - Returns: What is wrong.
    func problems() async throws -> [String] {
        let folder = try TemporaryFolder()
        weak var weakTransport: ScheduledTransport?
        var problems: [String] = []
        do {
            let transport = ScheduledTransport(schedule)
            weakTransport = transport
            let url = try #require(URL(string: "http://api.example"))
            let teapot = Teapot(baseURL: url, transport: transport)
            switch shape {
            case .closure, .image: problems += try await closureProblems(teapot)
            case .async, .download, .chunks: problems += await asyncProblems(teapot, folder)
            }
            await transport.end()
        }
        // Another thread may be about to let go of it, or wait for a core to do so: up to ten seconds.
        for _ in 0..<10_000 where weakTransport != nil { await Self.moment() }
        if weakTransport != nil { problems.append("the transport is kept") }
        return problems.map { "\(shape): \($0)" }
    }

    // MARK: - Closures

    private func closureProblems(_ teapot: Teapot) async throws -> [String] {
        let (completions, done) = (Completions(), Signal())
        let queue = DispatchQueue(label: "delivery")
        let task: URLSessionTask? =
            if shape == .image {
                teapot.downloadImage(timeoutInterval: timeout, deliveryQueue: queue) {
                    completions.takeImage($0)
                    done.fire()
                }
            } else {
                teapot.get("x", timeoutInterval: timeout, deliveryQueue: queue) { (result: NetworkResult) in
                    completions.take(result)
                    done.fire()
                }
            }
        let call = try #require(task)
        await act { action in
            switch action {
            case .suspend: call.suspend()
            case .resume: call.resume()
            case .cancel: call.cancel()
            }
        }
        call.resume()
        if !isCancelled { await done.wait() }
        await queue.drain()
        let count = completions.count
        // Neither may have an effect any more.
        call.resume()
        call.cancel()
        await queue.drain()
        var problems: [String] = []
        if completions.count != count { problems.append("a completion after the end") }
        if isCancelled ? count > 1 : count != 1 { problems.append("\(count) completions") }
        if call.state != .completed { problems.append("state \(call.state.rawValue) after \(count) completions") }
        let isCancellation = (call.error as? URLError)?.code == .cancelled
        if isCancellation != (count == 0) { problems.append("error \(String(describing: call.error))") }
        return problems + completions.all.compactMap { problem(of: $0.error) }
    }

    // MARK: - Async calls

    private func asyncProblems(_ teapot: Teapot, _ folder: TemporaryFolder) async -> [String] {
        let call = Task { () -> TeapotError? in
            do throws(TeapotError) {
                try await run(teapot, folder.file("file"))
                return nil
            } catch {
                return error
            }
        }
        await act { if $0 == .cancel { call.cancel() } }
        let error = await call.value
        var problems = [problem(of: error)].compactMap(\.self)
        if error?.type == .cancelled, !isCancelled { problems.append("cancelled by nobody") }
        let names = shape == .download && error == nil ? ["file"] : []
        if folder.names != names { problems.append("left \(folder.names)") }
        return problems
    }

    private func run(_ teapot: Teapot, _ file: URL) async throws(TeapotError) {
        switch shape {
        case .download:
            try await teapot.download(Teapot.Request(path: "x").with { $0.timeoutInterval = timeout }, to: file)
        case .chunks:
            let bytes = try await teapot.bytes(Teapot.Request(path: "x").with { $0.timeoutInterval = timeout })
            for try await _ in bytes {}
        default: try await teapot.send(Teapot.Request(path: "x").with { $0.timeoutInterval = timeout })
        }
    }

    // MARK: - What both have in common

    private static let queues = (0..<3).map { DispatchQueue(label: "queue \($0)") }

    private static func moment() async {
        await withCheckedContinuation { continuation in
            queues[0].asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
        }
    }

    /// Acts at the given moments, on three threads, and waits until that is done.
    private func act(_ act: @escaping @Sendable (Action) -> Void) async {
        let (group, begin) = (DispatchGroup(), DispatchTime.now())
        for (index, (time, action)) in actions.enumerated() {
            group.enter()
            Self.queues[index % 3].asyncAfter(deadline: begin + .microseconds(time)) { [group] in
                act(action)
                group.leave()
            }
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: Self.queues[0]) { continuation.resume() }
        }
    }

    private func problem(of error: TeapotError?) -> String? {
        guard let error else { return schedule.mayEnd(with: nil) || shape == .chunks ? nil : "a success of what fails" }
        let isTimeout = error.code == .timedOut
        if error.type == .cancelled || isTimeout && timeout.isFinite { return nil }
        if error.type == .missingImage, shape == .image { return nil }
        return schedule.mayEnd(with: error.type) ? nil : "\(error.debugDescription)"
    }
}

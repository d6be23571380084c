import Foundation
import LoopbackServer
import Teapot
import TestSupport
import Testing

/// One closure call, whose task and transport do things in a random order, step by step beside a model that knows the
/// expected outcome of each.
struct ScheduleFuzzCase {
    private enum Step: String, CaseIterable {
        case suspend, resume, cancel, redirect, respond, fail, data, sent, finish, breakOff, lateAnswer
    }

    private let steps: [Step]

    init(_ generator: inout SeededGenerator) {
        // A cancellation ends most of what there is to see.
        let steps = Step.allCases.filter { $0 != .cancel }
        self.steps = (0..<generator.number(1...25)).map { _ in
            generator.oneIn(25) ? .cancel : generator.pick(steps)
        }
    }

    /// Takes the steps, then lets go of the task and ends what is still under way.
    ///
    /// - Returns: What is wrong.
    func problems() async throws -> [String] {
        let (transport, completions) = (ManualTransport(), Completions())
        let queue = DispatchQueue(label: "delivery")
        let url = try #require(URL(string: "http://api.example"))
        // A redirect is followed a second after its response.
        let teapot = Teapot(baseURL: url, transport: transport, clock: StoppedClock())
        let task = try #require(
            teapot.get("x", timeoutInterval: .infinity, deliveryQueue: queue, completion: completions.take)
        )
        var model = Model()
        for (index, step) in (steps + [.resume, .finish]).enumerated() {
            take(step, task, transport)
            model.take(step)
            await queue.drain()
            let all = completions.all
            let seen = "\(transport.hops.count) hops, state \(task.state.rawValue), \(all.map(\.kind))"
            let expected = "\(model.hops) hops, state \(model.state.rawValue), \(model.outcome.map { [$0] } ?? [])"
            guard seen == expected else {
                return ["after \(steps.prefix(index + 1).map(\.rawValue)): \(seen), not \(expected)"]
            }
        }
        let isTold = transport.hops.last?.isCancelled == true
        if isTold != (model.isCancelled && model.isUnderWay) { return ["the transport was told \(isTold)"] }
        return []
    }

    private func take(_ step: Step, _ task: URLSessionTask, _ transport: ManualTransport) {
        let hop = transport.hops.last
        switch step {
        case .suspend: task.suspend()
        case .resume: task.resume()
        case .cancel: task.cancel()
        case .redirect: hop?.respond(302, headers: ["Location": "/y"])
        case .respond: hop?.respond(200)
        case .fail: hop?.respond(500)
        case .data: hop?.report(.data(Data("{}".utf8)))
        case .sent: hop?.report(.sent(1))
        case .finish: hop?.report(.finished(nil))
        case .breakOff: hop?.report(.finished(URLError(.networkConnectionLost)))
        case .lateAnswer: transport.hops.dropLast().last?.answer(500)
        }
    }

    /// The rules of a call, told once more.
    private struct Model {
        private(set) var hops = 1
        private(set) var outcome: String?
        private(set) var isCancelled = false
        private var isSuspended = false
        private var status: Int?
        /// Whether an error ended the hop; `nil` while it is under way.
        private var brokeOff: Bool?

        /// Whether the last hop was, when the call was cancelled.
        var isUnderWay: Bool { brokeOff == nil }

        var state: URLSessionTask.State {
            isCancelled || outcome != nil ? .completed : isSuspended ? .suspended : .running
        }

        mutating func take(_ step: Step) {
            guard !isCancelled, outcome == nil else { return }
            switch step {
            case .suspend: isSuspended = true
            case .resume: isSuspended = false
            case .cancel: isCancelled = true
            case .redirect: respond(302)
            case .respond: respond(200)
            case .fail: respond(500)
            case .data, .sent, .lateAnswer: break
            case .finish: brokeOff = brokeOff ?? false
            case .breakOff: brokeOff = brokeOff ?? true
            }
            guard let brokeOff, !isSuspended, !isCancelled else { return }
            switch (status, brokeOff) {
            case (nil, _): outcome = "noResponse"
            case (302, _) where hops <= 10:
                hops += 1
                (status, self.brokeOff) = (nil, nil)
            case (_, true): outcome = "dataTaskError"
            case (200, _): outcome = "success"
            default: outcome = "invalidResponseStatus"
            }
        }

        private mutating func respond(_ status: Int) {
            if brokeOff == nil { self.status = self.status ?? status }
        }
    }
}

extension CallResult {
    fileprivate var kind: String { error.map { "\($0.type)" } ?? "success" }
}

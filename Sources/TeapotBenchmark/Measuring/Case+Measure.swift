import Dispatch

extension Case {
    /// Measures rounds in which baseline and Teapot take turns; who begins alternates, so that neither gains by its place.
    ///
    /// A round that is not measured comes first: connections are made there, and code is loaded.
    ///
    /// - Throws: `FailedCall` when a call fails.
    func measure(rounds: Int, requests: Int) throws -> [Round] {
        _ = try round(requests: requests, baselineFirst: true)
        return try (0..<rounds).map { try round(requests: requests, baselineFirst: $0.isMultiple(of: 2)) }
    }

    private func round(requests: Int, baselineFirst: Bool) throws -> Round {
        if baselineFirst {
            let baseline = try time(of: baseline, "the baseline", times: requests)
            return Round(baseline: baseline, teapot: try time(of: teapot, "Teapot", times: requests))
        }
        let teapot = try time(of: teapot, "Teapot", times: requests)
        return Round(baseline: try time(of: baseline, "the baseline", times: requests), teapot: teapot)
    }

    /// Makes a call again and again, each from the completion of the one before.
    ///
    /// - Returns: Seconds for each call.
    private func time(of call: @escaping Call, _ name: String, times: Int) throws -> Double {
        let finished = DispatchSemaphore(value: 0)
        let failed = DispatchSemaphore(value: 0)
        @Sendable func makeCalls(_ count: Int) {
            call { isSuccess in
                if !isSuccess { failed.signal() }
                if isSuccess, count > 1 { makeCalls(count - 1) } else { finished.signal() }
            }
        }
        let time = ContinuousClock().measure {
            makeCalls(times)
            finished.wait()
        }
        guard failed.wait(timeout: .now()) == .timedOut else { throw FailedCall(name: name) }
        return time / .seconds(1) / Double(times)
    }
}

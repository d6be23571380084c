package import Teapot

/// A plugin that writes down what it is called with, one line a call, and does what a test tells it to.
///
/// It also checks that each request that it saw go has one end, and that after it: requests of one call must differ by method,
/// URL or attempt unless they follow each other, and those of different calls by the header field `X-Call`.
package final class WatchingPlugin: Teapot.Plugin {
    package typealias Outcome = Result<Teapot.Response, TeapotError>

    private struct State {
        var open: [String: Int] = [:]
        var count = 0
        var problems: [String] = []
    }

    /// Where the lines go: several plugins may share it.
    package let lines: Locked<[String]>
    private let name: String
    private let state = Locked(State())
    private let onPrepare: @Sendable (inout URLRequest) throws -> Void
    private let onSend: @Sendable (Teapot.SentRequest) -> Void
    private let onReceive: @Sendable (Outcome, Teapot.SentRequest) -> Void

    package init(
        _ name: String = "",
        lines: Locked<[String]> = Locked([]),
        prepare: @escaping @Sendable (inout URLRequest) throws -> Void = { _ in },
        willSend: @escaping @Sendable (Teapot.SentRequest) -> Void = { _ in },
        didReceive: @escaping @Sendable (Outcome, Teapot.SentRequest) -> Void = { _, _ in }
    ) {
        self.name = name.isEmpty ? "" : name + " "
        self.lines = lines
        (onPrepare, onSend, onReceive) = (prepare, willSend, didReceive)
    }

    /// The recorded events, in order.
    package var all: [String] { lines.withLock { $0 } }

    /// How many requests it saw go.
    package var count: Int { state.withLock { $0.count } }

    /// Ends without a beginning, and requests whose end it has not seen.
    package var problems: [String] {
        state.withLock { $0.problems + $0.open.filter { $0.value != 0 }.map { "\($0.value) × \($0.key) is open" } }
    }

    package func prepare(_ request: inout URLRequest) throws {
        write("prepare \(request.summary)")
        try onPrepare(&request)
    }

    package func willSend(_ request: Teapot.SentRequest) {
        write("willSend \(request.urlRequest.summary)")
        state.withLock {
            $0.open[request.key, default: 0] += 1
            $0.count += 1
        }
        onSend(request)
    }

    package func didReceive(_ result: Outcome, for request: Teapot.SentRequest) {
        state.withLock {
            let count = $0.open[request.key, default: 0]
            if count != 1 { $0.problems.append("\(request.key) ends when \(count) are open") }
            $0.open[request.key] = count - 1
        }
        write("didReceive \(result.summary) \(request.urlRequest.summary)")
        onReceive(result, request)
    }

    private func write(_ line: String) {
        lines.withLock { $0.append(name + line) }
    }
}

extension URLRequest {
    fileprivate var summary: String { "\(httpMethod ?? "") \(url?.path() ?? "")" }
}

extension Teapot.SentRequest {
    fileprivate var key: String {
        let call = urlRequest.value(forHTTPHeaderField: "X-Call") ?? ""
        return "\(call) \(urlRequest.httpMethod ?? "") \(urlRequest.url?.absoluteString ?? "") \(attempt)"
    }
}

extension Result<Teapot.Response, TeapotError> {
    fileprivate var summary: String {
        switch self {
        case .success(let response): "\(response.status)"
        case .failure(let error) where error.type == .invalidResponseStatus: "\(error.responseStatus ?? 0)"
        case .failure(let error): "\(error.type)"
        }
    }
}

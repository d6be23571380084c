import Teapot

/// A client that a careful engineer would write by hand around `URLSession`: one session and one decoder for all calls, the
/// status checked, and an async call that can be cancelled.
struct PlainClient: Sendable {
    /// The error of a missing or unusable response.
    enum Failure: Error, CustomStringConvertible {
        case noResponse
        case status(Int)
        case notJSON

        var description: String {
            switch self {
            case .noResponse: "no response"
            case .status(let status): "status \(status)"
            case .notJSON: "the body is not the JSON that was expected"
            }
        }
    }

    let session = URLSession(configuration: .default)
    private let decoder = JSONDecoder()

    /// Sends a request. The completion is called on the session's own queue, with the error if there is no JSON object or array
    /// of objects.
    func json(
        _ request: URLRequest,
        isArray: Bool = false,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        session.dataTask(with: request) { data, response, error in
            completion(
                Result {
                    let json = try JSONSerialization.jsonObject(with: Self.body(data, response, error))
                    guard isArray ? json is [[String: Any]] : json is [String: Any] else { throw Failure.notJSON }
                }.failure
            )
        }.resume()
    }

    /// Sends a request, waits for the response, and decodes it.
    func value<Value: Decodable>(_ request: URLRequest, as type: Value.Type) async throws -> Value {
        let call = PlainCall()
        let data = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = session.dataTask(with: request) { data, response, error in
                    continuation.resume(with: Result { try Self.body(data, response, error) })
                }
                call.start(task)
            }
        } onCancel: {
            call.cancel()
        }
        return try decoder.decode(type, from: data)
    }

    /// The body of a response with a status that says success.
    private static func body(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) throws -> Data {
        try check(response, error)
        return data ?? Data()
    }

    /// - Throws: When there is no response with a status that says success.
    static func check(_ response: URLResponse?, _ error: (any Error)?) throws {
        if let error { throw error }
        guard let response = response as? HTTPURLResponse else { throw Failure.noResponse }
        guard (200..<300).contains(response.statusCode) else { throw Failure.status(response.statusCode) }
    }
}

/// A data task that may be cancelled before it is there.
final class PlainCall: Sendable {
    private let state = Locked<(task: URLSessionTask?, isCancelled: Bool)>((nil, false))

    func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        // Also where it is cancelled: a task that is never resumed stays for good.
        task.resume()
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}

extension Result {
    var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

extension Teapot {
    /// A client that delivers on a serial queue that is not the main one, as a session's handlers are called on its own queue.
    static func client(of server: URL, _ transport: any Transport = URLSessionTransport()) -> Teapot {
        Teapot(
            baseURL: server,
            defaultDeliveryQueue: DispatchQueue(label: "TeapotBenchmark.delivery"),
            transport: transport
        )
    }
}

extension NetworkResult {
    /// Why it is not the JSON object or array that was expected; `nil` if it is.
    func failure(isArray: Bool = false) -> (any Error)? {
        switch self {
        case .success(let json, _):
            (isArray ? json?.array != nil : json?.dictionary != nil) ? nil : PlainClient.Failure.notJSON
        case .failure(_, _, let error): error
        }
    }
}

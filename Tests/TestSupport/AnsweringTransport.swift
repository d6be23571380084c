package import Teapot

/// A transport that answers from a queue of its own, so that answers meet what other threads do.
package struct AnsweringTransport: Transport {
    package typealias Answer = (status: Int, headers: [String: String])

    private static let queue = DispatchQueue(label: "answers", attributes: .concurrent)
    private let answer: @Sendable (URLRequest) -> Answer

    /// - Parameter answer: Called on that queue. Each body is `[1,2,3]`.
    package init(answer: @escaping @Sendable (URLRequest) -> Answer) {
        self.answer = answer
    }

    package func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        Self.queue.async {
            let (status, headers) = answer(request.urlRequest)
            guard let url = request.urlRequest.url,
                let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
            else { return receive(.finished(URLError(.badURL))) }
            receive(.response(response))
            receive(.data(Data("[1,2,3]".utf8)))
            receive(.finished(nil))
        }
        return UncancellableTask()
    }
}

/// An exchange that ends when it ends.
package struct UncancellableTask: TransportTask {
    package init() {}

    package func cancel() {}
}

import Foundation

/// An exchange of a transport that needs all of a body before it begins.
package final class CollectingTask: TransportTask {
    private typealias State = (reader: Task<Void, Never>?, exchange: (any TransportTask)?, isCancelled: Bool)

    private let state = Locked<State>((nil, nil, false))

    /// Reads a body, and then starts the exchange. `add` takes each piece; `start` takes the request without its pieces.
    package init(
        _ pieces: Teapot.Request.Body.Pieces,
        of request: TransportRequest,
        _ receive: @escaping @Sendable (TransportEvent) -> Void,
        add: @escaping @Sendable (Data) throws -> Void,
        start: @escaping @Sendable (inout TransportRequest) throws -> (any TransportTask)?
    ) {
        let reader = Task {
            do {
                try await pieces.forEach { piece in
                    try add(piece)
                    receive(.sent(0))
                }
                try Task.checkCancellation()
                var request = request
                request.bodyPieces = nil
                let exchange = try start(&request)
                // A cancellation while the exchange was being started did not see it.
                let isCancelled = state.withLock { state in
                    state.exchange = exchange
                    return state.isCancelled
                }
                if isCancelled { exchange?.cancel() }
            } catch {
                // A sequence may throw because its task was cancelled, which is no error of the sequence.
                let isCancelled = state.withLock { $0.isCancelled }
                receive(.finished(isCancelled ? URLError(.cancelled) : error))
            }
        }
        state.withLock { $0.reader = reader }
    }

    package func cancel() {
        let (reader, exchange, _) = state.withLock { state in
            state.isCancelled = true
            return state
        }
        reader?.cancel()
        exchange?.cancel()
    }

    package func suspend() { state.withLock { $0.exchange }?.suspend() }
    package func resume() { state.withLock { $0.exchange }?.resume() }
}

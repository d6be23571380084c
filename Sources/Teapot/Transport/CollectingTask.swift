import Foundation

/// An exchange of a transport that needs all of a body before it begins.
package final class CollectingTask: TransportTask {
    private let exchange = Locked<(any TransportTask)?>(nil)
    private let reader: Task<Void, Never>

    /// Reads a body, and then starts the exchange. `add` takes each piece; `start` takes the request without its pieces.
    package init(
        _ pieces: Teapot.Request.Body.Pieces,
        of request: TransportRequest,
        _ receive: @escaping @Sendable (TransportEvent) -> Void,
        add: @escaping @Sendable (Data) throws -> Void,
        start: @escaping @Sendable (inout TransportRequest) throws -> (any TransportTask)?
    ) {
        reader = Task { [exchange] in
            do {
                try await pieces.forEach { piece in
                    try add(piece)
                    receive(.sent(0))
                }
                try Task.checkCancellation()
                var request = request
                request.bodyPieces = nil
                let started = try start(&request)
                exchange.withLock { $0 = started }
                // A cancellation while the exchange was being started did not see it.
                if Task.isCancelled { started?.cancel() }
            } catch {
                // A sequence may throw because its task was cancelled, which is no error of the sequence.
                receive(.finished(Task.isCancelled ? URLError(.cancelled) : error))
            }
        }
    }

    package func cancel() {
        // The reader first: if it has not stored the exchange yet, it sees the cancellation afterwards.
        reader.cancel()
        exchange.withLock { $0 }?.cancel()
    }

    package func suspend() { exchange.withLock { $0 }?.suspend() }
    package func resume() { exchange.withLock { $0 }?.resume() }
}

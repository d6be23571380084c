import Foundation
import Teapot

/// A transport that talks to one server only, wherever redirects lead, and sees to it that events come in order.
struct SingleOriginTransport: Transport {
    let port: Int
    private let real: any Transport
    private let violations = Locked<[String]>([])

    init(port: Int, _ real: any Transport = URLSessionTransport()) {
        (self.port, self.real) = (port, real)
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        guard let url = request.urlRequest.url, url.host() == "127.0.0.1", url.port == port else {
            receive(.finished(URLError(.cannotFindHost)))
            return nil
        }
        let (hasResponse, isFinished) = (Locked(false), Locked(false))
        return real.start(request) { event in
            if isFinished.withLock({ $0 }) { note("\(event) after the end") }
            switch event.kind {
            case .response:
                if hasResponse.withLock({ $0 }) { note("two responses") }
                hasResponse.withLock { $0 = true }
            case .data: if !hasResponse.withLock({ $0 }) { note("data before the response") }
            case .finished: isFinished.withLock { $0 = true }
            case .sent, .measured, .queued, .scheduled: break
            }
            receive(event)
        }
    }

    private func note(_ violation: String) {
        violations.withLock { $0.append(violation) }
    }

    /// The violations found in the events.
    var problems: [String] { violations.withLock { $0 } }
}

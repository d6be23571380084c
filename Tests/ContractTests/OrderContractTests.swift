import Teapot
import TestSupport
import TestTraits
import Testing

/// The order of outcomes in the queue of closures.
@Suite(.inTurn)
struct OrderContractTests {
    @Test(arguments: Backend.available.filter { ![.mock, .foreign].contains($0) })
    func `a busy queue gets outcomes in the order in which they ended`(backend: Backend) async throws {
        let base = EndRecorder(base: backend.transport)
        let teapot = Teapot(baseURL: try backend.baseURL(), transport: base)
        teapot.timeoutInterval = 60
        let queue = DispatchQueue(label: "busy")
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        let delivered = Locked<[String]>([])
        for number in 0..<24 {
            let path = number.isMultiple(of: 5) ? "status/404?n=\(number)" : "get?n=\(number)"
            teapot.get(path, deliveryQueue: queue) { result in
                let url =
                    switch result {
                    case .success(_, let response), .failure(_, let response, _): response.url
                    }
                delivered.withLock { $0.append(url?.query ?? "") }
            }
        }
        await eventually { base.ended.withLock { $0.count } == 24 }
        gate.signal()
        await eventually { delivered.withLock { $0.count } == 24 }
        #expect(delivered.withLock { $0 } == base.ended.withLock { $0 })
    }
}

/// Notes the query of each request in the order in which the exchanges end.
private struct EndRecorder: Transport {
    let base: any Transport
    let ended = Locked<[String]>([])

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        base.start(request) { event in
            if event.isFinished { ended.withLock { $0.append(request.urlRequest.url?.query ?? "") } }
            receive(event)
        }
    }
}

import Teapot
import TeapotMock

extension Case {
    /// A GET that a mock answers, against one over loopback by Teapot.
    static let mockedGet = Case(
        name: "mocked-get",
        summary: "GET of a 150-byte JSON object from MockTeapot; the baseline is Teapot's own over loopback",
        goal: 0.05,
        allocationRequests: 10,
        requests: 500,
        teapotFactor: 10,
        baseline: { server in teapotGet(SampleFiles.small, from: server, inFlight: 1, isArray: false) },
        teapot: { _ in
            let mock = MockTeapot(strictIn: .main)
            mock.maximumRequestCount = 1_000
            let response = try MockResponse.json(.data(SampleFiles.smallContent))
            try mock.overrideEndPoint(SampleFiles.small, method: .get, with: response)
            return .steps {
                // The mock calls back before the verb returns.
                let outcome = Locked<(any Error)?>(PlainClient.Failure.noResponse)
                mock.get(SampleFiles.small) { result in outcome.withLock { $0 = result.failure() } }
                if let failure = outcome.withLock({ $0 }) { throw failure }
            }
        }
    )
}

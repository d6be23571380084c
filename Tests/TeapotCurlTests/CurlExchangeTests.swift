#if os(Linux)
    @testable import Teapot
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct CurlExchangeTests {
        /// Its caller may cancel an exchange that is over, before the engine has reported that.
        @Test func `the first outcome of an exchange counts, and is reported once`() throws {
            let outcomes = Locked<[String]>([])
            let url = try #require(URL(string: "https://tea.example"))
            let exchange = try CurlExchange(TransportRequest(URLRequest(url: url)), .idle()) { event in
                switch event.kind {
                case .measured: outcomes.withLock { $0.append("measured") }
                case .finished(let error): outcomes.withLock { $0.append(error == nil ? "whole" : "failed") }
                default: break
                }
            }
            exchange.end(nil, Teapot.Timings())
            exchange.end(URLError(.cancelled), nil)
            for _ in 0..<2 { exchange.finish() }
            #expect(outcomes.withLock { $0 } == ["measured", "whole"])
        }
    }
#endif

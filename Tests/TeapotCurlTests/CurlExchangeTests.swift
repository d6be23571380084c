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

        /// The engine may take the exchange from its inbox much later.
        @Test func `an exchange that got no response is stuck half a second after it was asked for`() throws {
            let before = DispatchTimer().elapsed
            let exchange = try CurlExchange.idle()
            let after = DispatchTimer().elapsed
            #expect(!exchange.isStuck(at: before + .milliseconds(499)))
            #expect(exchange.isStuck(at: after + .milliseconds(500)))
            exchange.waitInLine()
            #expect(!exchange.isStuck(at: after + .seconds(60)))
        }
    }
#endif

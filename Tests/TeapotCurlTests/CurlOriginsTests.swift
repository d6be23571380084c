#if os(Linux)
    @testable import Teapot
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct CurlOriginsTests {
        private let origins = CurlOrigins(maximumConnections: 2)
        private let engine: CurlEngine

        init() throws { engine = try .idle() }

        private func exchange(_ host: String = "tea.example") throws -> CurlExchange {
            try .idle("https://\(host)", of: engine)
        }

        /// Begins an exchange, and the first in line, as an engine does.
        private func begin(_ exchange: CurlExchange) throws -> Int {
            if origins.enter(exchange) { origins.move(exchange, to: .pending) }
            return try beginNext(of: exchange)
        }

        private func beginNext(of exchange: CurlExchange) throws -> Int {
            var count = 0
            while let next = origins.next(of: try #require(exchange.originState)) {
                origins.move(next, to: .pending)
                count += 1
            }
            return count
        }

        private func end(_ exchange: CurlExchange) throws -> Int {
            origins.move(exchange, to: .over)
            exchange.originState?.line.end()
            return try beginNext(of: exchange)
        }

        @Test func `as many exchanges begin as there are connections, and the others in order`() throws {
            let exchanges = try (0..<4).map { _ in try exchange() }
            for exchange in exchanges { #expect(try begin(exchange) == 0) }
            #expect(exchanges.map { $0.place != nil } == [false, false, true, true])
            #expect(origins.pending.count == 2)
            // Those of another origin have connections of their own.
            let other = try exchange("cup.example")
            _ = try begin(other)
            #expect(other.place == nil)
            _ = try end(other)
            #expect(try end(exchanges[0]) == 1)
            #expect(exchanges.map { $0.place != nil } == [false, false, false, true])
            for exchange in exchanges.dropFirst() { _ = try end(exchange) }
            #expect(origins.isEmpty)
            #expect(origins.pending.isEmpty)
        }

        @Test func `once connections are shared, each exchange that is sent makes room`() throws {
            let exchanges = try (0..<6).map { _ in try exchange() }
            for exchange in exchanges { _ = try begin(exchange) }
            #expect(!origins.areShared)
            origins.move(exchanges[0], to: .sent)
            #expect(origins.takeOpen().isEmpty)
            for _ in 0..<2 { origins.share(try #require(exchanges[0].originState)) }
            #expect(origins.areShared)
            let open = origins.takeOpen()
            #expect(open.map(\.origin) == [exchanges[0].origin])
            #expect(origins.takeOpen().isEmpty)
            #expect(try beginNext(of: exchanges[0]) == 1)
            origins.move(exchanges[1], to: .sent)
            #expect(origins.takeOpen().count == 1)
            #expect(try beginNext(of: exchanges[0]) == 1)
            // A connection that is known as shared, when all of its exchanges are over.
            for exchange in exchanges { _ = try end(exchange) }
            #expect(origins.isEmpty)
            let next = try exchange()
            _ = try begin(next)
            #expect(next.originState?.isShared == true)
        }

        /// The streams that are open stay open.
        @Test func `a server that wants HTTP/1.1 for one request does not close its origin`() throws {
            let streams = try (0..<3).map { _ in try exchange() }
            for exchange in streams {
                _ = try begin(exchange)
                let state = try #require(exchange.originState)
                origins.share(state)
                origins.move(exchange, to: .sent)
            }
            let state = try #require(streams[0].originState)
            #expect(!state.isDowngraded(at: .zero))
            state.downgrade(at: .seconds(10))
            #expect(state.isDowngraded(at: .seconds(309)))
            #expect(!state.isDowngraded(at: .seconds(310)))
            let next = try exchange()
            _ = try begin(next)
            #expect(next.place == nil)
        }

        @Test func `what is known of a server outlives its exchanges, and what they did does not`() throws {
            let (first, second) = (try exchange(), try exchange("cup.example"))
            for exchange in [first, second] { _ = try begin(exchange) }
            let state = try #require(first.originState)
            state.hasMoved = true
            state.needsNew = true
            state.newCount = 1
            second.originState?.needsNew = true
            for exchange in [first, second] { _ = try end(exchange) }
            #expect(origins.isEmpty)
            let next = [try exchange(), try exchange("cup.example")]
            for exchange in next { _ = try begin(exchange) }
            #expect(next[0].originState?.hasMoved == true)
            #expect(next.map { $0.originState?.needsNew } == [false, false])
            #expect(next[0].originState?.newCount == 0)
            #expect(next[1].originState?.hasMoved == false)
            // The host is looked up anew, once.
            #expect((0..<2).map { _ in next[0].originState?.takeMoved() } == [true, false])
        }

        @Test func `no more than 1,000 servers without exchanges are known, and those that want HTTP/1.1 the longest`()
            throws
        {
            for number in 0...1_001 {
                let exchange = try exchange("cup\(number).example")
                _ = try begin(exchange)
                exchange.originState?.hasMoved = true
                if number == 7 { exchange.originState?.downgrade(at: .zero) }
                _ = try end(exchange)
            }
            func isKnown(_ number: Int) throws -> Bool? {
                let exchange = try exchange("cup\(number).example")
                _ = try begin(exchange)
                return exchange.originState?.hasMoved
            }
            #expect(try [0, 7, 999, 1_000, 1_001].map(isKnown) == [false, true, false, true, true])
        }
    }
#endif

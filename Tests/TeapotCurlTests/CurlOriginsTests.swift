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
            while let next = origins.next(of: exchange.origin, try #require(exchange.originState)) {
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
            origins.share(exchanges[0].origin)
            #expect(origins.areShared)
            let open = origins.takeOpen()
            #expect(open.map(\.0) == [exchanges[0].origin])
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
            origins.share(streams[0].origin)
            for exchange in streams {
                _ = try begin(exchange)
                origins.move(exchange, to: .sent)
            }
            #expect(!origins.isDowngraded(streams[0].origin, at: .zero))
            origins.downgrade(streams[0].origin, at: .seconds(10))
            #expect(origins.isDowngraded(streams[0].origin, at: .seconds(309)))
            #expect(!origins.isDowngraded(streams[0].origin, at: .seconds(310)))
            let next = try exchange()
            _ = try begin(next)
            #expect(next.place == nil)
        }

        @Test func `a host to which no connection could be opened is looked up anew, once`() throws {
            let origin = try exchange().origin
            #expect(!origins.takeMoved(origin))
            origins.didNotConnect(to: origin)
            #expect(origins.takeMoved(origin))
            #expect(!origins.takeMoved(origin))
        }
    }
#endif

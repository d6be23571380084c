#if os(Linux)
    @testable import Teapot
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct OriginStateTests {
        @Test func `libcurl gets a few more exchanges than it has begun`() throws {
            let engine = try CurlEngine.idle()
            let exchanges = try (0..<200).map { _ in try CurlExchange.idle("http://127.0.0.1:1", of: engine) }
            let state = OriginState(exchanges[0].origin)
            for exchange in exchanges { _ = state.line.append(exchange) }

            func begin() -> Int {
                var count = 0
                while state.line.next(limit: state.limit(connections: 6)) != nil {
                    state.move(from: .waiting, to: .pending)
                    count += 1
                }
                return count
            }

            #expect(begin() == 6)
            #expect(!state.isFull)
            // One opens a connection, so that the others do not wait for a stream.
            state.move(from: .pending, to: .connecting)
            for _ in 0..<2 { state.move(from: .pending, to: .sent) }
            state.isShared = true
            #expect(!state.isFull)
            #expect(begin() == 3)
            state.move(from: .connecting, to: .sent)
            #expect(state.isFull)
            state.isShared = false
            #expect(!state.isFull)
            state.isShared = true
            // There is a limit whatever the server takes.
            for _ in 0..<200 {
                state.move(from: .pending, to: .sent)
                _ = begin()
            }
            #expect(state.line.count == 100)
        }
    }
#endif

import Foundation
import TestSupport
import TestTraits
import Testing

import Teapot
import TeapotCache

#if os(Linux)
    /// The memory that a cache takes in a process of its own.
    @Suite(.inTurn, .exitTests)
    struct CacheResourceTests {
        @Test func `many names in Vary take no more memory than the cache may`() async {
            await #expect(processExitsWith: .success) {
                let names = (0..<20_000).map { "x\($0)" }.joined(separator: ",")
                try await CacheResourceTests.fill(60, ["Vary": names])
            }
        }

        @Test func `many small header fields take no more memory than the cache may`() async {
            await #expect(processExitsWith: .success) {
                try await CacheResourceTests.fill(
                    280,
                    Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("X-\($0)", "a") })
                )
            }
        }

        /// Bodies of 3.9 MB in pieces, each of which might be stored.
        @Test(.timeLimit(.minutes(5))) func `bodies that are arriving take no more memory than the cache may`() async {
            await #expect(processExitsWith: .success) {
                try CacheResourceTests.receive(100, 39, ["Transfer-Encoding": "chunked"])
            }
        }

        /// The first fifth of each.
        @Test func `bodies that are too large by their length pass through`() async {
            await #expect(processExitsWith: .success) {
                try CacheResourceTests.receive(100, 9, ["Content-Length": "5000000"])
            }
        }

        @Test func `responses that are not stored leave nothing, although their URL always has a request under way`()
            async
        {
            await #expect(processExitsWith: .success) {
                let cache = CachingTransport(wrapping: HoldingTransport())
                let url = try #require(URL(string: "http://api.example/me"))
                func ask(_ user: Int) {
                    var request = URLRequest(url: url)
                    request.setValue(
                        "Bearer \(String(repeating: "t", count: 200))\(user)",
                        forHTTPHeaderField: "Authorization"
                    )
                    _ = cache.start(TransportRequest(request)) { _ in }
                }
                for user in 0..<1_000 { ask(user) }
                let before = try #require(ProcessResources.current)
                for user in 1_000..<20_000 { ask(user) }
                let growth = try #require(ProcessResources.current).memory - before.memory
                #expect(growth < 4_000, "\(growth) KB")
            }
        }

        /// Receives bodies at the same time, in pieces of 100 KB, with a cache of 32 MB.
        fileprivate static func receive(_ count: Int, _ pieces: Int, _ fields: [String: String]) throws {
            let server = ManualTransport()
            let cache = CachingTransport(wrapping: server)
            let before = try #require(ProcessResources.current)
            for number in 0..<count {
                let url = try #require(URL(string: "http://api.example/\(number)"))
                _ = cache.start(TransportRequest(URLRequest(url: url))) { _ in }
                server.hops.last?.respond(200, headers: fields.merging(["Cache-Control": "max-age=60"]) { $1 })
            }
            for _ in 0..<pieces {
                for hop in server.hops { hop.report(.data(Data(repeating: 1, count: 100_000))) }
            }
            let growth = try #require(ProcessResources.current).memory - before.memory
            #expect(growth < (pieces > 9 ? 48_000 : 8_000), "\(growth) KB")
        }

        /// Stores responses in a cache of 8 MB.
        fileprivate static func fill(_ count: Int, _ fields: [String: String]) async throws {
            let headers = fields.merging(["Cache-Control": "max-age=60", "Content-Length": "7"]) { $1 }
            let transport = AnsweringTransport { _ in (200, headers) }
            let cache = CachingTransport(wrapping: transport, maximumSize: 8_000_000)
            let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: cache)
            try await teapot.get("first")
            let before = try #require(ProcessResources.current)
            for number in 0..<count { try await teapot.get("\(number)") }
            let growth = try #require(ProcessResources.current).memory - before.memory
            #expect(growth < 16_000, "\(growth) KB")
        }
    }

    /// Answers each request but the first, with a response that is not to be stored.
    private final class HoldingTransport: Transport {
        private let held = Locked<(@Sendable (TransportEvent) -> Void)?>(nil)

        func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            let isFirst = held.withLock { held in
                guard held == nil else { return false }
                held = receive
                return true
            }
            guard !isFirst, let url = request.urlRequest.url else { return nil }
            receive(.response(from: url, status: 200, fields: [("Cache-Control", "no-store")]))
            receive(.finished(nil))
            return nil
        }
    }
#endif
